"""What certified trajectories cost, beside integrators that certify nothing, on the same work in the same run.

*digits*        the rescaled flow (V = Q^T K = I) on [0, 1/10] to 30 and to 50 digits, against ``mpmath.odefun`` and heyoka.
*float64*       the same flow to e^{2t} = 10^6 against SciPy's DOP853 and LSODA (rtol = atol = 1e-12) and heyoka in double
                precision; their true errors are known, because the enclosures (here of 128 bits) are sharper.
*polarization*  the logistic flow to tau = 20, against ``mpmath.odefun`` at 30 digits as far as it gets.

Starts are uniform in [-1, 1]^d, multiples of 2^-8. All times are CPU seconds of this process. Each round runs every
competitor once, one after the other, so that other work on the machine slows all of them; ratios are medians over starts.
SciPy gets a right-hand side written out for it; heyoka compiles its own, and the time of that is given, too.
"""

from __future__ import annotations

import argparse
import math
import platform
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import flint
import mpmath
import numpy as np
import scipy.integrate
from flint import arb, fmpq
from measuring import median, print_table, seconds

from claims.campaigns.deadlines import OutOfTimeError, within
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
N, D = 4, 2
TENTH = fmpq(1, 10)
LATE = fmpq(math.ceil(math.log(1e6) / 2 * 2**20), 2**20)  # a short dyadic t with e^{2t} just above 10^6


def tokens(seed: int) -> RescaledFlow:
    """The rescaled flow from N tokens."""
    z = np.random.default_rng(seed).integers(-GRID, GRID + 1, size=(N, D))
    return RescaledFlow.instance(z=[[fmpq(int(value), GRID) for value in row] for row in z])


def values(p: int) -> LogisticFlow:
    """The logistic flow from p values, scores zero and K = 1."""
    u = np.random.default_rng(p).integers(-GRID, GRID + 1, size=p)
    return LogisticFlow.instance(u=[fmpq(int(value), GRID) for value in u])


def certified(system: Flow, horizon: fmpq, rungs: Sequence[Rung] = LADDER, sharp: float = 1e-6) -> Trajectory:
    """On rung after rung, until one encloses the flow with a radius below `sharp`. Raises EnclosureError."""
    for rung in rungs:
        with suppress(EnclosureError):
            trajectory = enclose_at(system, horizon, rung)
            if float(trajectory.radius) < sharp:
                return trajectory
    raise EnclosureError("no rung is sharp")


def difference(trajectory: Trajectory, peer: Sequence[Any]) -> float:
    """The largest distance of a peer's numbers (anything mpmath reads) from the middle of the enclosure at the end."""
    with mpmath.workdps(120):  # more than any peer has: the difference is theirs alone
        middles = [mpmath.mpf(value.mid().str(100, radius=False)) for value in trajectory.end().z.flat]
        return float(max(abs(mpmath.mpf(str(a)) - b) for a, b in zip(peer, middles, strict=True)))


# ---------------------------------------------------------------------------------------------------------------------
# Peers


def by_odefun(system: Flow, digits: int) -> list[str]:
    """z at 1/10 to so many digits."""
    with mpmath.workdps(digits):
        (state,) = integrate_multiprecision(system, [mpmath.mpf(1) / 10])
        return [mpmath.nstr(value, digits + 5) for value in state.z.flat]


def rate(t: float, state: Array) -> Array:
    """The rescaled flow with V = Q^T K = I as plain NumPy, for SciPy."""
    z = state.reshape(N, D)
    scores = math.exp(2 * t) * (z @ z.T)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray((weights @ z - z).ravel())


def by_scipy(system: RescaledFlow, method: str) -> list[float]:
    """z where e^{2t} = 10^6."""
    # In float64 from here on: the rounding of the start is a part of what SciPy is off.
    start, end = (np.array([float(fraction(value)) for value in of]) for of in (system.z.flat, [LATE]))
    solution = scipy.integrate.solve_ivp(rate, (0.0, end[0]), start, method=method, rtol=1e-12, atol=1e-12)
    if not solution.success:
        raise ArithmeticError(solution.message)
    return list(solution.y[:, -1])


