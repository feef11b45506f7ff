"""Systems that no solver is asked about: refuted by sums, or by others, renamed. Checks, files, planted bugs."""

from __future__ import annotations

import json
import types
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations, product
from math import prod
from pathlib import Path

import pytest

from claims.proving import cores, files, proof, reasons, recheck, renamings, sum_check
from claims.proving.exploring import Leaf, PathEnd
from claims.proving.proof import Attempt, ProofStatus, attempt
from claims.proving.recheck import Finding
from claims.proving.sums import Sums
from claims.proving.symbols import AUXILIARY, Condition
from claims.targets.target import Target
from tests.planting import LONG, bugs_in, noticed
from tests.proving.claim_texts import two
from tests.proving.solver_processes import solvers_or_skip, target_in
from tests.proving.test_proof_files import edited, rewritten, tampered

solvers_or_skip()

MOTZKIN = "x**4 * y**2 + x**2 * y**4 + 1 - 3 * x**2 * y**2"
"""At least zero, but no sum of squares, however multiplied by bounds: a solver is asked once, and not of y, x."""


def pairs(formula: str) -> Target:
    return target_in(two(f"x, y = a, b\nreturn np.array([{formula}], dtype=object)"), "pairs_of_numbers.py", "slack")


BOTH = pairs(f"({MOTZKIN}) * (1 if x >= y else 2), x * x - 2 * x * y + y * y")


@pytest.fixture(scope="module")
def made() -> Attempt:
    found = attempt(BOTH, {"n": 2}, budget=120, limit=30)
    assert found.word is ProofStatus.PROVED, found.reason
    return found


@pytest.fixture(scope="module")
def written(made, tmp_path_factory) -> Path:
    return files.write_proof(made, tmp_path_factory.mktemp("proofs"))


def condition(signs: str, *terms: tuple[int, tuple[int, ...]]) -> Condition:
    """A condition with signs as of "+0-"."""
    full = tuple(
        (c, (*powers, *(0,) * (AUXILIARY - len(powers)))) for c, powers in sorted(terms, key=lambda one: one[1])[::-1]
    )
    return Condition(full, frozenset("-0+".index(sign) - 1 for sign in signs))


X, Y = (1, (1, 0)), (1, (0, 1))
# Three conditions of which any two can be met: a sum has to use them all.
CYCLE = [condition("+", X, (-1, (0, 1))), condition("+0", Y, (-1, (0, 0, 1))), condition("-", X, (-1, (0, 0, 1)))]
"""x > y >= z > x."""


def refuted(conditions: list[Condition], told: object, module: types.ModuleType = sum_check) -> bool:
    try:
        module.check_sum([(one.terms, one.signs) for one in conditions], told)
    except (module.SumError, TypeError, ValueError, LookupError, ArithmeticError):
        return False
    return True


ONE = [["1", []]]


# ---------------------------------------------------------------------------------------------------------------------
# Sums


CONTRADICTIONS = [
    CYCLE,
    [condition("+0", X), condition("+0", Y), condition("-", (1, (1, 1)))],
    [condition("-", (1, (2, 0)), (-2, (1, 1)), (1, (0, 2)))],
    [condition("0", X, (-2, (0, 1))), condition("+", X), condition("-", Y)],
    [condition("0", X, (-2, (0, 1))), condition("-", (1, (2, 0)), (-3, (0, 2)))],
    [condition("-+", X, (-1, (0, 1))), condition("0", X, (-1, (0, 1)))],
    [condition("", X)],
    [condition("0", (1, (1, 1)), (-1, (0, 0))), condition("0", X)],
]


@pytest.mark.parametrize("conditions", CONTRADICTIONS[:-2])
def test_a_sum_refutes_what_contradicts_itself(conditions):
    told = Sums(3).refutation(conditions)
    assert told is not None
    assert refuted(conditions, json.loads(json.dumps(told)))
    assert Sums(3).refutation(conditions[1:]) is None
    assert not refuted(conditions[1:], told)


