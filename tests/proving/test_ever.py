"""Trajectories for ever: regions that are found, and planted bugs that would let a trajectory leave."""

from __future__ import annotations

from itertools import product

import pytest

from claims.proving import entries, ever, moments, proof, rules
from claims.proving.attempts import attempted
from claims.proving.entries import Entries
from claims.proving.ever import AboutTrajectories
from claims.proving.exploring import NoProofError, Size
from claims.proving.moments import Ask, Entry
from claims.proving.proof import Attempt, ProofStatus, Solving, attempt
from claims.proving.rules import GROWS, KNOWN, LEFT, NEVER_FALLS, STAYS, KnownRegion, begins, needed
from claims.proving.symbols import MovingSymbol, _moving, _slope
from claims.stating.statement import Relation
from claims.targets.target import Target
from claims.targets.user_claims import OwnFileError
from tests.planting import LONG
from tests.proving.solver_processes import Told, solvers_or_skip, target_in

solvers_or_skip()

TWO = {"p": 2}  # the fewest scores that have an order: each more multiplies the faces
ORDER = Target("polarization.order_is_preserved", "scores_stay_ordered")

OWN = '''
"""Two scores."""
import numpy as np
from dynamics.arithmetic import exp, log, sqrt
from dynamics.training.value_softmax import LogisticFlow
from claims.polarization.setting.scores import ordered_values, two_scores, zero_scores
from claims.stating.statement import Assumption, Claim, Standing
from flint import fmpq

claim = Claim(__name__, statement="none", system=LogisticFlow, assumptions=(two_scores, zero_scores, ordered_values))

@claim.trajectory("{relation}", horizon=lambda start: fmpq(1))
def margin(now, start):
    """Something of the state now and the start."""
    (u, v), (a, b) = now.u, now.a
    return np.array([{formula}], dtype=object)
'''


def own(formula: str, relation: str = ">= 0") -> Target:
    return target_in(OWN.format(formula=formula, relation=relation), "two_scores.py", "margin")


def run_of(target: Target) -> ever._Run:
    variant = target.resolve()
    size = Size.of(variant.claim.system, TWO)
    return ever._Run(variant, size, Solving([ever.Solver("z3"), ever.Solver("cvc5")], float("inf"), 5))


def tried(target: Target, budget: float = 60) -> Attempt:
    return attempt(target, TWO, budget, 5, AboutTrajectories)


@pytest.fixture
def one_round(monkeypatch):
    """Without the candidates of the second round, which take long where nothing is to be found."""
    monkeypatch.setattr(entries, "growing", lambda found: [])


@pytest.mark.parametrize(
    "target", [ORDER, *([Target("polarization.regression_order_is_preserved", "gaps_grow")] if LONG else [])]
)
def test_order_is_preserved_for_ever(target, monkeypatch):
    if not LONG:
        monkeypatch.setattr(ever, "TRAJECTORIES", 0)
    made = attempted(target, TWO, 60, 5)
    assert made.word is ProofStatus.PROVED, made.reason
    assert made.text == "PROVED for all starts and all t > 0, p = 2"
    assert made.decided["faces"] >= 2


FALSE = [own("start.u[0] - start.u[1] - (u - v)")]
if LONG:
    FALSE += [own("b - a"), own("1 - u + start.u[0]"), own("u - v - 1")]


@pytest.mark.parametrize("target", FALSE)
def test_what_is_false_is_not_proved(target, one_round):
    assert tried(target).word is ProofStatus.UNKNOWN


@pytest.mark.skipif(not LONG, reason="takes a minute")
def test_two_trajectory_claims_that_are_false_as_printed_are_not_proved(one_round):
    for name, size in (("score_gaps_grow.score_gap_rate", {"p": 3}), ("weight_gaps_grow.weight_gap_rate", {"p": 3})):
        claim, _, conclusion = name.partition(".")
        made = attempt(Target(f"polarization.{claim}", conclusion), size, 60, 1, AboutTrajectories)
        assert made.word is ProofStatus.UNKNOWN


