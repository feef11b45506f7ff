"""What certified trajectories cost, beside integrators that certify nothing, on the same work in the same run.

*hardmax*       the rescaled flow (V = Q^T K = I) from starts uniform in [-1, 1]^d, as multiples of 2^-8, to e^{2t} = 10^6:
                how many are certified, on which rung, how sharply and at what cost; growth with horizon, n, d and digits.
*digits*        the same flow on [0, 1/10] to 30 and to 50 digits, against ``mpmath.odefun`` and heyoka.
*float64*       to e^{2t} = 10^6 against SciPy's DOP853 and LSODA (rtol = atol = 1e-12) and heyoka in double precision;
                their true errors are known, because the enclosures (here of 128 bits) are sharper.
*polarization*  the logistic flow to tau = 20 and 200, against ``mpmath.odefun`` at 30 digits as far as it gets.

All times are CPU seconds of this process. Each round runs every competitor once, one after the other, so that other work on
the machine slows all of them; ratios are medians over rounds (and starts). SciPy gets a right-hand side written out for it;
heyoka compiles its own, and its times are given with and without that. A start is certified when the radius of its
enclosure, over all times and coordinates, is below 10^-6; if none of the rungs gives that, it is reported as not certified.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import flint
import mpmath
import numpy as np
import scipy.integrate
from flint import arb, fmpq

from dynamics.arithmetic import MULTIPRECISION, fraction
from dynamics.enclosures.steps import LADDER, EnclosureError, Rung, Trajectory, enclose_at
from dynamics.integrate import integrate_multiprecision
from dynamics.system import Flow
from dynamics.tokens.self_attention import RescaledFlow
from dynamics.training.value_softmax import LogisticFlow

try:
    import heyoka
except ImportError:
    heyoka = None

Array = np.ndarray[Any, Any]

GRID = 256
SHARP = 1e-6
SHORT = fmpq(1, 10)


# ---------------------------------------------------------------------------------------------------------------------
# Starts and horizons


def tokens(seed: int, n: int = 4, d: int = 2) -> RescaledFlow:
    """The rescaled flow from n tokens uniform in [-1, 1]^d, multiples of 2^-8."""
    z = np.random.default_rng(seed).integers(-GRID, GRID + 1, size=(n, d))
    return RescaledFlow.instance(z=[[fmpq(int(value), GRID) for value in row] for row in z])


def values(seed: int, p: int) -> LogisticFlow:
    """The logistic flow from p values uniform in [-1, 1], multiples of 2^-8, scores zero and K = 1."""
    u = np.random.default_rng(seed).integers(-GRID, GRID + 1, size=p)
    return LogisticFlow.instance(u=[fmpq(int(value), GRID) for value in u])


def time_of(growth: float) -> fmpq:
    """A short dyadic t with e^{2t} just above `growth`."""
    return fmpq(math.ceil(math.log(growth) / 2 * 2**20), 2**20)


def as_float(number: fmpq) -> float:
    """The nearest float."""
    return float(fraction(number))


# ---------------------------------------------------------------------------------------------------------------------
# Measuring


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds that `work` takes, and its result."""
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


class OutOfTimeError(Exception):
    """The time set by :func:`at_most_seconds` is used up."""


@contextmanager
def at_most_seconds(limit: float) -> Iterator[None]:
    """Raise OutOfTimeError after `limit` CPU seconds, where the platform has such a clock."""
    if not hasattr(signal, "ITIMER_PROF"):
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def median(numbers: Sequence[float]) -> float:
    """NaN for no numbers."""
    return float(np.median(numbers)) if len(numbers) else math.nan


def short(number: float) -> str:
    """Three digits, or a dash for what was not measured."""
    return "-" if math.isnan(number) else f"{number:.3g}"


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """In Markdown."""
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(short(cell) if isinstance(cell, float) else str(cell) for cell in row) + " |")
    print(flush=True)


