"""Rare and late escapes of any number of tokens by splitting on the escape time: a *numerical* view, float64 throughout.

A run is a function of its clocks, exponential numbers that say how much chance to stray passes before the next pick outside
a group, and of seeds for all other draws; while the tokens of each group stand together the wait is skipped. Particles are
such runs. Those that escape last are killed and replaced by copies of others, which are moved by Markov kernels that leave
the law of runs with an earlier escape as it is (Guyader, Hengartner and Matzner-Lober; Cérou and Guyader). The share that
survives, again and again, multiplies to P[T_2 < t]. Section 12 of docs/escapes.md derives it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, log, nan, sqrt

import numpy as np

from dynamics.arithmetic import Array, UndecidedError, transposed
from dynamics.attention import softmax
from dynamics.tokens.attention_chain import AttentionChain
from dynamics.tokens.float_runs import LEAST, MOST_OFF, BeyondFloatsError, beyond_tubes, floats_of, rounding

MOST_STRAYS = 256
"""Picks outside the groups in a run, at most."""

MOST_STEPS = 20_000
"""Steps of a run that are taken one by one, at most: those in which the tokens of some group stand apart."""

TOGETHER = 1e-3
"""Tokens of a group this near to each other, in units of 1/(beta R), are put at one place: scores differ by less."""


class TooManyStepsError(UndecidedError):
    """Some run takes more steps, or more stray picks, than are followed."""

    precision_helps = False


@dataclass(frozen=True)
class Runs:
    """Runs (runs,): escape times, +inf where later than was asked for, means given the states met, counts of strays.

    `times` are not rounded up: T_2 is the next integer, and ties have no chance. `clocks` and `rates`, (runs, strays), are
    the exponential numbers and, for each of them, the chance to stray, as a rate, in the state in which it begins to run.
    """

    times: Array
    means: Array
    strays: Array
    clocks: Array
    rates: Array
    seeds: Array

    def at(self, which: Array) -> Runs:
        """The runs with these indices."""
        return Runs(*(part[which] for part in self._parts()))

    def put(self, which: Array, others: Runs) -> None:
        """Replace the runs with these indices."""
        for own, other in zip(self._parts(), others._parts(), strict=True):
            own[which] = other

    def of(self, most: int) -> Runs:
        """The same with so many strays at most."""
        return Runs(
            self.times, self.means, self.strays, self.clocks[:, :most], self.rates[:, :most], self.seeds[:, : most + 1]
        )

    def _parts(self) -> tuple[Array, ...]:
        return self.times, self.means, self.strays, self.clocks, self.rates, self.seeds


@dataclass(frozen=True)
class Estimate:
    """A number and its standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class SplitEstimates:
    """Estimates of E T_2 and of log P[T_2 < t], None where no t was asked for."""

    mean: Estimate
    log_chance: Estimate | None


def estimates_by_splitting(
    chain: AttentionChain, particles: int, rng: np.random.Generator, t: float | None = None
) -> SplitEstimates:
    """E T_2 from so many runs, and P[T_2 < t] by splitting them.

    The error of the logarithm is that of copies that have forgotten what they were copied from.
    Raises UndecidedError where a run is too long to follow, or a chance is below the range of floats.
    """
    model = _Model(chain)
    clocks = rng.exponential(size=(particles, MOST_STRAYS))
    found = model.followed(clocks, _seeds((particles, MOST_STRAYS + 1), rng), inf)
    mean = Estimate(float(found.means.mean()), float(found.means.std() / sqrt(particles)))
    if t is None:
        return SplitEstimates(mean, None)
    return SplitEstimates(mean, _log_chance(model, found.of(2 * int(found.strays.max()) + 8), float(t) - 1, rng))


KILLED = 0.5
"""The share of the particles killed at a level."""

SWEEPS = 10
"""Moves of each copy at a level."""

MOST_LEVELS = 2000


