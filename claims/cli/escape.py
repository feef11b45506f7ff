"""The command `claims escape`: how long tokens stay in their tubes, temperature by temperature."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from flint import arb, fmpq
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from claims.certificates.provenance import versions_in_use
from claims.cli.terminal import Plain, refuse, terminal, write_json
from claims.instances.files import InstanceError, read_as
from claims.stating.verdict import Known
from dynamics.arithmetic import UndecidedError, rational, working_precision
from dynamics.decimals import float_beside, outward
from dynamics.escapes.drift import drift_of
from dynamics.escapes.enclose import NoWayOutError, chance_before, guess_of_quantile, has_a_way_out, mean_escape
from dynamics.escapes.exponents import Between, TooFarError, WayOut, cheapest_way, exponent_of_mean
from dynamics.escapes.groups import bounded_mean, chance_at_most, exponent_of_groups
from dynamics.escapes.histories import alone
from dynamics.escapes.splitting import estimates_by_splitting
from dynamics.escapes.times import Enclosure, EscapeLaw, at_most_before
from dynamics.tokens.attention_chain import AttentionChain

BITS = 192
PARTICLES = 400
"""Runs of an estimate: of a mean of about five percent, and less."""

NARROW = 1.2
"""A mean is estimated, too, where its certified bounds are farther apart than this factor, or none is known."""

EXACT_LAW_STATES = 400
"""Histories of so many states at most give quantiles by their law; of more, by bounds."""

MOST_POWER = 4096
"""No quantile is looked for beyond 2 to this power, and eight more."""

COLDEST = 10**9
"""Where beta times the difference of two scores of a token is larger, nothing is computed: exponentials are too long."""

STATES_PER_BOX = 20
"""A box of displacements of groups takes about as long as so many states of single tokens."""


def escape_times(
    instance: Annotated[
        str | None, typer.Argument(help="An AttentionChain: JSON text or a file; steps and beta may be missing.")
    ] = None,
    vertices: Annotated[str | None, typer.Option(help="Vertices of K as JSON; one token at each of them.")] = None,
    tokens: Annotated[str | None, typer.Option(help="With --vertices: tokens as JSON, one near each vertex.")] = None,
    gamma: Annotated[str | None, typer.Option(help="The step size, between 0 and 1.")] = None,
    eps: Annotated[str | None, typer.Option(help="The width of the tubes.")] = None,
    betas: Annotated[str | None, typer.Option("--beta", help="Inverse temperatures, as 4,8,16.")] = None,
    quantiles: Annotated[str, typer.Option(help="Quantiles of T_2.")] = "1/10,1/2,9/10",
    before: Annotated[str | None, typer.Option(help="Times t of P[T_2 < t], as 1e5,1e12.")] = None,
    digits: Annotated[int, typer.Option(min=1, max=40, help="Digits of the mean to aim at.")] = 10,
    states: Annotated[int, typer.Option(min=1, help="States to follow at most.")] = 60000,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write everything as JSON.")] = None,
) -> None:
    """Enclose the mean escape time E T_2, its quantiles and exponents; show the way out. Ctrl-C keeps what is done."""
    # All is read before anything is computed: a slip in the last option costs no hour of the first temperature.
    given = {"gamma": gamma, "eps": eps}
    source = _source(instance, vertices, tokens)
    temperatures = [_number(text, "--beta") for text in betas.split(",")] if betas else [None]
    shares = [_number(text, "--quantiles") for text in quantiles.split(",") if text.strip()]
    times = [_number(text, "--before") for text in before.split(",")] if before else []
    for share in shares:
        if not 0 < share < 1:
            raise refuse(f"--quantiles needs numbers between 0 and 1, not {share}")
    for t in times:
        if t.q != 1 or t < 1:
            raise refuse(f"--before needs whole numbers of steps from 1 on, not {t}")
    chains = [_chain(source, given, beta) for beta in temperatures]
    if not has_a_way_out(chains[0]):
        nowhere = "the first hull is within eps of every group, and the mean is infinite"
        raise refuse(f"no picks lead out of the tubes: {nowhere}")
    rows: list[dict[str, Any]] = []
    exponents: tuple[dict[str, Any], WayOut | None] | None = None
    console, errors = terminal(), Plain(stderr=True)
    try:
        with errors.status(Text("")) as status, working_precision(BITS):
            for chain in chains:
                # Named by a default, which is made now: the loop goes on to another chain.
                def told(text: str, named: str = f"beta = {chain.beta.item()}") -> None:
                    status.update(Text(f"{named}: {text}"))

                # Costs of picks are differences of scores, which beta only multiplies: once is enough for all temperatures.
                if exponents is None:
                    told("exponents")
                    exponents = _exponents(chain)
                rows.append(_row(chain, exponents, shares, [int(t.p) for t in times], digits, states, told))
    except KeyboardInterrupt:  # a colder chain may take for ever: what is done is told all the same
        errors.print(Text(f"stopped after {len(rows)} of {len(chains)} temperatures"))
    except NoWayOutError as error:
        raise refuse(str(error)) from None
    _print(console, rows)
    if json_file is not None:
        write_json(json_file, {"versions": versions_in_use(), "instance": chains[0].to_json(), "betas": rows})
    if len(rows) < len(chains):
        raise typer.Exit(130)


GIVEN = "give the chain's v, x, group, gamma, eps as JSON, or --vertices, --gamma and --eps"


def _source(instance: str | None, vertices: str | None, tokens: str | None) -> str:
    if (instance is None) == (vertices is None):
        raise refuse("give an instance or --vertices, and not both")
    if instance is not None:
        if instance.endswith(".py"):
            raise refuse(f"{instance}: escape times are those of an AttentionChain, not of a system of one's own: {GIVEN}")
        if tokens is not None:
            raise refuse("--tokens goes with --vertices: an instance has tokens of its own")
        return instance
    assert vertices is not None
    v = _table(vertices, "--vertices")
    x = v if tokens is None else _table(tokens, "--tokens")
    if len(x) > len(v):
        raise refuse(f"--tokens gives {len(x)} tokens for {len(v)} vertices: name their groups in an instance")
    return json.dumps({"v": v, "x": x, "group": list(range(len(x)))})


def _table(text: str, option: str) -> list[Any]:
    try:
        found = json.loads(text, parse_float=str)  # 0.1 is a tenth, not the float beside it
    except (ValueError, RecursionError):
        raise refuse(f"{option} needs rows of numbers as JSON, [[1, 0], [0, 1]], not {text}") from None
    if not isinstance(found, list) or not found or not all(isinstance(row, list) and row for row in found):
        raise refuse(f"{option} needs rows of numbers as JSON, [[1, 0], [0, 1]], not {text}")
    return found


def _number(text: str, option: str) -> fmpq:
    try:
        return rational(text.strip())
    except ValueError as error:
        raise refuse(f"{option}: {error}") from None


def _chain(source: str, options: dict[str, str | None], beta: fmpq | None) -> AttentionChain:
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    if beta is not None:
        given["beta"] = beta
    try:
        chain = read_as(AttentionChain, source, given)
    except InstanceError as error:
        raise refuse(str(error)) from None
    assert isinstance(chain, AttentionChain)
    return chain


# ---------------------------------------------------------------------------------------------------------------------
# One temperature


def _row(
    chain: AttentionChain,
    exponents: tuple[dict[str, Any], WayOut | None],
    shares: list[fmpq],
    times: list[int],
    digits: int,
    states: int,
    told: Callable[[str], None],
) -> dict[str, Any]:
    began = time.process_time()
    c_0, r = chain.c_0, chain.rho.item() + chain.eps.item()
    exponent, way = exponents
    row: dict[str, Any] = {"beta": _float(chain.beta.item())}
    scores = (chain.x @ chain.x.T).tolist()
    if chain.beta.item() * max(max(row) - min(row) for row in scores) > COLDEST:
        row |= _nothing(f"scores times beta that differ by no more than {COLDEST}")
    elif alone(chain):
        row |= _of_single_tokens(chain, shares, times, digits, states, told)
    else:
        # Groups have no list of histories: their displacements are followed in boxes, which give bounds alone.
        found = bounded_mean(chain, states // STATES_PER_BOX, told)
        row |= {"mean": _ends(found), "quantiles": _bounded(chain, found, shares, chance_at_most)}
        row["chances"] = [{"t": t, **_ends(Enclosure(arb(0), chance_at_most(chain, t)))} for t in times]
    low, high = row["mean"]["low"], row["mean"]["high"]
    if low is None or high is None or not float(high) <= NARROW * float(low):
        told("by splitting")
        try:
            # The same runs at every call: what is printed is reproduced, and a page that quotes it stays right.
            mean = estimates_by_splitting(chain, PARTICLES, np.random.default_rng(0)).mean
            ends = {"low": mean.value - 2 * mean.error, "high": mean.value + 2 * mean.error}
            row["estimate"] = {**ends, "known": Known.NUMERICAL.value}
        except UndecidedError as error:
            row["estimate"] = _open(error)
    drift = None
    with suppress(UndecidedError):  # told as far as it is enclosed: the mean does not rest on it
        drift = drift_of(chain)
    row["drift"] = None if drift is None else _ends(drift)
    row |= {
        "exponent_of_mean": exponent,
        "exponent_printed": _float(c_0 * chain.eps.item() / (2 * chain.gamma.item())),
        "exponent_corrected": _float(c_0 - 4 * chain.R.item() * r - r * r),
        "exponent_half_gap": _float(c_0 / 2),
        "cost_of_path": None if way is None else _ends(way.cost),
        "path": None if way is None else [[[pick.token, pick.picked] for pick in step] for step in way.picks],
        "seconds": round(time.process_time() - began, 3),
    }
    return row


def _of_single_tokens(
    chain: AttentionChain, shares: list[fmpq], times: list[int], digits: int, states: int, told: Callable[[str], None]
) -> dict[str, Any]:
    try:
        found = mean_escape(chain, digits, states, told)
    except UndecidedError as error:
        return _nothing(f"{error}; more than --states {states}")
    row: dict[str, Any] = {"mean": _ends(found.mean)}
    # Histories in boxes have no law of their own: each is many at once.
    if found.histories.boxes or len(found.histories.nodes) > EXACT_LAW_STATES:
        row["quantiles"] = _bounded(chain, found.mean, shares, lambda _, t: at_most_before(found.histories, t))
    else:
        law = EscapeLaw(found.histories)
        row["quantiles"] = []
        for share in shares:
            told(f"quantile {share}")
            try:
                ends = _ends(law.quantile(share, guess_of_quantile(found, share)))
            except UndecidedError as error:
                ends = _open(error)
            row["quantiles"].append({"q": _float(share), **ends})
    row["chances"] = []
    for t in times:
        told(f"P[T_2 < {t}]")
        try:
            ends = _ends(chance_before(chain, t, states))
        except UndecidedError as error:
            ends = _open(error)
        row["chances"].append({"t": t, **ends})
    return row


def _open(needed: object) -> dict[str, Any]:
    return {"low": None, "high": None, "known": "UNDECIDED", "needed": str(needed)}


def _nothing(needed: str) -> dict[str, Any]:
    """What is told of a chain of which nothing is known."""
    return {"mean": _open(needed), "quantiles": [], "chances": []}


def _bounded(
    chain: AttentionChain, mean: Enclosure, shares: list[fmpq], at_most: Callable[[AttentionChain, int], arb]
) -> list[dict[str, Any]]:
    """Quantiles between the last power of two before which too few leave, and Markov's bound."""
    after = cache(lambda power: at_most(chain, (1 << power) + 1))
    found = []
    for share in shares:
        few, many = 0, 8  # in eights first: of a cold chain the power has thousands
        while many < MOST_POWER and after(many) < arb(share):
            few, many = many, many + 8
        while many - few > 1:  # chances grow with the power, so that halving finds where they pass the share
            middle = (few + many) // 2
            few, many = (middle, many) if after(middle) < arb(share) else (few, middle)
        # P[T_2 > t] <= E T_2 / (t + 1).
        found.append({"q": _float(share), **_ends(Enclosure(arb(1 << few), mean.high / (1 - arb(share))))})
    return found