CONSISTENT = [
    ([condition("+0", X)], [["1", [], ONE], ["-1", [0], ONE]], "subtracted"),
    ([condition("+", X)], [["1", [0], ONE], ["-1", [0], ONE]], "subtracted"),
    ([condition("-", X)], [["1", [0], ONE], ["-1", [], [["1", [1]]]]], "subtracted"),
    ([condition("-0", X), condition("+0", X)], [["1", [0], ONE], ["1", [1], ONE]], "no product is positive"),
    ([condition("+", X)], [["1", [0], ONE], ["1", [], [["1", [1]]]]], "does not vanish"),
    ([condition("+", X), condition("-", Y)], [["1", [0], ONE], ["1", [1], ONE]], "does not vanish"),
    ([condition("+0", X)], [["1", [0], [["1", []], ["-1", [1]]]], ["-1", [0], ONE]], "subtracted"),
    ([condition("-", X, (-1, (0, 0)))], [["1", [0], ONE], ["1", [], [["-1", []]]]], "does not vanish"),
    ([condition("+", X, (-1, (0, 1)))], [["1", [], ONE], ["-1", [0, 0], ONE]], "subtracted"),
    ([condition("-+", X)], [["1", [0], ONE], ["-1", [], [["1", [1]]]]], "subtracted"),
    ([condition("+0-", X)], [["1", [0], ONE], ["1", [], ONE]], "without a sign"),
    ([condition("+", X)], [["1", [-1], ONE], ["1", [1], ONE]], "there is no condition"),
    ([condition("+", X)], [["0", [0], ONE]], "no product is positive"),
    ([condition("+0", X)], [["1", [], []]], "no product is positive"),
    ([condition("+", X)], [["1", [0], [["1", [-1]]]]], "power"),
]
"""Conditions that hold somewhere, and what would refute them if one thing were not looked at."""


LESS_ONE = condition("+", X, (-1, (0, 0)))
FIXED = [
    ([condition("+0", X, (-1, (0, 0))), LESS_ONE], [0, 0], "no equation"),
    ([condition("0", (1, (2, 0)), (-1, (0, 0))), LESS_ONE], [0, 0], "does not give variable 0"),
    ([condition("0", (1, (1, 1)), (-1, (0, 0))), LESS_ONE], [0, 0], "does not give variable 0"),
    ([condition("0", X, (-1, (0, 0))), condition("+", (-1, (1, 0)), Y, (1, (0, 0)))], [0, 1], "does not give variable 1"),
    ([condition("0", X, (-1, (0, 0))), LESS_ONE], [2, 0], "no condition 2"),
]
"""Equations that do not give a variable, for which 1 would be put in."""


TOLD = [(conditions, {"fixed": [], "sum": terms}, why) for conditions, terms, why in CONSISTENT]
TOLD += [(conditions, {"fixed": [fixed], "sum": [["1", [1], ONE]]}, why) for conditions, fixed, why in FIXED]
# x + x^2 = 2 gives x = 2 - x^2, which is true but no value: it could be put in again, and double the degree.
TWICE = [condition("0", X, (1, (2, 0)), (-2, (0, 0))), condition("+", X)]
TOLD.append((TWICE, {"fixed": [[0, 0]], "sum": []}, "does not give variable 0"))


@pytest.mark.parametrize(("conditions", "told", "why"), TOLD)
def test_what_is_no_refutation_is_not_taken_for_one(conditions, told, why):
    with pytest.raises(sum_check.SumError, match=why):
        sum_check.check_sum([(one.terms, one.signs) for one in conditions], told)


@pytest.mark.parametrize("v", [-1, 10**12, True, "0", None])
def test_a_variable_that_there_is_not_is_not_put_in(v):
    """Taken for the last variable of each term, -1 makes 0 of y where x is 0, and -y^2 where x is -y."""
    for equation, told in (((X,), [["1", [1], ONE]]), ((X, Y), [["1", [1], ONE], ["1", [], [["1", [0, 1]]]]])):
        assert not refuted([condition("0", *equation), condition("+", Y)], {"fixed": [[0, v]], "sum": told})