@dataclass
class Certificate:
    """One start followed to a horizon: a sharp trajectory if there is one, its rung, CPU seconds of all rungs tried."""

    trajectory: Trajectory | None
    rung: int
    seconds: float
    failure: str = ""

    @property
    def radius(self) -> float:
        """Over all times and coordinates; NaN without a trajectory."""
        return math.nan if self.trajectory is None else float(self.trajectory.radius)

    @property
    def steps(self) -> float:
        """How many; NaN without a trajectory."""
        return math.nan if self.trajectory is None else float(len(self.trajectory.steps))


def certify(system: Flow, horizon: fmpq, cap: float, sharp: float = SHARP) -> Certificate:
    """Rung after rung, each for at most `cap` CPU seconds, until one encloses the flow with a radius below `sharp`."""
    begin, failure = time.process_time(), ""
    for number, rung in enumerate(LADDER):
        try:
            with at_most_seconds(cap):
                trajectory = enclose_at(system, horizon, rung)
        except EnclosureError as error:
            failure = f"rung {number}: {error}"
            continue
        except OutOfTimeError:
            failure = f"rung {number}: more than {cap:.0f} CPU-s"
            break
        if float(trajectory.radius) < sharp:
            return Certificate(trajectory, number, time.process_time() - begin)
        failure = f"rung {number}: radius {float(trajectory.radius):.1e}"
    return Certificate(None, -1, time.process_time() - begin, failure)


def difference(trajectory: Trajectory, name: str, peer: Sequence[Any]) -> float:
    """The largest distance of a peer's numbers (anything mpmath reads) from the middle of the enclosure at the end."""
    with mpmath.workdps(120):
        middles = [mpmath.mpf(value.mid().str(100, radius=False)) for value in getattr(trajectory.end(), name).flat]
        return float(max(abs(mpmath.mpf(str(a)) - b) for a, b in zip(peer, middles, strict=True)))


# ---------------------------------------------------------------------------------------------------------------------
# Peers


def rescaled_rate(n: int, d: int) -> Callable[[float, Array], Array]:
    """The rescaled flow with V = Q^T K = I as plain NumPy, for SciPy."""

    def rate(t: float, state: Array) -> Array:
        z = state.reshape(n, d)
        scores = math.exp(2 * t) * (z @ z.T)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        return (weights @ z - z).ravel()

    return rate


def by_scipy(system: RescaledFlow, horizon: fmpq, method: str) -> Array:
    """z at the horizon, flat."""
    n, d = system.z.shape
    start = np.array([as_float(value) for value in system.z.flat])
    solution = scipy.integrate.solve_ivp(
        rescaled_rate(n, d), (0.0, as_float(horizon)), start, method=method, rtol=1e-12, atol=1e-12
    )
    if not solution.success:
        raise ArithmeticError(solution.message)
    return np.asarray(solution.y[:, -1])