def _log_chance(model: _Model, found: Runs, target: float, rng: np.random.Generator) -> Estimate:
    """log P[T_2 <= target], the particles killed a share of KILLED at a time."""
    count, value, variance = len(found.times), 0.0, 0.0
    for _ in range(MOST_LEVELS):
        # Never past the target: the last level is the chance itself.
        level = max(float(np.sort(found.times)[count - ceil(KILLED * count) - 1]), target)
        alive = np.flatnonzero(found.times <= level)
        if not len(alive):
            break
        value += log(len(alive) / count)
        variance += (count - len(alive)) / (len(alive) * count)  # of the logarithm of a binomial share, to first order
        if level <= target:
            return Estimate(value, sqrt(variance))
        dead = np.flatnonzero(found.times > level)
        copies = found.at(rng.choice(alive, len(dead)))
        for _ in range(SWEEPS):
            copies = _moved(model, copies, level, rng)
        found.put(dead, copies)
    raise TooManyStepsError(f"escapes before {target + 1:g} are not reached by {MOST_LEVELS} levels")


def _moved(model: _Model, found: Runs, level: float, rng: np.random.Generator) -> Runs:
    """A Metropolis-Hastings move of every run that keeps the law of runs with times of at most `level`.

    One clock is drawn anew, or all from one on with the seeds after it: below `level` times its rate, since no wait may be
    longer than `level`. Or clocks are multiplied by factors.
    """
    runs, most = found.clocks.shape
    place, kind = np.arange(most), rng.integers(8, size=runs)[:, None]
    first = (rng.random((runs, 1)) * found.strays[:, None]).astype(int)
    again = np.where(kind < 4, place == first, (kind < 7) & (place >= first))
    rest = (kind >= 4) & again
    factor = np.where(kind == 7, rng.normal(size=(runs, most)) * (rng.random((runs, most)) < 0.5), 0.0)
    clocks = np.where(rest, rng.exponential(size=(runs, most)), found.clocks * np.exp(factor))
    seeds = found.seeds.copy()
    seeds[:, 1:] = np.where(rest, _seeds((runs, most), rng), seeds[:, 1:])
    after = model.followed(clocks, seeds, level, np.where(again, rng.random((runs, most)), nan))
    # The law of a clock has the density e^{-E}, that of its logarithm E e^{-E}.
    gain = (factor + np.where(kind == 7, found.clocks - clocks, 0.0)).sum(axis=-1)
    # The clock that is drawn anew is one of those that ran: after the move there may be more or fewer to choose it from.
    gain += np.log(found.strays) - np.log(np.maximum(after.strays, 1))
    for one, sign in ((after, 1), (found, -1)):
        drawn = again & (place < one.strays[:, None])
        gain += sign * np.where(drawn, np.log(-np.expm1(-np.where(drawn, level * one.rates, 1.0))), 0.0).sum(axis=-1)
        gain[(drawn & (one.clocks > level * one.rates)).any(axis=-1)] = -inf
    accepted = (after.times <= level) & (np.log(rng.random(runs)) < gain)
    found.put(np.flatnonzero(accepted), after.at(accepted))
    return found