class Heyoka:
    """heyoka's Taylor integrator for the rescaled flow with V = Q^T K = I, compiled for a kind of number.

    Scores are taken relative to that of a token per row which the parameters name: without that, exponentials overflow.
    It is the winner at the beginning of each step.
    """

    def __init__(self, kind: str, digits: int) -> None:
        bits = math.ceil(digits * math.log2(10)) + 10
        self.number: Callable[[Any], Any] = {
            "double": float,
            "real128": getattr(heyoka, "real128", None),
            "real": lambda value: heyoka.real(value, bits),
        }[kind]
        extra: dict[str, Any] = {}
        if kind != "double":
            extra = {"fp_type": getattr(heyoka, kind), "tol": self.number(f"1e-{digits}")}
        if kind == "real128":
            extra["compact_mode"] = True  # else a compilation takes the better part of a minute
        if kind == "real":
            extra["prec"] = bits
        z = [[heyoka.make_vars(f"z{i}_{k}") for k in range(D)] for i in range(N)]
        # e^{2t} is a function of time here, not a coordinate: as one it would grow by 10^6 and set every step.
        heat = heyoka.exp(2.0 * heyoka.time)
        equations = []
        for i in range(N):
            scores = [heyoka.sum([z[i][k] * z[j][k] for k in range(D)]) for j in range(N)]
            top = heyoka.sum([heyoka.par[i * N + j] * scores[j] for j in range(N)])
            weights = [heyoka.exp(heat * (score - top)) for score in scores]
            total = heyoka.sum(weights)
            for k in range(D):
                rate = heyoka.sum([weights[j] * (z[j][k] - z[i][k]) for j in range(N) if j != i]) / total
                equations.append((z[i][k], rate))
        zeros = [self.number(0) for _ in range(N * D)]
        pars = [self.number(0) for _ in range(N * N)]
        self.integrator = heyoka.taylor_adaptive(equations, zeros, pars=pars, **extra)

    def run(self, system: RescaledFlow, horizon: fmpq) -> list[Any]:
        """z at the horizon, flat."""
        integrator, one, zero = self.integrator, self.number(1), self.number(0)
        integrator.time = zero
        for k, value in enumerate(system.z.flat):
            integrator.state[k] = self.number(int(value.p)) / self.number(int(value.q))
        end = self.number(int(horizon.p)) / self.number(int(horizon.q))
        while integrator.time < end:
            z = np.array([float(value) for value in integrator.state]).reshape(N, D)
            # The winner may change along the way: then exponentials grow within a step, but not beyond its end.
            chosen = (z @ z.T).argmax(axis=1)
            for i in range(N):
                for j in range(N):
                    integrator.pars[i * N + j] = one if j == chosen[i] else zero
            outcome = integrator.step(max_delta_t=end - integrator.time)[0]
            if outcome not in (heyoka.taylor_outcome.success, heyoka.taylor_outcome.time_limit):
                raise ArithmeticError(f"heyoka: {outcome}")
        return list(integrator.state)


def compiled(kind: str, digits: int) -> dict[str, tuple[float, Heyoka]]:
    """heyoka's integrator by name, with the CPU seconds of its compilation; none where the build lacks such numbers."""
    if heyoka is None:
        return {}
    heyoka.llvm_state.clear_memcache()  # else a second compilation of the same costs nothing
    try:
        return {f"heyoka {kind}": seconds(lambda: Heyoka(kind, digits))}
    except (AttributeError, TypeError, NotImplementedError) as error:
        print(f"heyoka without {kind}: {error}\n")
        return {}


# ---------------------------------------------------------------------------------------------------------------------
# The three comparisons

Peer = Callable[[RescaledFlow], Any]


def compared(
    label: str,
    options: argparse.Namespace,
    truth: Callable[[RescaledFlow], Trajectory],
    ours: Callable[[RescaledFlow], Trajectory],
    peers: dict[str, Peer],
    compilations: dict[str, float],
) -> list[list[object]]:
    """A row for each: CPU seconds, how many times ours, the largest error (of ours the radius) and the compilation."""
    costs: dict[str, list[float]] = {name: [] for name in ("certified", *peers)}
    errors: dict[str, list[float]] = {name: [] for name in costs}
    for seed in range(options.starts):
        system = tokens(seed)
        exact = truth(system)
        for name, work in {"certified": ours, **peers}.items():
            # One after the other within a start: other work on the machine slows all of them alike.
            runs = [seconds(lambda work=work, system=system: work(system)) for _ in range(options.repeat)]
            costs[name].append(median([cost for cost, _ in runs]))
            end = runs[0][1]
            errors[name].append(float(end.radius) if isinstance(end, Trajectory) else difference(exact, end))
    rows: list[list[object]] = []
    for name, found in costs.items():
        times = median([theirs / own for own, theirs in zip(costs["certified"], found, strict=True)])
        rows.append([label, name, median(found), times, max(errors[name]), compilations.get(name, "")])
    return rows


HEAD = ("", "method", "CPU-s", "times ours", "largest error (certified: radius)", "compilation, CPU-s")