def test_what_cannot_be_followed_is_said():
    made = attempt(Target("polarization.loss_vanishes", "margin_rate"), TWO, 5, 5, AboutTrajectories)
    assert made.word is ProofStatus.IMPOSSIBLE
    assert "is not followed along a flow" in made.reason


def test_a_spent_budget_is_said():
    made = tried(ORDER, budget=1e-3)
    assert (made.word, "more steps than" in made.reason) == (ProofStatus.UNKNOWN, True)


# ---------------------------------------------------------------------------------------------------------------------
# False for late times alone, where no sample looks: what falls from 100, of slacks that are not what they seem


FALLING = """
from dataclasses import dataclass
import numpy as np
from flint import fmpq
from claims.stating.statement import Assumption, Claim, Conclusion
from dynamics.arithmetic import Array, log, numbers
from dynamics.differentiation import directional_derivative
from dynamics.system import Flow, quantity

@dataclass(frozen=True, eq=False)
class Fall(Flow):
    moving = ("x",)
    x: Array = quantity("n", meaning="numbers", alias="tokens")
    p: Array = quantity("n", meaning="parameters")

    def velocity(self):
        return (0 * self.x - 1,)

def draw(draws):
    return Fall(x=100 + draws.dyadic(1) ** 2, p=1 + draws.dyadic(1) ** 2)

high = Assumption(
    "high", "x >= 100", lambda f: bool((f.x >= 100).all()), restrict=lambda f: f.replace(x=100 + f.x * f.x)
)
claim = Claim(__name__, statement="none", system=Fall, draw=draw, assumptions=(high,))

def _level(of_none):
    def level(v):
        try:
            return of_none(v - 50)
        except (ValueError, ZeroDivisionError):
            return -fmpq(1)
    return lambda x: numbers(np.frompyfunc(level, 1, 1)(x))

def _jump(w):
    try:
        return -w / w
    except ZeroDivisionError:
        return fmpq(1)

def slack(now, start):
    return {formula}

claim.conclusions.append(Conclusion("falls", "trajectory", "{relation}", slack, horizon=lambda start: fmpq(1)))
"""


def falling(formula: str, relation: str, *replaced: tuple[str, str], n: int = 1) -> Attempt:
    source = FALLING.format(formula=formula, relation=relation)
    for right, wrong in replaced:
        assert source.count(right) == 1
        source = source.replace(right, wrong)
    target = target_in(source, "falling.py", "falls")
    target.resolve()  # an attempt takes the errors of a file for its result
    return attempt(target, {"n": n}, 60, 5, AboutTrajectories)


SHRINKS = ("(0 * self.x - 1,)", "(-self.x,)")


@pytest.mark.parametrize(
    ("formula", "relation"),
    [
        ("np.where(now.x > 0, 1, -1) + 0 * now.x", ">= 0"),
        ("np.where(now.x > 0, 1, -1) + 0 * now.x", "> 0"),
        ("_level(lambda v: v / v)(now.x)", ">= 0"),
        ("_level(lambda v: v * v ** -1)(now.x)", ">= 0"),
        ("_level(lambda v: 1 + 0 * log(numbers(v)).item())(now.x)", ">= 0"),
        ("2 * directional_derivative(lambda p: p * now.x, [now.p], [0 * now.p + 1]) - now.x", ">= 0"),
    ],
)
def test_what_fails_late_is_not_proved(formula, relation, one_round):
    made = falling(formula, relation)
    assert made.word in (ProofStatus.UNKNOWN, ProofStatus.IMPOSSIBLE), made.text


@pytest.mark.parametrize("formula", ["now.x * (now.x - 1)", "now.x * (now.x - 1) ** 2", "(now.x - 1) / (1 + now.x ** 2)"])
def test_what_shares_a_factor_with_its_rate_is_no_multiple_of_it(formula, one_round):
    """x' = -x: x is a multiple of its rate and stays positive, and x (x - 1) does not."""
    made = falling(formula, "> 0", SHRINKS)
    assert made.word is ProofStatus.UNKNOWN, made.text


def test_what_may_begin_at_0_does_not_stay_positive(one_round):
    """x' = -x from x >= 0."""
    made = falling("now.x", "> 0", SHRINKS, ("(f.x >= 100).all()", "(f.x >= 0).all()"))
    assert (made.word, "no region shows" in made.reason) == (ProofStatus.UNKNOWN, True), made.text