def test_a_sum_that_would_take_for_ever_is_refused_at_once():
    condition = Condition(((1, (1,)), (1, ())), frozenset({1}))
    cofactor = [["1", [k, j]] for k in range(60) for j in range(60)]
    with pytest.raises(sum_check.SumError, match="too many terms"):
        sum_check.check_sum([(condition.terms, condition.signs)], {"fixed": [], "sum": [["1", [0], cofactor]]})


def right_sums(module: types.ModuleType) -> None:
    """What a check of sums says of what is true."""
    for conditions in CONTRADICTIONS[:-2]:
        assert refuted(conditions, Sums(3).refutation(conditions), module)


def wrong_sums(module: types.ModuleType) -> None:
    """What it says of what is false."""
    for conditions, terms, _ in CONSISTENT:
        assert not refuted(conditions, {"fixed": [], "sum": terms}, module)
    apart = [condition("-+", X), condition("-", X)]
    assert not refuted(apart, {"fixed": [], "sum": [["1", [0], ONE], ["1", [1], ONE]]}, module)
    assert not refuted([condition("0", X), condition("+", Y)], {"fixed": [[0, -1]], "sum": [["1", [1], ONE]]}, module)
    half = [["1", [0], ONE], ["1", [], [["1", [1]], ["-1", []]]]]
    assert not refuted([condition("-", (1, (2,)), (1, (0,)))], {"fixed": [], "sum": half}, module)
    for conditions, fixed, _ in FIXED:
        assert not refuted(conditions, {"fixed": [fixed], "sum": [["1", [1], ONE]]}, module)
    assert not refuted([condition("-0", X)], {"fixed": [], "sum": [["1", [0], ONE], ["1", [], ONE]]}, module)
    # x = 0 and x >= 0, in the order of which -x is taken for positive
    assert not refuted(
        [condition("0", X), condition("+0", X)], {"fixed": [], "sum": [["-1", [0], ONE], ["1", [1], ONE]]}, module
    )


SIGNS = ["", "-", "0", "+", "-0", "0+", "-+", "-0+"]
GRID = list(product((-2, -1, Fraction(-1, 2), 0, Fraction(1, 2), 1, 2), repeat=2))


def holds(one: Condition, point: Sequence[object]) -> bool:
    """Whether a condition on the first variables holds at a point."""
    value = sum(c * prod(x**power for x, power in zip(point, powers, strict=False)) for c, powers in one.terms)
    return (value > 0) - (value < 0) in one.signs


def weakened_sums(module: types.ModuleType) -> None:
    """No sum refutes what holds at a point: its conditions with more signs, its factors changed, or its conditions."""
    for conditions in CONTRADICTIONS[1:-2]:  # in two variables: points of the grid have no more
        told = Sums(3).refutation(conditions)
        for k, signs in product(range(len(conditions)), SIGNS):
            given = [Condition(one.terms, condition(signs, X).signs) if j == k else one for j, one in enumerate(conditions)]
            if not any(all(holds(one, point) for one in given) for point in GRID):
                continue
            assert not refuted(given, told, module), (given, told)
            for n, (factor, numbers, cofactor) in enumerate(told["sum"]):
                for other in (
                    [str(-Fraction(factor)), numbers, cofactor],
                    ["0", numbers, cofactor],
                    [factor, numbers[1:], cofactor],
                    [factor, [*numbers, k], cofactor],
                    [factor, numbers, []],
                ):
                    assert not refuted(given, told | {"sum": [*told["sum"][:n], other, *told["sum"][n + 1 :]]}, module)


def test_no_sum_refutes_what_holds_somewhere():
    weakened_sums(sum_check)