class Heyoka:
    """heyoka's Taylor integrator for the rescaled flow with V = Q^T K = I, compiled for one shape and kind of number.

    Scores are taken relative to that of a token per row which the parameters name: without that, exponentials overflow.
    It is the winner at the beginning of each step.
    """

    def __init__(self, n: int, d: int, kind: str, digits: int) -> None:
        self.n, self.d, self.kind = n, d, kind
        bits = math.ceil(digits * math.log2(10)) + 10
        self.number: Callable[[Any], Any] = {
            "double": float,
            "long double": np.longdouble,
            "real128": getattr(heyoka, "real128", None),
            "real": lambda value: heyoka.real(value, bits),
        }[kind]
        extra = {} if kind == "double" else {"fp_type": {"long double": np.longdouble}.get(kind) or getattr(heyoka, kind)}
        if kind == "real128":
            extra["compact_mode"] = True  # else a compilation takes the better part of a minute
        if kind == "real":
            extra["prec"] = bits
        if kind != "double":
            extra["tol"] = self.number(f"1e-{digits}") if kind != "long double" else np.longdouble(10) ** -digits
        z = [[heyoka.make_vars(f"z{i}_{k}") for k in range(d)] for i in range(n)]
        heat = heyoka.exp(2.0 * heyoka.time)
        equations = []
        for i in range(n):
            scores = [heyoka.sum([z[i][k] * z[j][k] for k in range(d)]) for j in range(n)]
            top = heyoka.sum([heyoka.par[i * n + j] * scores[j] for j in range(n)])
            weights = [heyoka.exp(heat * (score - top)) for score in scores]
            total = heyoka.sum(weights)
            for k in range(d):
                rate = heyoka.sum([weights[j] * (z[j][k] - z[i][k]) for j in range(n) if j != i]) / total
                equations.append((z[i][k], rate))
        zeros = [self.number(0) for _ in range(n * d)]
        pars = [self.number(0) for _ in range(n * n)]
        self.integrator = heyoka.taylor_adaptive(equations, zeros, pars=pars, **extra)

    def run(self, system: RescaledFlow, horizon: fmpq) -> list[Any]:
        """z at the horizon, flat."""
        integrator, one, zero = self.integrator, self.number(1), self.number(0)
        integrator.time = zero
        for k, value in enumerate(system.z.flat):
            integrator.state[k] = self.number(int(value.p)) / self.number(int(value.q))
        end = self.number(int(horizon.p)) / self.number(int(horizon.q))
        while integrator.time < end:
            z = np.array([float(value) for value in integrator.state]).reshape(self.n, self.d)
            chosen = (z @ z.T).argmax(axis=1)
            for i in range(self.n):
                for j in range(self.n):
                    integrator.pars[i * self.n + j] = one if j == chosen[i] else zero
            outcome = integrator.step(max_delta_t=end - integrator.time)[0]
            if outcome not in (heyoka.taylor_outcome.success, heyoka.taylor_outcome.time_limit):
                raise ArithmeticError(f"heyoka: {outcome}")
        return list(integrator.state)


def compile_heyoka(n: int, d: int, kind: str, digits: int) -> tuple[float, Heyoka | None]:
    """CPU seconds for a compilation from scratch, and the integrator; None where the build lacks this kind of number."""
    if heyoka is None:
        return math.nan, None
    heyoka.llvm_state.clear_memcache()
    try:
        return seconds(lambda: Heyoka(n, d, kind, digits))
    except (AttributeError, TypeError, NotImplementedError) as error:
        print(f"heyoka without {kind}: {error}\n")
        return math.nan, None


# ---------------------------------------------------------------------------------------------------------------------
# The four comparisons


