"""The falsehoods that hunts are measured on are falsehoods: each has an instance that is decided again."""

import sys
from pathlib import Path

import pytest
from flint import fmpq

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import falsehoods

from claims.stating.statement import Form

NAMES = [str(falsehood) for falsehood in falsehoods.FALSEHOODS]


@pytest.mark.parametrize("falsehood", falsehoods.FALSEHOODS, ids=NAMES)
def test_its_instance_is_a_counterexample(falsehood):
    assert falsehoods.certifies(falsehood.resolve(), falsehood.instance())


def test_they_are_many_and_graded():
    chances = [falsehood.chance for falsehood in falsehoods.FALSEHOODS]
    assert len(NAMES) == len(set(NAMES)) >= 48
    assert sum(chance < 5e-4 for chance in chances) >= len(chances) // 3
    assert sum(5e-4 <= chance < 0.05 for chance in chances) >= len(chances) // 4
    assert sum(chance >= 0.05 for chance in chances) >= len(chances) // 6


def test_every_paper_and_form_is_among_them():
    quarries = [falsehood.resolve() for falsehood in falsehoods.FALSEHOODS]
    assert {variant.claim.paper.key for variant in quarries} == {"clusters", "frank_wolfe", "localmax", "polarization"}
    forms = {variant.conclusion.form for variant in quarries}
    assert forms == {Form.STATE, Form.STEP, Form.IDENTITY, Form.TRAJECTORY, Form.RATE}


@pytest.mark.parametrize("falsehood", falsehoods.FALSEHOODS, ids=NAMES)
def test_loosened_assumptions_leave_what_satisfies_them(falsehood):
    """A restriction that moved its own results would hand other methods other instances than it says."""
    system = falsehood.instance()
    for assumption in falsehood.changed:
        moved = assumption.restrict(system)
        assert assumption.satisfies(moved)
        assert all((getattr(moved, name) == array).all() for name, array in system.arrays().items())


def test_a_true_statement_is_certified_by_none_of_the_instances():
    """The instance of a weakened assumption is no counterexample to the claim as it stands."""
    for falsehood in falsehoods.FALSEHOODS:
        true = falsehood.target.resolve()
        # With a sharpened constant what is left is false, too, whatever the hypotheses are.
        if falsehood.changed and not falsehood.target.sharpened and true.claim.standing == "true":
            assert not falsehoods.certifies(true, falsehood.instance())


def test_identity_robustness_is_its_largest_defect():
    variant = next(f.resolve() for f in falsehoods.FALSEHOODS if f.resolve().conclusion.form is Form.IDENTITY)
    values = falsehoods.robustness(variant.conclusion, falsehoods.np.array([[0.0, 1e-3], [0.0, 0.0]]))
    assert [falsehoods.falsified(variant.conclusion, value) for value in values] == [True, False]


def test_spaced_numbers_keep_their_distance():
    numbers = falsehoods.np.array([fmpq(0), fmpq(5), fmpq(1)], dtype=object)
    assert falsehoods._spaced(numbers, fmpq(1, 2)).tolist() == [fmpq(11, 2), 5, 1]
