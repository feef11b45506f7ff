"""Constants that are known, and constants made too good or too weak: each gets the word that it deserves."""

from fractions import Fraction

import pytest
from flint import fmpq

from claims.sharpening.brackets import bracket, guess, rounded_down, spec_of
from claims.sharpening.constants import Word, in_words, value_of
from claims.sharpening.forcing import NoConstantError, constants_of, rounded_up
from claims.target import Target
from dynamics.arithmetic import rational
from tests.planting import one_in

OWN = '''"""Inequalities between two numbers, with constants that are known."""

from dataclasses import dataclass
from claims import Assumption, Claim
from dynamics import System, quantity


@dataclass(frozen=True)
class Pair(System):
    """Numbers x_1, ..., x_n and a number a."""

    x: object = quantity("n", meaning="numbers")
    a: object = quantity(meaning="a number")


def near(f):
    return f.replace(a=f.a * f.a / (1 + f.a * f.a))


part = Assumption("part", "0 <= a < 1", satisfies=lambda f: 0 <= f.a.item() < 1, restrict=near)

def draw(draws):
    return Pair(x=draws.dyadic(draws.integer(2, 4)), a=draws.dyadic())


claim = Claim(__name__, statement="Known inequalities.", system=Pair, assumptions=(part,), draw=draw)


@claim.state(">= 0")
def squares(f, *, factor=2):
    """x_1^2 + x_n^2 - factor x_1 x_n, sharp where both are equal."""
    return f.x[..., 0] ** 2 + f.x[..., -1] ** 2 - factor * f.x[..., 0] * f.x[..., -1]


@claim.state(">= 0")
def mean(f, *, share=1):
    """n (x_1^2 + ... + x_n^2) - share (x_1 + ... + x_n)^2."""
    n = f.x.shape[-1]
    return n * (f.x * f.x).sum(axis=-1) - share * f.x.sum(axis=-1) ** 2


@claim.state(">= 0")
def never(f, *, most=1):
    """most - a, sharp as a -> 1, which no instance is."""
    return most - f.a


@claim.state(">= 0")
def loose(f, *, most=3):
    """most - a^2, improvable."""
    return most - f.a * f.a


@claim.state(">= 0")
def idle(f, *, c=1):
    """c has no bearing."""
    return f.a * f.a + 0 * c


@claim.identity()
def same(f, *, c=1):
    """c a - a."""
    return c * f.a - f.a
'''


def bracketed(conclusion, name, value=None, starts=400, source=OWN, **more):
    sharpened = () if value is None else ((name, str(value)),)
    target = Target("known", conclusion, (), sharpened, "known.py", source)
    return bracket(spec_of(target, name, 0, starts, **more))


def test_a_constant_that_is_attained_is_sharp():
    found = bracketed("squares", "factor")
    assert (found["word"], found["attained"], found["stronger"], found["sides"]) == (Word.SHARP, True, "larger", 2)
    assert 2 < rational(found["refuted"]) <= fmpq(2001, 1000)
    assert found["forced"] == "2"
    assert found["certificate"]["constants"]["factor"] == {"value": found["refuted"], "printed": "2"}
    assert set(found["by_size"]) >= {"n=2", "n=3"}
    assert in_words(found) == "sharp: it is attained"


def test_a_constant_that_only_a_limit_attains_is_told_with_its_sequence():
    found = bracketed("never", "most")
    assert found["word"] in (Word.IN_THE_LIMIT, Word.SHARP)
    assert not found.get("attained")
    assert fmpq(999, 1000) <= rational(found["refuted"]) < 1


@pytest.mark.parametrize(("name", "value"), [("factor", "206/100"), ("factor", "2001/1000")])
def test_a_constant_that_is_too_good_is_refuted_as_it_stands(name, value):
    found = bracketed("squares", name, value)
    assert found["word"] == Word.REFUTED
    assert rational(found["refuted"]) == rational(value)
    assert rational(found["slack"]) < 0


def test_a_constant_that_is_too_weak_is_improved_by_a_proof():
    pytest.importorskip("z3")
    found = bracketed("squares", "factor", "194/100")
    assert found["word"] == Word.IMPROVABLE
    assert fmpq(194, 100) < rational(found["proved"]["value"]) < 2 <= rational(found["refuted"]) < fmpq(201, 100)
    assert value_of(found) == f"{found['proved']['value']} .. {found['refuted']}"
    assert found["proved"]["for_all"]
    found = bracketed("loose", "most")
    assert found["word"] == Word.IMPROVABLE
    assert 1 <= rational(found["proved"]["value"]) < 3


def test_a_constant_without_a_bracket_says_why():
    for conclusion, reason in (("idle", "no bearing"), ("same", "identity")):
        found = bracketed(conclusion, "c")
        assert (found["word"], reason in found["reason"]) == (Word.NONE, True)
        assert "refuted" not in found


def test_only_instances_of_the_size_asked_for_are_looked_at():
    found = bracketed("mean", "share", size={"n": 3}, starts=600)
    assert set(found["by_size"]) == {"n=3"}
    assert found["size"] == "n=3"


def test_the_same_work_gives_the_same_bracket():
    first, second = bracketed("mean", "share"), bracketed("mean", "share")
    assert first == second


def test_the_way_that_is_stronger_is_found():
    target = Target("known", "loose", (), (), "known.py", OWN)
    (constant,) = constants_of(target, "most", [0])
    assert (constant.way, constant.unit, constant.whole) == (-1, 3, False)
    assert constant.stronger(fmpq(1, 3)) == 2
    both = constants_of(Target("known", "squares", (), (), "known.py", OWN), "factor", [0])
    assert [one.way for one in both] == [1, -1]
    with pytest.raises(NoConstantError, match="no bearing"):
        constants_of(Target("known", "idle", (), (), "known.py", OWN), "c", [0])


def test_rounding_is_upwards_for_refuted_values_and_downwards_for_proved_ones():
    assert rounded_up(0.0123) == fmpq(13, 1000)
    assert rounded_up(123.4) == 130
    for room in (fmpq(1, 3), fmpq(7, 2), fmpq(1, 1000), fmpq(123456, 7)):
        assert 0 < rounded_down(room) <= room < 10 * rounded_down(room)


def test_a_guess_agrees_with_every_length():
    values = {n: Fraction(n - 1, n + 1) for n in (2, 3, 4, 5)}
    assert guess(values) == "(1 n + -1) / (1 n + 1)"
    assert guess(values | {6: Fraction(1, 2)}) is None
    assert guess({n: Fraction(1, n) for n in (2, 3, 4)}) is None


PLANTED = (
    ("localmax.norms_grow_under_hardmax", "norms_grow_by_the_move", "share", 1),
    ("clusters.hull_shrinks", "edges_move_inward", "room", 1),
    ("localmax.hull_shrinks", "new_tokens_stay_in_hull", "room", 1),
)
"""Sharp constants of true claims, with the way that makes them stronger."""


@pytest.mark.parametrize(("claim", "conclusion", "name", "_"), one_in(3, PLANTED), ids=str)
def test_constants_of_true_claims_made_too_good_are_refuted(claim, conclusion, name, _):
    target = Target(claim, conclusion)
    found = bracket(spec_of(target, name, 0, 400))
    way = 1 if found["stronger"] == "larger" else -1
    value = rational(found["value"])
    better = value + way * (abs(value) if value != 0 else 1) * fmpq(3, 100)
    planted = bracket(spec_of(Target(claim, conclusion, (), ((name, str(better)),)), name, 0, 2000))
    assert planted["word"] == Word.REFUTED