def hardmax(options: argparse.Namespace) -> None:
    """Section 1: the rescaled flow to e^{2t} = 10^6, and how cost grows."""
    horizon = time_of(1e6)
    print(f"## Rescaled flow to e^{{2t}} = 10^6 (t = {as_float(horizon):.3f}), n = 4, d = 2, {options.seeds} starts\n")
    runs = [[certify(tokens(seed), horizon, options.cap) for seed in range(options.seeds)] for _ in range(options.repeat)]
    costs = np.median([[run.seconds for run in row] for row in runs], axis=0)
    first = runs[0]
    certified = [run for run in first if run.trajectory is not None]
    rungs = Counter(run.rung for run in certified)
    numbered = range(len(LADDER))
    radii, steps = [run.radius for run in certified], [run.steps for run in certified]
    table = {
        "certified": f"{len(certified)} of {len(first)}",
        **{f"on rung {k}": rungs[k] for k in numbered},
        "largest radius": max(radii, default=math.nan),
        "median radius": median(radii),
        "steps": median(steps),
        **{f"CPU-s: {q:.0%}": float(np.quantile(costs, q)) for q in (0.1, 0.5, 0.9, 1.0)},
    }
    print_table(list(table), [list(table.values())])
    for seed, run in enumerate(first):
        if run.trajectory is None:
            print(f"seed {seed} is not certified; {run.failure}\n")
        elif run.rung > 0:
            print(f"seed {seed} needs rung {run.rung}: {run.seconds:.2f} CPU-s over all rungs tried\n")
    few = min(options.seeds, 3 if options.quick else 7)
    head = ["", "certified", "steps", "CPU-s", "CPU-s per step", "CPU-s per unit of t", "largest radius"]

    def line(name: str, horizon: fmpq, n: int, d: int, count: int) -> list[object]:
        row = [certify(tokens(seed, n, d), horizon, options.cap) for seed in range(count)]
        done = [run for run in row if run.trajectory is not None]
        cost, steps = median([run.seconds for run in row]), median([run.steps for run in done])
        radius = max((run.radius for run in done), default=math.nan)
        return [name, f"{len(done)} of {len(row)}", steps, cost, cost / steps, cost / as_float(horizon), radius]

    print(f"Growth with the horizon, n = 4, d = 2, medians over {few} starts\n")
    powers = (2, 4, 6) if options.quick else (2, 4, 6, 8, 10, 12)
    print_table(head, [line(f"e^{{2t}} = 10^{k}", time_of(10.0**k), 4, 2, few) for k in powers])
    wide, deep = ((2, 4, 8), (2, 4)) if options.quick else ((2, 4, 8, 16), (2, 4, 8))
    target, some = 1e2, 1 if options.quick else 3
    print(f"Growth with n and d to e^{{2t}} = {target:.0e}, medians over {some} starts\n")
    print_table(head, [line(f"n = {n}, d = 2", time_of(target), n, 2, some) for n in wide])
    print_table(head, [line(f"n = 4, d = {d}", time_of(target), 4, d, some) for d in deep])
    until = fmpq(1, 2) if options.quick else fmpq(2)
    print(f"Growth with digits on [0, {until}], n = 4, d = 2, medians over {some} starts\n")
    rows = []
    for number, rung in enumerate(LADDER):
        taken = [seconds(lambda s=s, r=rung: enclose_at(tokens(s), until, r)) for s in range(some)]
        cost, steps = median([t for t, _ in taken]), median([len(run.steps) for _, run in taken])
        radius = max(float(run.radius) for _, run in taken)
        rows.append([f"rung {number}: {rung.bits} bits, order {rung.order}", steps, cost, cost / steps, radius])
    print_table(["", "steps", "CPU-s", "CPU-s per step", "largest radius"], rows)


def digits(options: argparse.Namespace) -> None:
    """Section 2: 30 and 50 digits on [0, 1/10]."""
    print("## Many digits: the rescaled flow on [0, 1/10], n = 4, d = 2\n")
    n, d = 4, 2
    rows = []
    for wanted, rung, kinds in (
        (30, LADDER[1], ("real128", "real")),
        (50, LADDER[2], ("real",)),
    ):
        compiled = {kind: compile_heyoka(n, d, kind, wanted) for kind in kinds}
        ours: list[float] = []
        theirs: dict[str, list[float]] = {kind: [] for kind in ("odefun", *kinds)}
        apart: dict[str, float] = dict.fromkeys(theirs, math.nan)

        def note(name: str, far: float, apart: dict[str, float] = apart) -> None:
            apart[name] = far if math.isnan(apart[name]) else max(apart[name], far)

        radius = 0.0
        with_odefun = not (options.quick and wanted > 30)
        enclose_at(tokens(0), SHORT, rung)
        for seed in range(options.repeat):
            system = tokens(seed)
            runs = [seconds(lambda s=system, r=rung: enclose_at(s, SHORT, r)) for _ in range(3)]
            ours.append(median([cost for cost, _ in runs]))
            trajectory = runs[0][1]
            radius = max(radius, float(trajectory.radius))
            if with_odefun:
                with mpmath.workdps(wanted):
                    cost, states = seconds(lambda s=system: integrate_multiprecision(s, [mpmath.mpf(1) / 10]))
                    numbers = [mpmath.nstr(value, wanted + 5) for value in states[0].z.flat]
                theirs["odefun"].append(cost)
                note("odefun", difference(trajectory, "z", numbers))
            for kind, (_, peer) in compiled.items():
                if peer is not None:
                    cost, state = seconds(lambda s=system, p=peer: p.run(s, SHORT))
                    theirs[kind].append(cost)
                    note(kind, difference(trajectory, "z", state))
        label = f"{wanted} digits"
        rows.append([label, f"certified, {rung.bits} bits, order {rung.order}", median(ours), "1", f"radius {radius:.1e}"])
        for kind, costs in theirs.items():
            ratio = median([b / a for a, b in zip(ours, costs, strict=False)])
            name = "mpmath.odefun" if kind == "odefun" else f"heyoka {kind}, compiled before"
            rows.append([label, name, median(costs), ratio, f"off by {short(apart[kind])}"])
            if kind in compiled and costs:
                whole = compiled[kind][0] + median(costs)
                rows.append([label, f"heyoka {kind}, with compilation", whole, whole / median(ours), "as before"])
    print_table(["", "method", "CPU-s", "times ours", "accuracy at the end"], rows)