def test_a_face_is_shown_again_where_the_region_has_lost_an_entry(one_round):
    """p rises while x_0 is above x_1, which it is not for ever: the face of p holds in the larger region alone."""
    changes = (
        ('moving = ("x",)', 'moving = ("x", "p")'),
        ("(0 * self.x - 1,)", "(0 * self.x - numbers(np.array([fmpq(1), fmpq(0)])), 0 * self.p + self.x[0] - self.x[1])"),
        ("(f.x >= 100).all()", "f.x[0] - f.x[1] >= 100 and (f.p >= 1).all()"),
        (
            "f.replace(x=100 + f.x * f.x)",
            "f.replace(x=numbers(np.array([f.x[1] + 100 + f.x[0] ** 2, f.x[1]])), p=1 + f.p ** 2)",
        ),
    )
    made = falling("now.p - fmpq(1, 3)", ">= 0", *changes, n=2)
    assert (made.word, "no region shows" in made.reason) == (ProofStatus.UNKNOWN, True), (made.text, made.reason)


JUMP = "numbers(np.frompyfunc(_jump, 1, 1)(start.x - now.x))"


@pytest.mark.parametrize("relation", [">= 0", "> 0"])
@pytest.mark.parametrize("formula", [f"{JUMP} + start.x - now.x", JUMP, "start.x - now.x - 50"])
def test_what_jumps_at_once_or_begins_below_is_not_proved(formula, relation):
    """1 at the start, then t - 1 or -1; or t - 50: for t > 0 it never falls, which says nothing of where it begins.

    That no trajectory is found to break it is not enough.
    """
    made = falling(formula, relation)
    assert (made.word, "no region shows" in made.reason) == (ProofStatus.UNKNOWN, True), made.text


def test_what_has_fallen_is_proved(one_round):
    assert falling("start.x - now.x", "> 0").word is ProofStatus.PROVED


def test_an_identity_along_a_trajectory_is_refused():
    """For every way to prove an inequality would do for it."""
    with pytest.raises(OwnFileError, match="asked for an inequality"):
        falling("start.x - now.x", "== 0")
    run = run_of(ORDER)
    run.region.inside = run.entries.orders[:1]
    for rule in (STAYS, KNOWN, LEFT, GROWS, NEVER_FALLS):  # all that there are
        with pytest.raises(NoProofError):
            run.region.to_infer(rule, run.entries.orders[0], Relation.ZERO)


def test_nothing_to_compare_is_vacuous():
    assert falling("(now.x - 1000)[..., :0]", "> 0").word is ProofStatus.VACUOUS


def test_entries_of_one_name_are_not_taken_for_each_other():
    run = run_of(ORDER)
    one = Entry("one", lambda now, _: now.u[0] - now.u[0])
    other = Entry("one", lambda now, _: now.u[0] - now.u[1] - 1)
    assert run.holds(begins(one, Relation.NONNEGATIVE))
    assert not run.holds(begins(other, Relation.NONNEGATIVE))


# ---------------------------------------------------------------------------------------------------------------------
# Planted bugs: each would prove too much


def test_a_face_that_is_left_out_is_noticed(monkeypatch, one_round):
    monkeypatch.setattr(ever, "TRAJECTORIES", 0)
    closed = ever._Run._is_closed
    monkeypatch.setattr(
        ever._Run, "_is_closed", lambda self, entry, given: "a: 1 - 0" in entry.name or closed(self, entry, given)
    )
    made = tried(ORDER)
    assert (made.word, made.reason.startswith("face, ")) == (ProofStatus.UNKNOWN, True)


class Heard(Entry):
    """An entry that notes where it is asked for."""

    def at(self, now: object, start: object) -> int:
        HEARD.append(f"{self.name} at {now}, {start}")
        return 1

    def rate(self, now: object, start: object) -> int:
        HEARD.append(f"{self.name}' at {now}, {start}")
        return 1


