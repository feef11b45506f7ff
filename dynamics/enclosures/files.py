"""Certified trajectories written to files and read from them: docs/counterexamples.md describes the format."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from flint import arb, fmpq

import dynamics.tokens.self_attention
import dynamics.training.value_softmax  # noqa: F401 -- the flows that a file may name
from dynamics.arithmetic import fraction, rational, working_precision
from dynamics.checker.trajectory_format import BOUNDS, Certificate, CertificateError, Decided, StepRecord, dump, load
from dynamics.system import Flow
from dynamics.trusted.taylor import CertifiedStep
from dynamics.trusted.trajectory import Trajectory


def write_trajectory(trajectory: Trajectory, path: str | Path, decided: Sequence[Decided] = ()) -> None:
    """Write a trajectory as a certificate, with verdicts on slacks if any. Raises ValueError as :func:`as_certificate`."""
    dump(as_certificate(trajectory, decided), path)


def read_trajectory(source: str | Path | dict[str, Any]) -> Trajectory:
    """The trajectory of a certificate, from a file or from data as `json` reads them. Reading certifies nothing.

    Raises CertificateError, naming the field that is wrong, also if no imported flow has the system's name.
    """
    return as_trajectory(load(source))


def up_to(trajectory: Trajectory, time: fmpq) -> Trajectory:
    """The steps of a trajectory that are needed to reach a time. Raises ValueError for one that it does not reach."""
    if not 0 <= time <= trajectory.horizon:
        raise ValueError(f"time {time} is outside [0, {trajectory.horizon}]")
    count = max(1, next(k for k, reached in enumerate(trajectory.times) if reached >= time))
    return replace(trajectory, times=trajectory.times[: count + 1], steps=trajectory.steps[:count])


def as_certificate(trajectory: Trajectory, decided: Sequence[Decided] = ()) -> Certificate:
    """The certificate of a trajectory: all its numbers exactly.

    The first step starts at the exact instance and clocks run exactly: where the trajectory carries these as balls, the
    certificate names the member that is meant. Raises ValueError when a ball does not contain it, or for another
    coefficient that is no exact number.
    """
    origin = trajectory.origin
    start = [fraction(rational(entry)) for name in origin.moving for entry in getattr(origin, name).flat]
    blocks = origin.blocks()
    steps = []
    for k, (begin, step) in enumerate(zip(trajectory.times, trajectory.steps, strict=False)):
        polynomials = []
        for i, row in enumerate(step.polynomials):
            where = f"step {k}, coordinate {i}"
            # What has no weight is a clock, which runs at its speed from the exact start, and carries no error.
            if step.weights[i].is_zero():
                speed = _exact(row[1], where) if len(row) > 1 else Fraction(0)
                first = start[i] + speed * fraction(begin)
            else:
                first = start[i] if k == 0 and not row[0].is_exact() else _exact(row[0], where)
            if not abs(first - _exact(row[0].mid(), where)) <= _exact(row[0].rad(), where):
                raise ValueError(f"{where}: the ball {row[0]} of the start misses {first}")
            polynomials.append([first, *(_exact(value, where) for value in row[1:])])
        sizes = {name: _exact(getattr(step, name), f"step {k}, {name}") for name in BOUNDS}
        weights = [_exact(step.weights[block.start], f"step {k}, weights") for block in blocks]
        steps.append(
            StepRecord(fraction(step.length), polynomials, weights, method=step.method, box=_box(step, k), **sizes)
        )
    return Certificate(
        type(origin).__name__,
        {name: _fractions(array.tolist() if array.shape else array.item()) for name, array in origin.arrays().items()},
        trajectory.bits,
        trajectory.order,
        fraction(trajectory.horizon),
        [fraction(time) for time in trajectory.times],
        blocks,
        steps,
        _versions(),
        list(decided),
    )


def _box(step: CertifiedStep, k: int) -> list[Fraction] | None:
    """How far from the polynomials each coordinate may start, where a step is certified for a box of starts alone."""
    if step.starts is None:
        return None
    return [
        Fraction(0) if weight.is_zero() else _exact(ball.rad(), f"step {k}, coordinate {i} of its starts")
        for i, (ball, weight) in enumerate(zip(step.starts, step.weights, strict=True))
    ]


def as_trajectory(certificate: Certificate) -> Trajectory:
    """The trajectory of a certificate, with balls of its precision around what is not dyadic.

    Raises CertificateError where instance, blocks or steps do not fit the system.
    """
    # Two flows of one name may both be imported, a user's among them: the file does not say which it means.
    name = certificate.system
    flows = [flow for flow in _flows(Flow) if flow.__name__ == name]
    if len(flows) != 1:
        raise CertificateError(f"instance.system: {'several flows are' if flows else 'no flow is'} called {name!r}")
    try:
        origin = flows[0].instance(
            **{key: _rationals(value, f"instance.{key}") for key, value in certificate.instance.items()}
        )
    except ValueError as error:
        raise CertificateError(f"instance: {error}") from None
    blocks = origin.blocks()
    size = blocks[-1].stop
    if certificate.blocks != blocks:
        raise CertificateError(f"blocks: must be {[[block.start, block.stop] for block in blocks]}")
    if len(certificate.times) != len(certificate.steps) + 1 or not certificate.steps:
        raise CertificateError("times: must be one more than the steps, of which there must be one")
    for k, step in enumerate(certificate.steps):
        for field, length, wanted in (
            ("polynomials", len(step.polynomials), size),
            ("weights", len(step.weights), len(blocks)),
            ("box", size if step.box is None else len(step.box), size),
        ):
            if length != wanted:
                raise CertificateError(f"steps[{k}].{field}: must be {wanted} long, not {length}")
        if certificate.times[k] + step.length != certificate.times[k + 1]:
            raise CertificateError(f"steps[{k}].length: must be times[{k + 1}] - times[{k}]")
    if certificate.times[0] != 0 or certificate.times[-1] != certificate.horizon:
        raise CertificateError("times: must run from 0 to the horizon")
    # Only that the data fit the system is checked here: reading certifies nothing.
    times = [_flint(time) for time in certificate.times]
    steps = [_certified(step, blocks, certificate.bits, k) for k, step in enumerate(certificate.steps)]
    return Trajectory(origin, times, steps, certificate.bits, certificate.order)


def _certified(step: StepRecord, blocks: list[range], bits: int, k: int) -> CertifiedStep:
    weights = [weight for weight, block in zip(step.weights, blocks, strict=True) for _ in block]
    for i, row in enumerate(step.polynomials):
        # Rounded at a start or at the start of a clock, nowhere else.
        rounded = row[1:] if k == 0 or weights[i] == 0 else row
        for value in rounded:
            if not _is_dyadic(value):
                raise CertificateError(f"steps[{k}].polynomials[{i}]: {value} is no dyadic number")
    for name in BOUNDS:
        if not _is_dyadic(getattr(step, name)):
            raise CertificateError(f"steps[{k}].{name}: {getattr(step, name)} is no dyadic number")
    if not all(_is_dyadic(weight) for weight in weights):
        raise CertificateError(f"steps[{k}].weights: must be dyadic numbers")
    rows = [[_ball(value, bits) for value in row] for row in step.polynomials]
    return CertifiedStep(
        rows,
        _flint(step.length),
        [_ball(weight, bits) for weight in weights],
        _ball(step.error, bits),
        _ball(step.slope, bits),
        _ball(step.final, bits),
        _ball(step.start, bits),
        step.method,
        # A ball per coordinate, where the step was certified for a box: its sides have to survive the file bit by bit.
        starts=None
        if step.box is None
        else [_around(row[0], radius, k) for row, radius in zip(rows, step.box, strict=True)],
    )


def _around(center: arb, radius: Fraction, k: int) -> arb:
    """The ball of this radius, or the center itself, which may be one. Raises CertificateError where no ball is so wide."""
    if radius == 0:
        return center
    # Radii hold 30 bits, and flint makes one from a number by going up a unit.
    unit = Fraction(2) ** (radius.numerator.bit_length() - radius.denominator.bit_length() - 29)
    for given in (radius, radius - unit, radius - 2 * unit) if _is_dyadic(radius) and center.is_exact() else ():
        ball = arb(center, arb(_flint(given)))
        if ball.mid() == center and _exact(ball.rad(), "") == radius:
            return ball
    raise CertificateError(f"steps[{k}].box: {radius} is no radius of a ball, which holds 30 bits")


def _exact(value: arb, where: str) -> Fraction:
    """The dyadic number that an exact ball is. Raises ValueError for another ball."""
    if not (value.is_exact() and value.is_finite()):
        raise ValueError(f"{where}: {value} is no exact number")
    mantissa, exponent = (int(part) for part in value.man_exp())
    return mantissa * (Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent))


def _ball(value: Fraction, bits: int) -> arb:
    """A dyadic number exactly, another rational rounded to `bits`."""
    # As wide as the number itself, where it is dyadic: a verdict may rest on its last bit.
    with working_precision(max(bits, value.numerator.bit_length()) if _is_dyadic(value) else bits):
        return arb(_flint(value))


def _is_dyadic(value: Fraction) -> bool:
    return value.denominator & (value.denominator - 1) == 0


def _flint(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def _fractions(value: Any) -> Any:
    return [_fractions(entry) for entry in value] if isinstance(value, list) else fraction(rational(value))


def _rationals(value: Any, where: str) -> Any:
    if not isinstance(value, list):
        return _flint(value)
    entries = [_rationals(entry, where) for entry in value]
    shapes = {len(entry) if isinstance(entry, list) else None for entry in entries}
    if len(shapes) > 1:
        raise CertificateError(f"{where}: must be an array, not lists of different lengths")
    return entries


def _flows(base: type[Flow]) -> Iterator[type[Flow]]:
    for flow in base.__subclasses__():
        yield flow
        yield from _flows(flow)


def _versions() -> dict[str, str]:
    """Of Python and of what certifies."""
    versions = {"python": platform.python_version()}
    for package in ("attention-claims", "python-flint", "numpy"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:  # in a checkout
            versions[package] = "not installed"
    return versions