def test_a_sum_is_kept_for_what_has_its_conditions_renamed(monkeypatch):
    """x > y >= z > x among others, then the same of y, z and minus x: only the three that matter are searched again."""
    search, kept = Sums(3), cores.Cores([((0, 1), (1, 1), (2, 1)), ((1, 1), (2, 1), (0, -1))])
    others = [condition("+", (1, (0, 0, 2)), (1, (0,))), condition("-0", (1, (1, 1, 1)))]
    assert kept.refutation([*others, *CYCLE], search) is None
    kept.learn([*others, *CYCLE], search.refutation([*others, *CYCLE]))
    asked = []
    ask = search.refutation
    monkeypatch.setattr(search, "refutation", lambda conditions: asked.append(len(conditions)) or ask(conditions))
    mixed = [CYCLE[2], others[1], CYCLE[0], CYCLE[1]]
    assert refuted(mixed, kept.refutation(mixed, search))
    assert asked == []
    image = [renamings.renamed(one, ((1, 1), (2, 1), (0, -1))) for one in mixed]
    for _ in range(2):
        assert refuted(image, kept.refutation(image, search))
        assert asked == [3]
    assert kept.refutation(mixed[1:], search) is None
    weaker = [condition("+0", X, (-1, (0, 1))), *mixed[:2], mixed[3]]
    assert kept.refutation(weaker, search) is None


def kept_sums(module: types.ModuleType) -> None:
    """What is kept refutes what has its conditions, in any order, and nothing else."""
    search, kept = Sums(3), module.Cores([((0, 1), (1, 1), (2, 1))])
    system = [condition("-0", (1, (1, 1, 1))), *CYCLE]
    kept.learn(system, search.refutation(system))
    for given in (system, system[::-1]):
        assert refuted(given, kept.refutation(given, search))
    assert kept.refutation(system[:3], search) is None


@bugs_in(cores)
def test_a_sum_that_is_kept_for_other_conditions_is_noticed(bug):
    assert not noticed([kept_sums], cores)
    assert bug.is_noticed([kept_sums])


@bugs_in(sum_check)
def test_a_bug_in_the_check_of_sums_is_noticed(bug):
    assert not noticed([right_sums, wrong_sums], sum_check)
    assert bug.is_noticed([right_sums, wrong_sums])


# ---------------------------------------------------------------------------------------------------------------------
# Renamings


SWAP, TURN = ((1, 1), (0, 1)), ((0, -1), (1, 1))


def right_renamings(module: types.ModuleType) -> None:
    cubic = condition("+", (2, (3, 1)), (-1, (0, 2)))
    assert module.renamed(cubic, SWAP) == condition("-", (1, (2, 0)), (-2, (1, 3)))
    assert module.renamed(cubic, TURN) == condition("-", (2, (3, 1)), (1, (0, 2)))
    assert module.renamed(condition("+", (1, (2, 1))), TURN) == condition("+", (1, (2, 1)))
    assert module.is_renaming([[1, 1], [0, -1]], 2)
    for told in ([[0, 1], [0, 1]], [[0, 1]], [[0, 1], [2, 1]], [[0, 1], [1, 2]], [[0, 1], [1, 0]], [[0, 1], [True, 1]], {}):
        assert not module.is_renaming(told, 2)
    group = module.renamings([("x", ("n", "d"), (i, k)) for i in range(2) for k in range(2)] + [("t", (), ())])
    assert len(group) == len(set(group)) == 2 * 2 * 4
    assert all(module.is_renaming([list(one) for one in told], 5) for told in group)


def right_consequences(module: types.ModuleType) -> None:
    strict, weak, other = condition("+", X), condition("+0", X), condition("+", Y)

    def follows(given, shown):
        return module.follows((module.known(given[0]), given[1]), shown)

    assert follows(([strict, other], []), ([weak], []))
    assert not follows(([weak, other], []), ([strict], []))
    assert not follows(([strict], []), ([strict, other], []))
    assert follows(([condition("+0", X), condition("-0", X)], []), ([condition("0", X)], []))
    assert follows(([strict], [other]), ([strict], []))
    assert not follows(([strict], []), ([strict], [other]))
    assert follows(([strict], [other]), ([strict], [condition("+0", Y), weak]))
    assert not follows(([strict], [other, weak]), ([strict], [other]))
    assert not follows(([strict], [condition("+0", Y)]), ([strict], [other]))