def digits(options: argparse.Namespace) -> None:
    """30 and 50 digits on [0, 1/10]."""
    print(f"## Many digits: the rescaled flow on [0, 1/10], n = {N}, d = {D}, {options.starts} starts\n")
    rows = []
    for wanted, rung, kinds in ((30, LADDER[1], ("real128", "real")), (50, LADDER[2], ("real",))):
        machines = {name: made for kind in kinds for name, made in compiled(kind, wanted).items()}
        peers: dict[str, Peer] = {"mpmath.odefun": lambda system, wanted=wanted: by_odefun(system, wanted)}  # type: ignore[misc]
        peers |= {name: lambda system, one=one: one.run(system, TENTH) for name, (_, one) in machines.items()}  # type: ignore[misc]

        def ours(system: RescaledFlow, rung: Rung = rung) -> Trajectory:
            return enclose_at(system, TENTH, rung)

        taken = {name: cost for name, (cost, _) in machines.items()}
        rows += compared(f"{wanted} digits, {rung.bits} bits", options, ours, ours, peers, taken)
    print_table(HEAD, rows)


def float64(options: argparse.Namespace) -> None:
    """Float64 integrators to e^{2t} = 10^6."""
    print(f"## Float64: the rescaled flow to e^{{2t}} = 10^6, n = {N}, d = {D}, {options.starts} starts\n")
    machines = compiled("double", 16)
    peers: dict[str, Peer] = {method: lambda system, m=method: by_scipy(system, m) for method in ("DOP853", "LSODA")}  # type: ignore[misc]
    peers |= {name: lambda system, one=one: one.run(system, LATE) for name, (_, one) in machines.items()}  # type: ignore[misc]
    taken = {name: cost for name, (cost, _) in machines.items()}

    def truth(system: RescaledFlow) -> Trajectory:
        return certified(system, LATE, LADDER[1:], 1e-15)

    def ours(system: RescaledFlow) -> Trajectory:
        return certified(system, LATE)

    print_table(HEAD, compared("", options, truth, ours, peers, taken))


def odefun_logistic(system: Flow, tau: int, cap: float) -> tuple[float, float]:
    """CPU seconds of mpmath.odefun at the working precision, and how far it got towards tau in at most `cap` of them."""
    start = system.to(MULTIPRECISION)
    flat = [entry for name in start.moving for entry in np.asarray(getattr(start, name)).flat]

    def speed(_: Any, state: Sequence[Any]) -> list[Any]:
        return [entry for array in start.with_state(state).velocity() for entry in np.asarray(array).flat]

    taken, reached = 0.0, 0.0
    solution = mpmath.odefun(speed, 0, flat)
    with suppress(OutOfTimeError), within(cap, time.process_time):
        while reached < tau:
            # It keeps its series, so that going on from one time to the next is one integration.
            later = reached + 0.25
            cost, _ = seconds(lambda to=later: solution(mpmath.mpf(to)))
            taken, reached = taken + cost, later
    return taken, reached


def polarization(options: argparse.Namespace) -> None:
    """The logistic flow; radii at the end relative to the numbers, or to 1 where they are smaller."""
    tau, rung = 20, LADDER[1]
    print(f"## Polarization: the logistic flow to tau = {tau}, K = 1; odefun at 30 digits, {options.cap:g} CPU-s at most\n")
    rows = []
    for p in (2, 3, 5, 8):
        cost, trajectory = seconds(lambda p=p: enclose_at(values(p), fmpq(tau), rung))
        end = trajectory.end()
        numbers = [arb(value) for name in end.moving for value in getattr(end, name).flat]
        radius = max(float(x.rad()) / max(1.0, abs(float(x.mid()))) for x in numbers)
        with mpmath.workdps(30):
            taken, reached = odefun_logistic(values(p), tau, options.cap)
        times = f"{taken / cost:.2g}" if reached >= tau else f"over {options.cap / cost:.2g}"
        rows.append([p, cost, radius, taken, reached, times])
    heads = (f"certified, {rung.bits} bits: CPU-s", "relative radius", "odefun: CPU-s", "to tau", "times ours")
    print_table(("p", *heads), rows)


SECTIONS = {"digits": digits, "float64": float64, "polarization": polarization}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=10, help="of the rescaled flow (default 10)")
    parser.add_argument("--repeat", type=int, default=3, help="runs, of which medians are taken (default 3)")
    parser.add_argument("--cap", type=float, default=20.0, help="CPU seconds for odefun on polarization (default 20)")
    parser.add_argument("--only", choices=SECTIONS, nargs="+", default=list(SECTIONS), help="sections (default all)")
    options = parser.parse_args()
    peer = "no heyoka" if heyoka is None else f"heyoka {heyoka.__version__}"
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}, ", end="")
    print(f"mpmath {mpmath.__version__}, python-flint {flint.__version__}, {peer}\n", flush=True)
    for name in options.only:
        SECTIONS[name](options)


if __name__ == "__main__":
    main()