HEARD: list[str] = []
A, B, C, D, E = (Heard(name, lambda now, start: 0) for name in "abcde")
ALL_KNOWN = "b>=0 c>=0 a>0 d>0"


def of_rules() -> KnownRegion:
    """a is positive by its own rate; b and c stay >= 0; d was found to be > 0."""
    region = KnownRegion(None, [A], [B, C])
    region.inferred = [(KNOWN, D, Relation.POSITIVE), (KNOWN, C, Relation.NONNEGATIVE)]
    return region


RULES = [
    (lambda r: r.to_keep(E), ["multiple: e == 0", "start: e > 0 | e at x_0, x_0"]),
    (
        lambda r: r.to_close(B, [B, C]),
        ["start: b >= 0 | b at x_0, x_0", "affine: b == 0", "face: b' >= 0 if c>=0 a>0 b=0 | b' at x, x_0"],
    ),
    (lambda r: r.to_infer(STAYS, B, Relation.POSITIVE), ["start: b > 0 | b at x_0, x_0"]),
    (lambda r: r.to_infer(STAYS, B, Relation.NONNEGATIVE), []),
    (lambda r: r.to_infer(KNOWN, E, Relation.POSITIVE), [f"known: e > 0 if {ALL_KNOWN} | e at x, x_0"]),
    (lambda r: r.to_infer(KNOWN, E, Relation.NONNEGATIVE), [f"known: e >= 0 if {ALL_KNOWN} | e at x, x_0"]),
    *(
        (
            lambda r, relation=relation: r.to_infer(NEVER_FALLS, E, relation),
            [
                f"start: e {relation.value} | e at x_0, x_0",
                "slope at start: e' == 0 | e' at x_0, x_0",
                f"never falls: e' >= 0 if {ALL_KNOWN} | e' at x, x_0",
            ],
        )
        for relation in (Relation.POSITIVE, Relation.NONNEGATIVE)
    ),
    (
        lambda r: r.to_infer(GROWS, E, Relation.POSITIVE),
        [
            "start: e >= 0 | e at x_0, x_0",
            "slope at start: e' == 0 | e' at x_0, x_0",
            f"grows: e' > 0 if {ALL_KNOWN} | e' at x, x_0",
        ],
    ),
    (
        lambda r: r.to_infer(LEFT, E, Relation.POSITIVE),
        [
            "start: e > 0 | e at x_0, x_0",
            "slope at start: e' == 0 | e' at x_0, x_0",
            f"slope: e' == 0 if {ALL_KNOWN} | e' at x, x_0",
            f"left at once: e' > 0 if {ALL_KNOWN} e=0 | e' at x, x_0",
        ],
    ),
    (lambda r: r.to_infer(LEFT, C, Relation.POSITIVE), ["left at once: c' > 0 if b>=0 a>0 d>0 c=0 | c' at x, x_0"]),
]
"""What each rule asks: a formula or its rate, where, and what is given."""


def written(ask: Ask) -> str:
    if ask.rule in ("multiple", "affine") and not ask.given:  # these look at polynomials
        return f"{ask.rule}: {ask.entry.name} {ask.relation.value}"
    HEARD.clear()
    ask.value("x", "x_0")
    (heard,) = HEARD
    signs = {frozenset({1}): ">0", frozenset({0, 1}): ">=0", frozenset({0}): "=0"}
    given = " ".join(f"{entry.name}{signs[frozenset(one)]}" for entry, one in ask.given)
    of = heard.split()[0]
    return f"{ask.rule}: {of} {ask.relation.value}{' if ' if given else ''}{given} | {heard}"


@pytest.mark.parametrize(("use", "wanted"), RULES)
def test_a_rule_asks_for_all_that_it_needs(use, wanted):
    assert [written(ask) for ask in use(of_rules())] == wanted


@pytest.mark.parametrize("rule", [STAYS, KNOWN, LEFT, GROWS, NEVER_FALLS, "guessed"])
def test_what_a_rule_does_not_say_is_not_inferred(rule):
    unknown = {STAYS: (E,), LEFT: (), GROWS: (), KNOWN: (), NEVER_FALLS: (), "guessed": (B, E)}[rule]
    for entry, relation in product((B, E), Relation):
        if relation is Relation.POSITIVE and entry not in unknown:
            continue
        if relation is Relation.NONNEGATIVE and entry not in unknown and rule not in (LEFT, GROWS):
            continue
        with pytest.raises(NoProofError):
            of_rules().to_infer(rule, entry, relation)