def renamed_at_points(module: types.ModuleType) -> None:
    """A renamed condition holds at a point where the condition holds at the renamed point, and says so in normal form."""
    polynomials = [(X,), (X, Y), ((3, (2, 1)), (-2, (0, 3)), (1, (1, 0))), ((1, (1, 2)), (-1, (0, 0))), ((-1, (2, 2)), Y)]
    for signs, terms in product(("+", "-0", "0"), polynomials):
        one = condition(signs, *terms)
        for places, turns in product(permutations(range(2)), product((1, -1), repeat=2)):
            image = module.renamed(one, list(zip(places, turns, strict=True)))
            assert list(image.terms) == sorted(image.terms, key=lambda term: term[1], reverse=True)
            assert image.terms[0][0] > 0
            for point in GRID:
                assert holds(image, point) is holds(one, [s * point[k] for k, s in zip(places, turns, strict=True)])


def consequences_at_points(module: types.ModuleType) -> None:
    """What follows holds wherever what it follows from does, and something follows of all that is the same or weaker."""
    lists = [[], *([condition(signs, X)] for signs in SIGNS), [condition("+", X), condition("+", Y)]]
    lists += [[condition("-0", X), condition("0+", X)], [condition("-", X), condition("+", X), condition("0", Y)]]
    signs, systems = list(product((-1, 0, 1), repeat=2)), list(product(lists, lists))
    where = [
        {p for p in signs if all(holds(one, p) for one in given) and (not broken or any(holds(one, p) for one in broken))}
        for given, broken in systems
    ]
    for (given, there), (shown, here) in product(zip(systems, where, strict=True), repeat=2):
        follows = module.follows((module.known(given[0]), given[1]), shown)
        assert not follows or there <= here, (given, shown)
        assert follows or given != shown


def orbits_of_systems(module: types.ModuleType) -> None:
    """Of a system that is shown each image is shown by its renaming, and none with a condition less or a violation more."""
    group = module.renamings([("x", ("n", "d"), (i, 0)) for i in range(2)])
    conditions = [condition("+", X), condition("-0", (1, (2, 0)), (-1, (0, 1)))]
    violations, others = [condition("-", Y), condition("+", (1, (1, 1)))], [condition("0", X, Y)]
    shown = module.ShownImpossible(group)
    shown.learn("TF", conditions, violations)
    assert len(group) == 4
    for one in group:
        given, broken = ([module.renamed(some, one) for some in part] for part in (conditions, violations))
        answers, renaming = shown.reason(given, broken)
        assert answers == "TF"
        told = [list(place) for place in renaming]
        assert reasons.is_shown_by((given, broken), (conditions, violations), told, 2)
        assert shown.reason([*given, *others], broken[:1]) is not None
        for k in range(2):
            assert shown.reason(given[:k] + given[k + 1 :], broken) is None
        assert shown.reason(given, [*broken, *others]) is None
        assert shown.reason(given, []) is None


@bugs_in(renamings)
def test_a_bug_in_renamings_is_noticed(bug):
    facts = [right_renamings, right_consequences, renamed_at_points, consequences_at_points]
    facts.append(orbits_of_systems)
    assert not noticed(facts, renamings)
    assert bug.is_noticed(facts)


# ---------------------------------------------------------------------------------------------------------------------
# Proofs and their files


def test_a_solver_is_asked_once_for_each_orbit(made):
    """Of x >= y; of x < y it follows."""
    assert made.decided["z3"] + made.decided.get("cvc5", 0) == 1
    (part,) = made.parts
    assert {why["by"] for why in part.reasons.values()} == {"renamed"}
    assert sum(leaf.open for leaf in part.leaves) == 2


def test_what_is_false_is_refuted_all_the_same():
    false = attempt(pairs(f"{MOTZKIN} - (0 if x >= y else 1)"), {"n": 2}, budget=60, limit=20)
    assert false.word is ProofStatus.VIOLATED


def test_sums_and_renamings_are_confirmed(written):
    found = recheck.recheck(written, 30, run_source=True)
    assert found.finding in (Finding.CONFIRMED, Finding.BY_ONE), found.reason
    assert "1 renamed" in found.reason