def _exponents(chain: AttentionChain) -> tuple[dict[str, Any], WayOut | None]:
    """What is the same at all temperatures."""
    way: WayOut | None = None
    if alone(chain):  # the way is searched among histories of single tokens
        with suppress(TooFarError):
            way = cheapest_way(chain)
    try:
        return _ends(exponent_of_mean(chain) if alone(chain) else exponent_of_groups(chain)), way
    except UndecidedError as error:
        return _open(error), way


def _ends(found: Between | Enclosure) -> dict[str, Any]:
    # A rational exponent may be exact; what was enclosed in balls never is known to be.
    is_exact = isinstance(found, Between) and found.low == found.high
    known = Known.EXACT if is_exact else Known.CERTIFIED
    return {"low": _float(found.low, -1), "high": _float(found.high, 1), "known": known.value}


def _float(value: Any, side: int = 0) -> float | str | None:
    """The nearest float, or the next one below (side -1) or above (1); a decimal beyond floats, None beyond all numbers."""
    # A bound that is rounded to the nearest float may be on the wrong side of what it bounds.
    ball = arb(value)
    if not ball.is_finite():
        return None
    end = ball.lower() if side < 0 else ball.upper() if side > 0 else ball.mid()
    near = float(end)
    if math.isinf(near) or (near == 0 and not end.is_zero()):
        return outward(end, side, 20)
    return float_beside(end, side) if side else near