def test_a_rate_is_a_multiple_at_every_state_and_not_at_the_start_alone(monkeypatch):
    monkeypatch.setattr(rules, "_remainder", lambda *given: given)
    entry = Entry("e", lambda now, start: now)
    factor, _ = KnownRegion(None).to_keep(entry)  # type: ignore[arg-type]
    assert factor.value("now", "start") == (entry, "now", "start")


def test_what_is_known_shows_what_it_shows():
    region = of_rules()
    shown = {entry.name for entry in (A, B, C, D, E) if region.shows(entry, Relation.POSITIVE)}
    weakly = {entry.name for entry in (A, B, C, D, E) if region.shows(entry, Relation.NONNEGATIVE)}
    assert (shown, weakly) == ({"a", "d"}, {"a", "c", "d"})
    assert not region.shows(C, Relation.ZERO)


def asked(told: dict[str, object]) -> list[tuple[str, str]]:
    variant = ORDER.resolve()
    size = Size.of(variant.claim.system, TWO)
    return [(ask.rule, ask.entry.name) for ask in needed(told, Entries(variant, size), ever.moments_of(size))]


def test_a_region_asks_for_starts_and_faces_of_all_its_entries_and_the_end_for_all_of_the_conclusion():
    up, down = "u: 0 - 1 along axis 0, 0", "a: 0 - 1 along axis 0, 0"
    told = {"counts": {ORDER.conclusion: 1}, "kept": [], "inside": [up, down]}
    own = f"{ORDER.conclusion} 0"
    told["inferred"] = [[KNOWN, own, "> 0"]]
    wanted = [(rule, name) for name in (up, down) for rule in ("start", "affine", "face")]
    assert asked(told) == [("smooth", "field"), *wanted, (KNOWN, own), ("1 entries", ORDER.conclusion)]
    bad = [
        *({"inferred": given} for given in ([], [[KNOWN, up, "> 0"]], [[STAYS, own, "> 0"]], [["guessed", own, "> 0"]])),
        *({"inferred": given} for given in ([[KNOWN, own, ">= 0"]], [[GROWS, own, ">= 0"]], [[KNOWN, own]], [[]], 1)),
        *({"counts": given} for given in ({}, {ORDER.conclusion: 0}, {ORDER.conclusion: "1"}, {"another": 1}, [])),
        *({name: ["nobody"]} for name in ("kept", "inside")),
        {"more": 1},
    ]
    for change in bad:
        with pytest.raises(NoProofError):
            asked(told | change)


def test_what_is_known_says_so_only_of_what_was_inferred_before():
    run = run_of(ORDER)
    one, other, third = run.entries.orders[:3]
    region = KnownRegion(run.moments, [one], [one, other])
    assert region.known == ((other, rules.AT_LEAST), (one, rules.POSITIVE))
    region.inferred = [(KNOWN, other, Relation.POSITIVE), (KNOWN, third, Relation.NONNEGATIVE)]
    assert region.known == ((one, rules.POSITIVE), (other, rules.POSITIVE))
    assert not region.shows(third, Relation.POSITIVE)
    *_, falls = region.to_infer(LEFT, other, Relation.POSITIVE)
    assert (other, rules.POSITIVE) not in falls.given
    assert [ask.rule for ask in region.to_infer(LEFT, third, Relation.POSITIVE)][:2] == ["start", "slope at start"]


def test_a_rate_of_the_wrong_sign_is_noticed(monkeypatch, one_round):
    """Of all entries alike: only trajectories show it."""
    rate = Entry.rate
    monkeypatch.setattr(Entry, "rate", lambda self, now, start: -rate(self, now, start))
    made = tried(own("b - a"))
    assert (made.word, "a trajectory that breaks it" in made.reason) == (ProofStatus.UNKNOWN, True)