def _open(data: dict, by: str) -> dict:
    return next(one for one in data["parts"][0]["paths"] if one.get("by") == by)


def as_itself(data: dict) -> None:
    one = _open(data, "renamed")
    one |= {"as": one["answers"], "renaming": [[0, 1], [1, 1]]}


def unsolved(data: dict) -> None:
    """Each is said to be the other: the orbit has no representative that is solved."""
    one, other = _open(data, "renamed"), _open(data, "solvers")
    other |= {"by": "renamed", "as": one["answers"], "renaming": one["renaming"]}


def another(**fields: object):
    return lambda data: _open(data, "renamed").update(fields)


TAMPERED = [
    unsolved,
    as_itself,
    another(renaming=[[0, 1], [1, 1]]),
    another(renaming=[[1, -1], [0, 1]]),
    another(renaming=[[0, 1], [0, 1]]),
    another(renaming=[[1, 1], [0, 1], [2, 1]]),
    another(renaming=[]),
    another(renaming=None),
    another(**{"as": "TTTT"}),
    another(**{"as": None}),
    another(by="sums"),
    another(by="nothing"),
    lambda data: _open(data, "renamed").pop("renaming"),
]


@pytest.mark.parametrize("change", TAMPERED)
def test_a_tampered_renaming_is_not_confirmed(written, tmp_path, change):
    found = recheck.recheck(rewritten(written, tmp_path, change), 30, run_source=True)
    assert found.finding is Finding.NOT_CONFIRMED


@pytest.mark.parametrize("is_open", [True, False])
@pytest.mark.parametrize("by", ["solvers", "sums", "boxes", "renamed", None])
def test_a_renaming_is_of_an_open_path_that_is_decided_by_itself(by, is_open):
    """x > y and y > x are images of one another: if each could be said to be the other, nothing would be shown."""
    given = [condition("+", X, (-1, (0, 1))), condition("-", X, (-1, (0, 1)))]
    leaves = [Leaf(a, PathEnd.DECIDED, ("x", "y"), (one,), (one,), is_open) for a, one in zip("TF", given, strict=True)]
    told = {"answers": "T", "by": "renamed", "as": "F", "renaming": [[1, 1], [0, 1]]}
    paths = [told, {"answers": "F", "by": by, "as": "T", "renaming": told["renaming"]}]
    proved = recheck._Check(Path(), {"parts": [{"paths": paths}]}, proof.AboutStates(BOTH.resolve(), None), 0)
    shape = types.SimpleNamespace(names=("x", "y"))

    def reason(**fields):
        try:
            return proved._renamed(leaves[0], told | fields, proof.Part({}, leaves), shape)
        except recheck._NotConfirmedError:
            return None

    assert (reason() is not None) is (is_open and by in ("solvers", "sums"))
    assert reason(**{"as": "T", "renaming": [[0, 1], [1, 1]]}) is None


def test_coefficients_beyond_floats_are_no_error():
    """Floats only propose: that they have no such number says nothing of the claim."""
    for formula in ("x + 10**400 if x >= 0 else 10**400 - x", "1 + x * x if x >= 10**400 * y else 2 + x * x"):
        assert attempt(pairs(formula), {"n": 2}, budget=60, limit=20).word is ProofStatus.PROVED


@pytest.fixture(scope="module")
def summed(tmp_path_factory) -> Path:
    """A proof by sums alone."""
    found = attempt(pairs("(x - y if x >= y else 3 * (y - x)) + x * x"), {"n": 2}, budget=60, limit=20)
    assert (found.word, found.decided) == (ProofStatus.PROVED, {"sums": 2})
    folder = tmp_path_factory.mktemp("sums")
    assert recheck.recheck(files.write_proof(found, folder), 20, run_source=True).finding is Finding.CONFIRMED
    return next(folder.iterdir())


