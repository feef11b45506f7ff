"""Falsehoods of graded difficulty, planted in the claims: what a hunt for counterexamples is measured on.

Each is a true claim made false, or a statement that is false as printed:

*sharpened*  a constant of the statement replaced by one that is too good, by a factor, by 10%, by 1% or by 0.1%;
*dropped*    an assumption is broken by every instance;
*weakened*   an assumption is loosened by a little, so that the statement fails only on a small set near the old one;
*added*      a true hypothesis is added that keeps away from the degenerate starts where the falsehood is easy.

``falsehoods.json`` keeps for each a violating instance, exactly, and the chance that a start drawn at random violates it:
the difficulty is measured, not guessed. ``python benchmarks/falsehoods.py`` measures again and writes that file. The
instances of the hardest were found by longer searches, or by hand.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from flint import fmpq

from claims.instances.drawing import draw_freely
from claims.instances.draws import BatchDraws
from claims.instances.files import read_instance
from claims.polarization.setting.scores import comonotone, small_descent_step, two_columns
from claims.stating.assumptions import identity_key_query, identity_value, symmetric_key_query
from claims.stating.matrices import eye_like
from claims.stating.statement import Assumption, Conclusion, Relation, is_costly
from claims.stating.verdict import Outcome
from claims.targets.target import Target, Variant
from claims.verifying.deciding import check
from dynamics.arithmetic import Array, fraction
from dynamics.system import System

RECORDS = Path(__file__).with_name("falsehoods.json")

# What a formula raises where it has no value, as it may without an assumption.
NO_VALUE = (ArithmeticError, AttributeError, IndexError, TypeError, ValueError)

PATH_NOISE = 1e-8  # what a float64 trajectory may be wrong by: each doubtful one costs a certified trajectory
IDENTITY_NOISE = 1e-9  # what rounding leaves of a defect that is zero


@dataclass(frozen=True)
class Falsehood:
    """A target, with assumptions that replace those of the same name or, where there is none, are added."""

    target: Target
    changed: tuple[Assumption, ...] = ()

    def __str__(self) -> str:
        where = "; ".join(assumption.statement for assumption in self.changed)
        return f"{self.target} where {where}" if where else str(self.target)

    @property
    def chance(self) -> float | None:
        """How often a start drawn at random violates it, as it was measured."""
        return records().get(str(self), {}).get("chance")

    @property
    def chance_shown(self) -> str:
        """The chance as a table shows it."""
        measured = records().get(str(self))
        if measured is None:
            return "?"
        return f"{measured['chance']:.1g}" if measured["chance"] else f"<{3 / measured['starts']:.0g}"

    def instance(self) -> System:
        """The violating instance that is kept with the list."""
        (system,) = read_instance(json.dumps(records()[str(self)]["instance"]))[:1]
        return system

    def resolve(self) -> Variant:
        """The claim, the conclusion with these assumptions and constants, and the assumptions dropped."""
        variant = self.target.resolve()
        by_name = {a.name: a for a in (*variant.claim.assumptions_of(variant.conclusion), *self.changed)}
        return replace(variant, conclusion=replace(variant.conclusion, assuming=tuple(by_name.values())))


@cache
def records() -> dict[str, dict[str, Any]]:
    """What was measured of each falsehood, by its name."""
    return {record["falsehood"]: record for record in json.loads(RECORDS.read_text(encoding="utf-8"))}


# ---------------------------------------------------------------------------------------------------------------------
# Assumptions loosened by a little. Each restricts by moving a number no further than it must, in any arithmetic.


def _like(value: fmpq, numbers: Array) -> Any:
    return value if numbers.dtype == object else float(fraction(value))


def _within(middle: Array, values: Array, room: fmpq) -> Array:
    """The values moved into [middle - room, middle + room]."""
    by = _like(room, values)
    return np.asarray(np.maximum(middle - by, np.minimum(middle + by, values)))


def _near_identity(assumption: Assumption, field: str, room: fmpq) -> Assumption:
    def off(system: Any) -> Array:
        matrix = getattr(system, field)
        return np.asarray(abs(matrix - eye_like(matrix)))

    def restrict(system: Any) -> Any:
        matrix = getattr(system, field)
        return system.replace(**{field: _within(eye_like(matrix), matrix, room)})

    return replace(
        assumption,
        statement=f"|{field} - I| <= {room} entry by entry",
        satisfies=lambda system: bool((off(system) <= room).all()),
        restrict=restrict,
        violate=None,
    )


def near_identity_key_query(room: fmpq) -> Assumption:
    """Q^T K is the identity up to `room` in every entry."""
    return _near_identity(identity_key_query, "B", room)


def near_identity_value(room: fmpq) -> Assumption:
    """V is the identity up to `room` in every entry."""
    return _near_identity(identity_value, "V", room)


def near_symmetric_key_query(room: fmpq) -> Assumption:
    """Q^T K is symmetric up to `room` in every entry."""

    def restrict(system: Any) -> Any:
        B = system.B
        mean = (B + B.swapaxes(-1, -2)) / 2
        return system.replace(B=_within(mean, B, room / 2))  # two entries differ by twice what each is off their mean

    return replace(
        symmetric_key_query,
        statement=f"|B - B^T| <= {room} entry by entry",
        satisfies=lambda system: bool((abs(system.B - system.B.T) <= room).all()),
        restrict=restrict,
        violate=None,
    )


def _spaced(values: Array, gap: fmpq) -> Array:
    """The numbers raised, where they must, until each is at least `gap` above the next."""
    steps = np.arange(values.shape[-1] - 1, -1, -1).astype(values.dtype) * _like(gap, values)
    level = np.maximum.accumulate((values - steps)[..., ::-1], axis=-1)[..., ::-1]
    return np.asarray(level + steps)


def spaced(gap: fmpq) -> Assumption:
    """Values and scores in order, neighbours at least `gap` apart: away from ties."""
    return replace(
        comonotone,
        name="spaced",
        statement=f"a_i >= a_(i+1) + {gap} and u_i >= u_(i+1) + {gap}",
        satisfies=lambda f: bool((_spaced(f.a, gap) == f.a).all() and (_spaced(f.u, gap) == f.u).all()),
        restrict=lambda f: f.replace(a=_spaced(f.a, gap), u=_spaced(f.u, gap)),
        violate=None,
    )


def small_descent_step_up_to(most: fmpq) -> Assumption:
    """The step is at most `most` over the spread of the values; the paper's order needs 4."""

    def restrict(f: Any) -> Any:
        spread = f.rate * (f.u[..., 0] - f.u[..., -1])
        limit = _like(most, spread)
        shorter = f.rate * limit / np.where(spread > 0, spread, 1)  # NumPy divides in all rows, chosen or not
        return f.replace(rate=np.where(spread <= limit, f.rate, shorter))

    return replace(
        small_descent_step,
        statement=f"rate (u_0 - u_(p-1)) <= {most}",
        satisfies=lambda f: bool(f.rate.item() * (f.u[0] - f.u[-1]) <= most),
        restrict=restrict,
        violate=None,
    )