def _seeds(shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    return rng.integers(1 << 63, size=shape, dtype=np.uint64)


def _uniforms(seeds: Array, counters: Array, many: int) -> Array:
    """Numbers in [0, 1) of each seed (runs,) at each counter (runs,), shape (runs, many): SplitMix64."""
    index = counters[:, None] * np.uint64(many) + np.arange(many, dtype=np.uint64)
    z: Array = seeds[:, None] + (index + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.asarray((z >> np.uint64(11)) * 2.0**-53)


# ---------------------------------------------------------------------------------------------------------------------
# Runs


class _Model:
    """The chain in float64, and its runs from clocks and seeds."""

    def __init__(self, chain: AttentionChain) -> None:
        self.chain = chain
        self.x, self.beta, self.gamma = floats_of(chain)
        if not rounding(chain, MOST_STEPS).score < MOST_OFF:
            raise BeyondFloatsError("rounding changes the chances of picks too much for an estimate in float64")
        self.fellows = chain.group[:, None] == chain.group[None, :]
        self.groups = [np.flatnonzero(chain.group == label) for label in sorted(set(chain.group.tolist()))]
        self.crowds = [members for members in self.groups if len(members) > 1]
        self.near = TOGETHER / (self.beta * float(np.sqrt((self.x**2).sum(axis=-1).max())) or 1.0)

    def followed(self, clocks: Array, seeds: Array, last: float, uniforms: Array | None = None) -> Runs:
        """Runs until they escape, or until it is later than `last`, or until their clocks have run out.

        Where `uniforms` (runs, strays) are no nan they say which clocks to take below `last` times their rates.
        """
        runs, most = clocks.shape
        clocks, rates = clocks.copy(), np.zeros((runs, most))
        x = self._put_together(np.broadcast_to(self.x, (runs, *self.x.shape)).copy())
        times, means = np.full(runs, inf), np.zeros(runs)
        passed, hazard = np.zeros(runs), np.zeros(runs)
        strays, counter = np.zeros(runs, dtype=int), np.zeros(runs, dtype=np.uint64)
        going = np.arange(runs)
        for _ in range(MOST_STEPS):
            if not len(going):
                return Runs(times, means, strays, clocks, rates, seeds)
            here, count = x[going], strays[going]
            picks = softmax(self.beta * (here @ transposed(here)))
            leave = (picks * ~self.fellows).sum(axis=-1)
            # The chance that nobody strays is e^-rate: an exponential clock runs down by so much in each step.
            rate = -np.log1p(-leave).sum(axis=-1)
            if not (rate >= LEAST).all():
                raise BeyondFloatsError("the chance to pick outside a group is below the range of floats")
            new = counter[going] == 0
            rates[going[new], count[new]] = rate[new]
            if uniforms is not None:
                drawn = new & ~np.isnan(uniforms[going, count])
                where = going[drawn], count[drawn]
                clocks[where] = -np.log1p(uniforms[where] * np.expm1(-last * rate[drawn]))
            rest, left = self._stands(here), clocks[going, count] - hazard[going]
            is_stray = rest | (left <= rate)
            escape = passed[going] + np.where(is_stray, left / rate, 1.0)
            # The mean wait, not the one drawn: an estimate given the states met has the smaller variance.
            means[going] += np.where(rest, 1 / -np.expm1(-rate), 1.0)
            passed[going] = np.ceil(escape)
            hazard[going] += rate
            counter[going] += np.uint64(1)
            draws = _uniforms(
                seeds[going, count + is_stray], np.where(is_stray, np.uint64(0), counter[going]), here.shape[1] + 1
            )
            x[going] = here = self._moved(here, picks, leave, is_stray, draws)
            out = is_stray.copy()
            out[is_stray] = beyond_tubes(self.chain, here[is_stray]) > 0
            times[going[out]] = escape[out]
            strayed = going[is_stray]
            hazard[strayed], counter[strayed], strays[strayed] = 0.0, 0, strays[strayed] + 1
            going = going[~(out | (passed[going] >= last) | (strays[going] >= most))]
            if last == inf and (strays >= most).any():
                raise TooManyStepsError(f"some run takes {most} picks outside the groups or more")
        raise TooManyStepsError(f"some run takes more than {MOST_STEPS} steps in which a group is on its way")

    def _stands(self, x: Array) -> Array:
        """Whether the tokens of each group are at one place."""
        stands = np.ones(len(x), dtype=bool)
        for members in self.crowds:
            stands &= (x[:, members] == x[:, members[:1]]).all(axis=(-1, -2))
        return stands

    def _put_together(self, x: Array) -> Array:
        for members in self.crowds:
            centre = x[:, members].mean(axis=1, keepdims=True)
            near = abs(x[:, members] - centre).max(axis=(-1, -2)) <= self.near
            x[np.ix_(near, members)] = centre[near]
        return x

    def _moved(self, x: Array, picks: Array, leave: Array, is_stray: Array, draws: Array) -> Array:
        """The tokens after a step: within the groups, or given that some token strays, and then the first that does."""
        stay = np.cumprod(1 - leave, axis=-1)
        first = (leave * np.concatenate([np.ones((len(x), 1)), stay[:, :-1]], axis=-1)).cumsum(axis=-1)
        mover = (first <= draws[:, -1:] * first[:, -1:]).sum(axis=-1).clip(max=x.shape[1] - 1)
        mover = np.where(is_stray, mover, x.shape[1])[:, None]
        tokens = np.arange(x.shape[1])
        within, outside = picks * self.fellows, picks * ~self.fellows
        rows = np.where((tokens < mover)[..., None], within, np.where((tokens == mover)[..., None], outside, picks))
        cumulative = rows.cumsum(axis=-1)
        chosen = (cumulative <= draws[:, :-1, None] * cumulative[..., -1:]).sum(axis=-1).clip(max=x.shape[1] - 1)
        return self._put_together(x + self.gamma * (np.take_along_axis(x, chosen[..., None], axis=-2) - x))