SUM_FILES = [
    edited(lambda data: data.clear()),
    edited(lambda data: data.append(data[0])),
    edited(lambda data: data[0]["sum"].pop()),
    edited(lambda data: data[0]["sum"][0].__setitem__(0, "7")),
    edited(lambda data: data[0]["sum"][0].__setitem__(0, "-" + data[0]["sum"][0][0])),
    edited(lambda data: data[0]["sum"][-1].__setitem__(1, [99])),
    edited(lambda data: data[0].update(fixed=[[0, 0]])),
    edited(lambda data: data[0].pop("fixed")),
    edited(lambda data: data[0].update(fixed=[[0, 10**12]])),
    edited(lambda data: data[0].update(fixed=[[0, -1]])),
    edited(lambda data: data[0]["sum"][-1].__setitem__(1, [0] * 10**4)),
    edited(lambda data: data[0]["sum"][0].__setitem__(0, "1e999999999")),
    edited(lambda data: data[0]["sum"][0].__setitem__(0, True)),
    edited(lambda data: data[0]["sum"][0].__setitem__(2, [["1", [10**9]]])),
    edited(lambda data: data[0]["sum"][0].__setitem__(2, [["1", [0] * 99]])),
    lambda text: text + " ",
    lambda text: "[",
]


@pytest.mark.parametrize("change", SUM_FILES)
def test_a_tampered_sum_is_not_confirmed(summed, tmp_path, change):
    found = recheck.recheck(tampered(summed, tmp_path, "*-sums.json", change), 20, run_source=True)
    assert found.finding is Finding.NOT_CONFIRMED


def test_sums_of_another_path_are_not_confirmed(summed, tmp_path):
    one, other = sorted(summed.glob("*-sums.json"))
    folder = tampered(summed, tmp_path, "*-sums.json", lambda text: other.read_text())
    assert one.read_text() != other.read_text()
    assert recheck.recheck(folder, 20, run_source=True).finding is Finding.NOT_CONFIRMED


@pytest.mark.parametrize("lie", ["sums", "renamed"])
def test_a_prover_that_takes_anything_for_a_reason_is_not_confirmed(tmp_path, monkeypatch, lie):
    """What is false is said to be refuted everywhere: by nothing, or as the first path that leaves something open."""
    told = (
        {"by": "sums", "sums": [{"fixed": [], "sum": []}]}
        if lie == "sums"
        else {"by": "renamed", "as": "T", "renaming": []}
    )
    with monkeypatch.context() as patch:
        patch.setattr(reasons.Reasons, "_renamed", lambda self, conditions, violations: told if violations else None)
        patch.setattr(proof, "cross_check", lambda *given, **more: 0)
        made = attempt(pairs("x - y if x >= y else x - y"), {"n": 2}, budget=60, limit=20)
    assert made.word is ProofStatus.PROVED
    assert any(leaf.open and leaf.kind is PathEnd.DECIDED for leaf in made.parts[0].leaves)
    with monkeypatch.context() as patch:
        patch.setattr(proof, "cross_check", lambda *given, **more: 0)
        found = recheck.recheck(files.write_proof(made, tmp_path), 20, run_source=True)
    assert found.finding is Finding.NOT_CONFIRMED


def test_a_proof_of_before_there_were_sums_is_read(written, tmp_path):
    def older(data: dict) -> None:
        one = _open(data, "renamed")
        data["version"] = 2
        one["by"] = "solvers"
        del one["as"], one["renaming"]

    found = recheck.recheck(rewritten(written, tmp_path, older), 30, run_source=True)
    assert found.finding in (Finding.CONFIRMED, Finding.BY_ONE)


@pytest.mark.skipif(not LONG, reason="three tokens in the plane")
def test_three_tokens_in_the_plane_are_proved_and_confirmed_without_a_solver(tmp_path):
    target = Target("localmax.neighbourhoods_are_power_balls", "twice_the_gap")
    found = attempt(target, {"n": 3, "d": 2}, budget=300, limit=10)
    assert (found.word, set(found.decided)) == (ProofStatus.PROVED, {"sums"})
    assert recheck.recheck(files.write_proof(found, tmp_path), 10).finding is Finding.CONFIRMED