def test_a_derivative_of_the_wrong_sign_is_noticed(monkeypatch, one_round):
    """On symbols alone: power series of balls show it."""
    monkeypatch.setattr(AboutTrajectories, "follow_some", lambda _: None)
    grown = MovingSymbol.exp

    def turned(self):
        one = _slope(grown(self))
        return _moving(one.value, -one.slope, one.mark)

    monkeypatch.setattr(MovingSymbol, "exp", turned)
    made = tried(own("*(exp(start.u[:1] - start.u[1:]) - exp(now.u[:1] - now.u[1:]))"))
    assert (made.word, "disagree" in made.reason) == (ProofStatus.UNKNOWN, True)


def test_a_hypothesis_that_is_negated_twice_is_noticed(monkeypatch, one_round):
    of_start = moments._of_start

    def negated(one):
        found = of_start(one)
        satisfies = found.satisfies
        if one.name == "ordered_values":
            object.__setattr__(found, "satisfies", lambda moment: not satisfies(moment))
        return found

    monkeypatch.setattr(moments, "_of_start", negated)
    made = tried(own("v - u"))
    assert (made.word, "disagree" in made.reason) == (ProofStatus.UNKNOWN, True)


def test_an_entry_that_is_not_affine_bounds_no_region():
    run = run_of(own("(u - v) * (u - v)"))
    (entry,) = run.entries_of(run.variant.conclusion)
    assert not run._is_closed(entry, ())
    with pytest.raises(NoProofError):
        run.entries_of(own("u] if u > 0 else [u, v").resolve().conclusion)


AFFINE = ["u - 3 * start.u[0]", "u / (1 + start.u[0] ** 2) - b", "a + start.u[0] * start.u[0]"]
CURVED = ["u * v", "u * u - u", "1 / (1 + u * u)", "u / (1 + v * v)"]
CURVED += [f"*({one})" for one in ("exp(now.u[:1])", "1 + now.u[:1] - exp(now.u[:1])", "exp(now.u[:1] / start.u[:1])")]
CURVED += [
    f"*({one})" for one in ("sqrt(1 + now.u * now.u)[:1]", "log(1 + now.u * now.u)[:1]", "start.u[:1] * exp(now.a[:1])")
]


@pytest.mark.parametrize("formula", AFFINE + CURVED)
def test_what_is_affine_is_so_in_what_moves(formula):
    """Where an entry is curved its rate on the face says nothing of what is beyond: x^3 rests at 0."""
    run = run_of(own(formula))
    (entry,) = run.entries_of(run.variant.conclusion)
    assert run.holds(run.region._affine(entry)) is (formula in AFFINE)


def test_entries_that_are_not_counted_are_noticed():
    run = run_of(own("u - u, v - v"))
    whole = Entry("margin", run.variant.conclusion.slack)
    assert [run.holds(run.region.to_count(whole, number)) for number in (1, 2, 3)] == [False, True, False]


def test_a_sign_is_kept_where_the_rate_is_a_multiple():
    run = run_of(Target("polarization.regression_order_is_preserved", "gamma_stays_positive"))
    (gamma,) = run.entries_of(run.variant.conclusion)
    assert run.holds(*run.region.to_keep(gamma))
    assert not run.holds(run.region.to_keep(run.entries.orders[0])[0])


def test_a_solver_that_contradicts_the_other_ends_the_attempt(monkeypatch):
    confirm, said = Solving.confirm, Solving([Told("unsat", "z3"), Told("sat")], float("inf"), 1)
    monkeypatch.setattr(Solving, "confirm", lambda self, made, _, end: confirm(said, made, {"": "z3"}, end))
    with pytest.raises(proof.ContradictionError):
        falling("start.x - now.x", "> 0")


def test_a_solver_that_finds_a_solution_is_not_overruled():
    for words, impossible in (
        *((("sat", "unsat"), False), (("unknown", "unsat"), True), (("unknown", "unknown"), False)),
        (("unknown", "sat", "unsat"), False),
    ):
        solving = Solving([Told(word) for word in words], float("inf"), 1)
        assert (solving.decide("").word == "unsat") is bool(solving.known) is impossible, words