def float64(options: argparse.Namespace) -> None:
    """Section 3: float64 integrators to e^{2t} = 10^6."""
    horizon, few = time_of(1e6), min(options.seeds, 3 if options.quick else 10)
    print(f"## Float64 integrators: the rescaled flow to e^{{2t}} = 10^6, n = 4, d = 2, {few} starts\n")
    compilation, machine = compile_heyoka(4, 2, "double", 16)
    names = ["certified", "DOP853", "LSODA", *(["heyoka double, compiled before"] if machine else [])]
    costs: dict[str, list[float]] = {name: [] for name in names}
    errors: dict[str, list[float]] = {name: [] for name in names}
    for seed in range(few):
        system = tokens(seed)
        try:
            truth = enclose_at(system, horizon, LADDER[1])
        except EnclosureError as error:
            print(f"seed {seed} is left out: {error}\n")
            continue
        taken: dict[str, list[float]] = {name: [] for name in names}
        ends: dict[str, list[Any]] = {}
        for _ in range(options.repeat):
            run = certify(system, horizon, options.cap)
            taken["certified"].append(run.seconds)
            for method in ("DOP853", "LSODA"):
                cost, end = seconds(lambda m=method, s=system: by_scipy(s, horizon, m))
                taken[method].append(cost)
                ends[method] = list(end)
            if machine:
                cost, end = seconds(lambda s=system: machine.run(s, horizon))
                taken[names[3]].append(cost)
                ends[names[3]] = end
        errors["certified"].append(run.radius)
        for name in names:
            costs[name].append(median(taken[name]))
            if name in ends:
                errors[name].append(difference(truth, "z", [repr(float(value)) for value in ends[name]]))
    ours = costs["certified"]
    rows: list[list[object]] = []
    for name in names:
        ratio = median([a / b for a, b in zip(ours, costs[name], strict=True)])
        rows.append([name, median(costs[name]), ratio, median(errors[name]), max(errors[name], default=math.nan)])
    if machine:
        whole = [cost + compilation for cost in costs[names[3]]]
        ratio = median([a / b for a, b in zip(ours, whole, strict=True)])
        rows.append(["heyoka double, with compilation", median(whole), ratio, "as before", "as before"])
    print_table(["method", "CPU-s", "certified costs times this", "median error (certified: radius)", "largest"], rows)


def odefun_logistic(system: Flow, tau: int, cap: float) -> tuple[float, float]:
    """CPU seconds of mpmath.odefun at the working precision, and how far it got towards tau in at most `cap` of them."""
    start = system.to(MULTIPRECISION)
    flat = [entry for name in start.moving for entry in np.asarray(getattr(start, name)).flat]

    def rate(_: Any, state: Sequence[Any]) -> list[Any]:
        return [entry for array in start.with_state(state).velocity() for entry in np.asarray(array).flat]

    taken, reached = 0.0, 0.0
    with suppress(OutOfTimeError), at_most_seconds(cap):
        begin = time.process_time()
        solution = mpmath.odefun(rate, 0, flat)
        for k in range(1, 5 * tau + 1):
            # It keeps its series, so that going on from one time to the next is one integration.
            solution(mpmath.mpf(k) / 5)
            taken, reached = time.process_time() - begin, k / 5
    return taken, reached