def spaced_scores(gap: fmpq) -> Assumption:
    """Scores in order, neighbours at least `gap` apart: away from ties."""
    return Assumption(
        "spaced_scores",
        f"a_i >= a_(i+1) + {gap}",
        satisfies=lambda f: bool((_spaced(f.a, gap) == f.a).all()),
        restrict=lambda f: f.replace(a=_spaced(f.a, gap)),
    )


# ---------------------------------------------------------------------------------------------------------------------
# What counts as a find


def robustness(conclusion: Conclusion, slacks: Array) -> Array:
    """The least slack of each member, shape (batch,), from slacks (batch, k); of an identity minus its largest defect.

    NaN where no slack has a value.
    """
    signed = -abs(slacks) if conclusion.relation is Relation.ZERO else slacks
    if signed.shape[1] == 0:
        return np.full(len(signed), np.nan)
    least = np.where(np.isnan(signed), np.inf, signed).min(axis=1)
    # A row of which no slack has a value is left at +inf, the neutral of the minimum.
    return np.where(np.isinf(least) & (least > 0), np.nan, least)


def falsified(conclusion: Conclusion, value: float) -> bool:
    """Whether float64 says that the conclusion fails: what it says so of is put to the exact arithmetic."""
    if conclusion.relation is Relation.ZERO:
        return bool(value < -IDENTITY_NOISE)
    if is_costly(conclusion):
        return bool(value < -PATH_NOISE)
    return bool(value <= 0 if conclusion.relation is Relation.POSITIVE else value < 0)