# ---------------------------------------------------------------------------------------------------------------------
# On the screen


def _print(console: Console, rows: list[dict[str, Any]]) -> None:
    table = Table("beta", "", "from", "to", "known", box=box.SIMPLE_HEAD)
    for row in rows:
        for number, cells in enumerate(_lines(row)):
            table.add_row("" if number else _told(row["beta"], 0, 6), *map(Text, cells))
    console.print(table)
    if rows and rows[0]["path"] is not None:  # the same at all temperatures
        parts: list[tuple[str, int]] = []
        for step in rows[0]["path"]:
            picks = " and ".join(f"{i} picks {j}" for i, j in step)
            before = parts.pop() if parts and parts[-1][0] == picks else (picks, 0)
            parts.append((picks, before[1] + 1))
        way = ", then ".join(step if count == 1 else f"{step} {count} times" for step, count in parts)
        console.print(Text(f"cheapest way out: {way}"))


def _lines(row: dict[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    named = [("E T_2", row["mean"])]
    named += [("E T_2, by splitting", row["estimate"])] if "estimate" in row else []
    named += [(f"quantile {_told(one['q'], 0, 6)}", one) for one in row["quantiles"]]
    named += [(f"P[T_2 < {_exactly(one['t'])}]", one) for one in row["chances"]]
    named += [("steps of the drift", row["drift"])] if row["drift"] is not None else []
    named += [("(1/beta) log E T_2, beta -> infinity", row["exponent_of_mean"])]
    for name, ends in named:
        if ends["known"] == "UNDECIDED":
            yield name, "", "", f"UNDECIDED: {ends['needed']}"
        else:
            yield name, _told(ends["low"], -1), _told(ends["high"], 1), ends["known"]
    yield "printed exponent c_0 eps/(2 gamma)", _told(row["exponent_printed"]), "", ""
    yield "corrected c_0 - 4 R r - r^2, r = rho + eps", _told(row["exponent_corrected"]), "", ""


def _told(value: float | str | None, side: int = 0, digits: int = 13) -> str:
    """A number rounded down (side -1), up (1) or to the nearest one; a decimal beyond floats was rounded before."""
    return "infinity" if value is None else value if isinstance(value, str) else outward(value, side, digits)


def _exactly(time: float) -> str:
    """A time as it was asked for, not rounded."""
    short = f"{time:.6g}"  # 1e+12 and not thirteen digits, where that is the same number
    return short if float(short) == time else repr(time)