def polarization(options: argparse.Namespace) -> None:
    """Section 4: the logistic flow; radii at the end relative to the numbers, or to 1 where they are smaller."""
    cap = min(options.cap, 1.0) if options.quick else options.cap
    print(f"## Polarization: the logistic flow, K = 1; odefun at 30 digits, each run at most {cap:.0f} CPU-s\n")

    def ours(system: Flow, tau: int, rung: Rung) -> tuple[float, str, float]:
        """CPU seconds, radius or reason, and NaN for the seconds where nothing is certified."""
        begin = time.process_time()
        try:
            with at_most_seconds(max(cap, 10.0)):
                trajectory = enclose_at(system, fmpq(tau), rung)
        except EnclosureError as error:
            return math.nan, f"{error} ({time.process_time() - begin:.1f} CPU-s)", math.nan
        except OutOfTimeError:
            return math.nan, f"more than {max(cap, 10.0):.0f} CPU-s", math.nan
        cost, end = time.process_time() - begin, trajectory.end()
        numbers = [arb(value) for name in end.moving for value in getattr(end, name).flat]
        return cost, f"{max(float(x.rad()) / max(1.0, abs(float(x.mid()))) for x in numbers):.1e}", cost

    rows, behind = [], dict[int, bool]()
    for p, tau in ((p, tau) for tau in (20, 200) for p in (2, 3, 5, 8)):
        system, row = values(p, p), [p, tau]
        sharp = math.nan
        for rung in LADDER[: 1 if options.quick else 2]:
            results = [ours(system, tau, rung)]
            if not math.isnan(results[0][0]):
                results += [ours(system, tau, rung) for _ in range(options.repeat - 1)]
            sharp = median([result[2] for result in results])
            row += [median([result[0] for result in results]), results[0][1]]
        if tau > 20 and behind[p]:
            rows.append([*row, "left out", "-"])
            continue
        with mpmath.workdps(30):
            taken, reached = odefun_logistic(system, tau, cap)
        done = reached >= tau
        behind[p] = not done
        row.append(f"{taken:.3g}" if done else f"{taken:.3g} to tau = {reached:.3g}")
        row.append(short(taken / sharp) if done or math.isnan(sharp) else f"over {cap / sharp:.2g}")
        rows.append(row)
    heads = [head for k in range(1 if options.quick else 2) for head in (f"rung {k}: CPU-s", "relative radius")]
    print_table(["p", "tau", *heads, "odefun: CPU-s", "times ours (last rung shown)"], rows)


SECTIONS = {"hardmax": hardmax, "digits": digits, "float64": float64, "polarization": polarization}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Certified trajectories beside integrators that certify nothing.")
    parser.add_argument("--seeds", type=int, default=60, help="starts of the rescaled flow (default 60)")
    parser.add_argument("--repeat", type=int, default=3, help="rounds, of which medians are taken (default 3)")
    parser.add_argument(
        "--cap",
        type=float,
        default=60.0,
        help="CPU seconds for one rung, or one run of odefun on polarization (default 60)",
    )
    parser.add_argument("--only", choices=SECTIONS, nargs="+", default=list(SECTIONS), help="sections (default all)")
    parser.add_argument("--quick", action="store_true", help="few starts, one round, short horizons: under a minute")
    options = parser.parse_args()
    if options.quick:
        options.seeds, options.repeat = min(options.seeds, 5), 1
    if options.seeds < 1 or options.repeat < 1:
        parser.error("needs at least one start and one round")
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    peer = "no heyoka" if heyoka is None else f"heyoka {heyoka.__version__}"
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}, ", end="")
    print(f"mpmath {mpmath.__version__}, python-flint {flint.__version__}, {peer}; ", end="")
    print(f"{os.cpu_count()} cores{load}\n", flush=True)
    for name in options.only:
        SECTIONS[name](options)


if __name__ == "__main__":
    main()