def certifies(variant: Variant, system: System) -> bool:
    """Whether the exact instance is a counterexample: kept assumptions hold, dropped ones do not, the conclusion fails."""
    # In this order: to decide the conclusion costs most.
    try:
        if not all(a.satisfies(system) for a in variant.kept) or any(a.satisfies(system) for a in variant.without):
            return False
        return check(variant.conclusion, system).outcome is Outcome.VIOLATED
    except NO_VALUE:
        return False


def exactly_within(variant: Variant, system: System) -> System:
    """An exact row of a float64 batch, restricted once more where rounding has left an assumption."""
    for assumption in variant.kept:
        if not assumption.satisfies(system):
            system = assumption.restrict(system)
    return system


# ---------------------------------------------------------------------------------------------------------------------
# The list


def _false(claim: str, conclusion: str, *changed: Assumption, dropped: str = "", **sharpened: str) -> Falsehood:
    without = (dropped,) if dropped else ()
    return Falsehood(Target(claim, conclusion, without, tuple(sharpened.items())), changed)


def _clusters() -> list[Falsehood]:
    apart, growing = "clusters.pairwise_distances_grow", "separation_rate"
    definite = "clusters.euclidean_distances_grow_under_definite_scores"
    scored = ("clusters.key_query_distances_grow", "key_query_separation_rate")
    return [
        _false(apart, growing, dropped="identity_value"),
        _false("clusters.half_space_distance_grows", "nearest_tokens_recede", near_identity_value(fmpq(1, 256))),
        _false("clusters.hull_shrinks", "edges_move_inward", room="999/1000"),
        _false(definite, growing),
        *(_false(definite, growing, near_identity_key_query(fmpq(1, k))) for k in (4, 16, 64, 256)),
        *(_false(apart, growing, near_identity_key_query(fmpq(1, k))) for k in (4, 16, 64, 256)),
        *(_false(apart, growing, near_identity_value(fmpq(1, k))) for k in (4, 16, 64, 256)),
        _false(*scored, dropped="symmetric_key_query"),
        *(_false(*scored, near_symmetric_key_query(fmpq(1, k))) for k in (4, 32, 256, 2048)),
    ]


def _steps() -> list[Falsehood]:
    frank_wolfe = ("frank_wolfe.hardmax_step_is_frank_wolfe", "difference_of_steps")
    small_steps = ("polarization.descent_preserves_order_in_small_steps", "scores_stay_ordered")
    return [
        _false("localmax.hull_shrinks", "supports_contract", keep="1001/1000"),
        _false("frank_wolfe.hull_shrinks", "supports_contract", dropped="scalar_step"),
        _false(*frank_wolfe, dropped="averaged_leaders"),
        *(_false(*frank_wolfe, near_symmetric_key_query(fmpq(1, k))) for k in (64, 1024, 2**20)),
        _false(*small_steps, dropped="small_descent_step"),
        *(_false(*small_steps, small_descent_step_up_to(fmpq(k))) for k in (14, 12, 10)),
        _false("polarization.descent_keeps_the_leader", "lead_grows_in_one_step", share="1001/1000"),
    ]


def _states() -> list[Falsehood]:
    divergence = ("polarization.kl_of_logits_is_like_regression", "divergence_is_at_most_chi_square")
    decay = ("polarization.kl_of_logits_is_like_regression", "loss_decay_rate")
    linear = ("polarization.loss_decreases_at_gradient_rate", "loss_decay")
    cube = ("polarization.cube_map_polarises", "total_is_bounded")
    above = ("polarization.above_average_values_gain_weight", "weight_rate_at_comonotone_states")
    relu = ("polarization.normalised_relu_becomes_one_hot", "last_score_falls")
    root = ("polarization.three_halves_map_becomes_one_hot", "last_score_falls")
    return [
        *(_false(*divergence, most=most) for most in ("3/4", "31/40", "4/5", "9/10", "99/100", "999/1000")),
        *(_false(*decay, rate=rate) for rate in ("11/10", "1001/1000", "10001/10000")),
        _false(*decay, spaced_scores(fmpq(1, 16)), rate="1001/1000"),
        _false(*decay, spaced_scores(fmpq(1, 4)), rate="102/100"),
        _false(*linear, two_columns, spaced_scores(fmpq(1, 4)), rate="102/100"),
        *(_false(*cube, most=most) for most in ("9/10", "999/1000", "99999/100000", "999999/1000000")),
        _false(*above),
        _false(*above, spaced(fmpq(2))),
        _false(*relu, spaced(fmpq(1, 4)), speed="1001/1000"),
        _false(*root, spaced(fmpq(1, 4)), speed="1003/1000"),
        _false(*root, dropped="positive_scores"),
        _false("polarization.first_of_two_causal_tokens_wins", "second_row_turns_little", dropped="causal_rows"),
        _false("polarization.second_token_keeps_causal_rows", "hold_grows", dropped="held_by_second_token"),
        _false("polarization.regression_clock_is_finite", "limit_is_below_length", most="999/1000"),
        _false("polarization.leading_gap_speed", "gap_speed_lower_bound", rate="1335/1000"),
    ]


def _paths() -> list[Falsehood]:
    speeding = ("polarization.losing_scores_decay_quadratically", "inverse_ratio_speeds_up")
    return [
        *(_false(*speeding, K_factor=factor) for factor in ("2", "5/4", "11/10")),
        _false("polarization.losing_mass_is_bounded_both_ways", "mass_stays", share="1/2"),
        _false("polarization.regression_order_is_preserved", "gamma_stays_positive", most="11/10"),
        _false("polarization.stopping_loss_leaves_mass", "mass_left_at_margin", longest="1/4"),
        _false("polarization.score_gaps_grow", "score_gap_rate"),
        _false("clusters.pairwise_distances_grow", "distances_grow_at_every_time", near_identity_key_query(fmpq(1, 2))),
    ]


FALSEHOODS: tuple[Falsehood, ...] = (*_clusters(), *_steps(), *_states(), *_paths())


# ---------------------------------------------------------------------------------------------------------------------
# Measuring them


def measured(falsehood: Falsehood, starts: int, seconds: float) -> dict[str, Any]:
    """The record of a falsehood: its chance among at most so many starts, and the shortest violating instance known.

    The chance is that of a float64 violation times the share of them that is certified, of those that are tried.
    """
    from claims.hunting.margins import margins  # noqa: PLC0415 -- reading the list takes none of it

    variant = falsehood.resolve()
    costly = is_costly(variant.conclusion)
    batch, tried = (32, 6) if costly else (250, 300)  # certifying a trajectory takes seconds
    began, seen, sample = time.perf_counter(), 0, []
    violating = 0
    rng = np.random.default_rng(0)
    while seen < (starts // 100 if costly else starts) and time.perf_counter() - began < seconds:
        draws = BatchDraws(np.random.default_rng([1, seen]), costly, seen // batch, batch=batch)
        systems = draw_freely(variant.claim, variant.conclusion, draws, variant.without)
        values = robustness(variant.conclusion, margins(variant.conclusion, systems))
        seen += batch
        # A sample of the violations, each as likely to be in it as any other: only so many can be certified.
        for index in np.flatnonzero([falsified(variant.conclusion, value) for value in values]):
            violating += 1
            place = len(sample) if len(sample) < tried else int(rng.integers(violating))
            if place < tried:
                sample[place : place + 1] = [exactly_within(variant, systems.row(int(index)))]
    certified = [system.to_json() for system in sample if certifies(variant, system)]
    known = records().get(str(falsehood), {}).get("instance")
    shortest = min([*certified, *([known] if known else [])], key=lambda data: len(str(data)), default=None)
    chance = violating / seen * len(certified) / max(1, len(sample))
    return {
        "falsehood": str(falsehood),
        "form": variant.conclusion.form.value,
        "starts": seen,
        "chance": float(f"{chance:.3g}"),
        "instance": shortest,
    }


def main() -> None:
    """Measure every falsehood, and write what was found."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--starts", type=int, default=100_000, help="for trajectories a hundredth")
    parser.add_argument("--seconds", type=float, default=20, help="at most, for each")
    options = parser.parse_args()
    found = []
    for falsehood in FALSEHOODS:
        found.append(measured(falsehood, options.starts, options.seconds))
        print(f"{found[-1]['chance']:.1e}  {falsehood}", flush=True)
    RECORDS.write_text("[\n" + ",\n".join(map(json.dumps, found)) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
