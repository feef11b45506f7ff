"""Genuine certificates, and what is done to them."""

from __future__ import annotations

import atexit
import copy
import json
import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from subprocess import PIPE

from flint import arb, fmpq

from claims.certificates import format as certificate_format
from claims.certificates.format import as_text, digest, hypotheses, statement
from claims.certificates.published import certificate_of, published
from claims.certificates.writing import certificate
from claims.checker.__main__ import exit_code
from claims.stating.statement import AT_A_STATE
from claims.stating.verdict import Outcome
from claims.targets.target import Target, Variant
from claims.verifying.deciding import Effort, check
from claims.verifying.witness import witnessed
from dynamics.system import System
from tests.planting import LONG

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = json.loads((files("claims") / "certificates" / "schema.json").read_text(encoding="utf-8"))
STATED = [certificate_of(name) for name in published(["polarization"]) if ".without_" not in name]
# All places of one array are read alike: one forgery of each kind says what a hundred would.
FIRST_OF_A_KIND, OF_A_KIND = (1, 100) if not LONG else (10**9, 1)
"""How many forgeries of like places are tried, and each how manyth of the others; all of them in a long run."""

ORIGIN = ("versions", "command", "violation.bits")
"""What a certificate says of its origin: nothing can decide it."""


def certified(target: Target, instance: dict, horizon=None) -> dict:
    variant = target.resolve()
    system = variant.claim.system.instance(**{name: value for name, value in instance.items() if name != "system"})
    verdict = witnessed(variant.conclusion, system, check(variant.conclusion, system), Effort(), horizon)
    return certificate(target, system, verdict, 0, {"python": "3"})


def at_once(data: dict) -> bool:
    return data["conclusion"]["form"] in AT_A_STATE


DROPPED = Target("clusters.pairwise_distances_grow", "separation_rate", ("identity_key_query",))
SHARPENED = Target("polarization.leading_value_outgrows_time", "leading_value_rate", (), (("rate", "2"),))
CHANCE = Target("frank_wolfe.escape_takes_exponentially_long", "escape_before_t")
CHAIN = {
    "v": [[2], [-2]],
    "x": [["17/9"], ["-17/9"]],
    "group": [0, 1],
    "beta": 4,
    "gamma": "1/24",
    "eps": "1/3",
    "steps": 5,
}
TRAJECTORY = Target("polarization.increasing_map_keeps_order", "scores_stay_ordered")


def signed(data: dict) -> dict:
    """The same with the digest that its content has: what a forger would do."""
    return data | {"digest": digest(data)}


ANSWERING = """
import json, os, sys, traceback
from claims.checker import __main__ as check
check.forbid_deciding_code()
import claims.checker.recheck, dynamics.checker.trajectories
from claims.stating.catalogue import catalogue
catalogue()
for line in sys.stdin:
    if (child := os.fork()) == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        try:
            code = check.main(json.loads(line))
            # After all claims were read and files checked: what is refused has no file, it is a stand-in.
            refused = [name for name in sys.modules if check.is_refused(name)]
            assert not [name for name in refused if hasattr(sys.modules[name], "__file__")] and "flint" in refused, refused
        except BaseException:
            traceback.print_exc()
            code = 9
        os._exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@cache
def checker() -> subprocess.Popen[str]:
    """A process that has imported what checks and nothing that decides, and answers each request in a fork of its own.

    To start one takes half a second, most of it for the claims. That the command starts is tested in `test_certificates`.
    """
    process = subprocess.Popen([sys.executable, "-c", ANSWERING], stdin=PIPE, stdout=PIPE, text=True)
    # It ends where its input does.
    atexit.register(process.communicate)
    return process


# Files, and not texts on the line: what is read from disk is what the command reads.
def put_to_check(folder: Path, files: dict[str, dict | str], *options: str) -> dict[str, dict]:
    """The findings by name of one run over all files."""
    paths = {}
    for name, data in files.items():
        paths[name] = folder / f"{len(paths)}.json"
        paths[name].write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    told = folder / "findings.txt"
    process = checker()
    process.stdin.write(json.dumps([*options, "--json", str(told), *map(str, paths.values())]) + "\n")
    process.stdin.flush()
    code = int(process.stdout.readline())
    assert told.exists()
    found = json.loads(told.read_text(encoding="utf-8"))
    assert code == exit_code([finding["verdict"] for finding in found])
    return dict(zip(paths, found, strict=True))


def lies_about_later(later: dict[str, dict]) -> dict[str, dict]:
    trajectory, chance = later["trajectory"], later["chance"]
    return {
        # Each is signed anew: only what the checker computes can find it out.
        "a time beyond the horizon": forged(trajectory, violation__times=[1000]),
        "the start": forged(trajectory, violation__times=[0]),
        "another time": forged(trajectory, violation__times=["1/8"]),
        "no time": forged(trajectory, violation__times=[]),
        "two times": forged(trajectory, violation__times=["1/8", "1/4"]),
        "a slack nearby on the way": forged(trajectory, violation__slack=slack_of("-0.125161998", "-0.125161997")),
        "no such entry on the way": forged(trajectory, violation__entry=[7]),
        "a slack that only overlaps": forged(trajectory, violation__slack=slack_of("-0.1251619983349", "-0.01")),
        "a time of a chance": forged(chance, violation__times=[1]),
        "a chance that is too small": forged(chance, violation__slack=slack_of("-60", "-59")),
        "a chance that is too large": forged(chance, violation__slack=slack_of("-52", "-51")),
        "a chance that is below the corrected bound": by_hand(
            Target(f"{CHANCE.claim}_in_diameters", CHANCE.conclusion), CHAIN, **(chance["violation"])
        ),
        "an order that is kept": by_hand(
            Target("polarization.order_is_preserved", "values_stay_ordered"),
            {"u": [1, 0]},
            **(trajectory["violation"] | {"entry": [0]}),
        ),
    }


ENDINGS = {
    "ending": (
        Target("frank_wolfe.clusters_are_at_most_the_corners", "corners_left"),
        {"x": [[10, 17], [36, -29], [-63, 60], [14, 8], [10, 12]], "P": [["1/3", 0], [0, "1/3"]]},
    ),
    "cycle": (
        Target("localmax.quiescent_sets_hear_all_at_every_step", "unheard_of_the_own_set"),
        {"z": [[1], [0]], "gamma": ["1/2", "1/2"], "delta": [0, 1]},
    ),
    "recurrence": (
        Target("localmax.quiescent_sets_recur_with_the_sensitivity", "vertices_have_their_sets", ("open_step_sizes",)),
        {"z": [[0], [1]], "gamma": [0], "delta": [1]},
    ),
    "drift": (
        Target("localmax.every_hardmax_tail_is_geometric", "tails"),
        {"z": [[4, 0, 1], [-4, 0, 1], [2, 1, 1], [-2, 1, 1], [0, 0, 0]]},
    ),
    "separation": (
        Target("frank_wolfe.hull_shrinks", "new_tokens_stay_in_hull", ("scalar_step",)),
        {"x": [[2], [0]], "P": [[3]]},
    ),
}


def with_facts_forged(restated: dict[str, dict]) -> dict[str, dict]:
    """Every field of the facts and of the formula changed, with the digest of the forged content.

    Of numbers in one array, which are read and compared alike, the first in every way, and some of the others.
    """
    found: dict[str, dict] = {}
    seen: Counter[tuple] = Counter()
    for name, one in restated.items():
        for path, data in forgeries(one):
            if path[0] != "facts" and path[:2] != ("conclusion", "formula"):
                continue
            kind = (name, *("*" if isinstance(part, int) else part for part in path[:-1]), str(path[-1]).partition(" ")[0])
            seen[kind] += 1
            if seen[kind] <= FIRST_OF_A_KIND or seen[kind] % OF_A_KIND == 0:
                found[f"{name} {path}"] = data
    return found


MACHINE = re.compile(r"(?<![\w.])[/~\\]|[A-Za-z]:\\|--(out|json|jobs|budget|cluster)\b")
"""What the path of a file, or an option that is no part of what was found, looks like."""


# ---------------------------------------------------------------------------------------------------------------------
# Forged certificates


def leaves(value, path=()):
    yield path
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for name, entry in items:
            yield from leaves(entry, (*path, name))


def at(data, path):
    for name in path:
        data = data[name]
    return data


def replaced_at(data, path: tuple, value):
    """A copy with another value at a path, or what a function makes of the one there; with the entry removed for `...`.

    Only what lies around the place is copied: thousands of forgeries share all else.
    """
    name, *rest = path
    made = copy.copy(data)
    if rest:
        made[name] = replaced_at(data[name], rest, value)
    elif value is ...:
        del made[name]
    else:
        made[name] = value(data[name]) if callable(value) else value
    return made


def changed(data: dict, path: tuple, value) -> dict:
    """The same, signed anew but for another digest."""
    made = replaced_at(data, path, value)
    return signed(made) if path != ("digest",) else made


# Truth values are numbers to Python, empty containers are false: each is tried in place of each.
def other_types(value):
    yield from (item for item in (None, 7, "seven", [], {}, True, ["x"], {"x": 1}) if type(item) is not type(value))


def other_values(value):
    if isinstance(value, bool | None):
        return
    if isinstance(value, int):
        yield from (value + 1, -value - 1, value + 10**3)
    elif isinstance(value, str):
        yield from ("", value + " ", value.upper() + "x", "-" + value)
        try:
            number = Fraction(value)
        except (ValueError, ZeroDivisionError):
            return
        yield from (str(-number), str(number + Fraction(1, 10**6)), str(number * 3))
    elif isinstance(value, list):
        yield from ([*value, *value[:1]], value[:-1], value[::-1])


def is_origin(path: tuple) -> bool:
    return ".".join(map(str, path)).startswith(ORIGIN)


def forgeries(data: dict):
    """Every field deleted, of another type, or of another value, with the digest of the forged content."""
    for path in leaves(data):
        # What a certificate says of its origin nobody can check; its fields must be there, and of their type.
        if not path or (is_origin(path) and len(path) > 1 and path[0] != "violation"):
            continue
        value = at(data, path)
        if isinstance(path[-1], str):
            yield (*path, "deleted"), changed(data, path, ...)
        for kind in other_types(value):
            yield (*path, f"as {kind!r}"), changed(data, path, kind)
        if isinstance(value, dict) and not is_origin(path):
            yield (*path, "with more"), changed(data, path, value | {"more": "1"})
        if not is_origin(path):
            for other in other_values(value):
                if other != value:
                    yield (*path, f"now {other!r}"), changed(data, path, other)


def read(data: dict) -> tuple[Variant, System]:
    """The statement that a certificate is about, and its instance, on flint."""
    sharpened = tuple((n, c["value"]) for n, c in data["constants"].items() if c["value"] != c["printed"])
    dropped = tuple(a["name"] for a in data["assumptions"]["dropped"])
    variant = Target(data["claim"]["id"], data["conclusion"]["name"], dropped, sharpened).resolve()
    return variant, variant.claim.system.instance(**{name: v for name, v in data["instance"].items() if name != "system"})


def is_true(data: dict) -> bool:
    """What flint says of a certificate whose statement is untouched: assumptions, slack and enclosure."""
    variant, system = read(data)
    if not all(a.satisfies(system) for a in variant.kept) or any(a.satisfies(system) for a in variant.without):
        return False
    # On flint, which the checker knows nothing of: an untouched statement on another instance may well be violated.
    slack = variant.conclusion.slack(system)
    value = slack[tuple(data["violation"]["entry"])] if data["violation"]["entry"] else slack.item()
    lower, upper = (Fraction(data["violation"]["slack"][end]) for end in ("lower", "upper"))
    inside = arb(fmpq(lower.numerator, lower.denominator)) <= value <= arb(fmpq(upper.numerator, upper.denominator))
    return check(variant.conclusion, system).outcome is Outcome.VIOLATED and bool(inside)


def with_fields_forged(genuine: dict[str, dict]) -> dict[str, dict]:
    names = ("polarization.above_average_values_gain_weight", "dropped", "sharpened")
    return {f"{name} {path}": data for name in names for path, data in forgeries(genuine[name])}


def forged(data: dict, **changes) -> dict:
    """A signed copy with other fields, given as field__field=value."""
    for path, value in changes.items():
        data = changed(data, tuple(path.split("__")), value)
    return data


def slack_of(lower: str, upper: str | None = None) -> dict:
    return {"lower": lower, "upper": upper or lower}


def by_hand(target: Target, instance: dict, **violation) -> dict:
    """A signed certificate of anything: what somebody might write who does not care whether it is true."""
    variant = target.resolve()
    printed = next(c for c in variant.claim.conclusions if c.name == target.conclusion)
    data = {"format": certificate_format.FORMAT, "version": certificate_format.VERSION} | statement(variant.claim, printed)
    exact = {"times": [], "entry": [0], "slack": slack_of("-1"), "bits": 64} | EXACTLY
    data |= {
        "constants": {name: {"value": str(v), "printed": str(v)} for name, v in printed.constants.items()},
        "assumptions": hypotheses(variant.claim, printed, target.dropped),
        "instance": variant.claim.system.instance(**instance).to_json(),
        "violation": exact | violation,
        "facts": [],
        "source": None,
        "versions": {},
        "command": "",
        "digest": "",
    }
    return signed(data)


HULL = Target("localmax.hull_shrinks", "new_tokens_stay_in_hull")
GROWTH = Target("clusters.pairwise_distances_grow", "separation_rate")
EXACTLY = {"known": "exact", "method": "rational arithmetic"}
BALLS = {"known": "certified", "method": "ball arithmetic"}


def lies(genuine: dict[str, dict]) -> dict[str, dict]:
    """Certificates that are false, each in one respect, with all else in order."""
    state = genuine["polarization.above_average_values_gain_weight"]
    strict = genuine["polarization.increasing_map_separates_scores"]
    dropped, sharpened = genuine["dropped"], genuine["sharpened"]
    slack = dropped["violation"]["slack"]
    shift = Fraction(1, 10**9)
    nearby = {end: str(Fraction(value) + shift) for end, value in slack.items()}
    # As though it had been assumed all along.
    kept = dropped["assumptions"]["kept"] + dropped["assumptions"]["dropped"]
    return {
        "a slack of zero does not break >= 0": by_hand(HULL, {"z": [[0], [1]]}, slack=slack_of("0")),
        "nor is it below zero": by_hand(HULL, {"z": [[0], [1]]}, slack=slack_of("-1", "0")),
        "a statement that holds": by_hand(HULL, {"z": [[0], [1]]}),
        "an instance that breaks an assumption": by_hand(
            GROWTH, {"x": [[0], [1]], "B": [[-1]]}, **(dropped["violation"] | BALLS)
        ),
        "an assumption that is satisfied said to be dropped": by_hand(
            Target(GROWTH.claim, GROWTH.conclusion, ("identity_key_query", "identity_value")),
            {"x": [[0], [1]], "B": [[-1]]},
            **dropped["violation"],
        ),
        "a dropped assumption hidden": forged(dropped, assumptions={"kept": kept, "dropped": []}),
        "an assumption left out": forged(dropped, assumptions=dropped["assumptions"] | {"kept": []}),
        "an enclosure nearby": forged(dropped, violation__slack=nearby),
        "an enclosure far away": forged(dropped, violation__slack=slack_of("-7", "-6")),
        "an enclosure on the right side": forged(
            dropped, violation__slack=slack_of(slack["upper"].lstrip("-"), slack["lower"].lstrip("-"))
        ),
        "an enclosure across zero": forged(dropped, violation__slack=slack_of("-1", "1")),
        "another entry": forged(state, violation__entry=[0]),
        "no such entry": forged(state, violation__entry=[3]),
        "too few indices": forged(state, violation__entry=[]),
        "a time at a state": forged(state, violation__times=[1]),
        "another relation": forged(state, conclusion__relation="> 0"),
        "a weaker relation": forged(strict, conclusion__relation=">= 0"),
        "another form": forged(state, conclusion__form="step"),
        "other words": forged(state, claim__statement="u_i > m implies that s_i decreases."),
        "another paper": forged(state, claim__paper=dropped["claim"]["paper"]),
        "another claim": forged(state, claim=dropped["claim"]),
        "no such claim": forged(state, claim__id="polarization.nothing"),
        "no such conclusion": forged(state, conclusion__name="nothing"),
        "a sharpening hidden": forged(sharpened, constants={"rate": {"value": "2", "printed": "2"}}),
        "a sharpening undone": forged(sharpened, constants={"rate": {"value": "1", "printed": "1"}}),
        "a constant left out": forged(sharpened, constants={}),
        "a constant that is none": forged(sharpened, constants__more={"value": "2", "printed": "1"}),
        "another instance": forged(state, instance=sharpened["instance"]),
        "exact said of an enclosure": forged(
            state, violation=state["violation"] | {"known": "exact", "method": "rational arithmetic"}
        ),
        "enclosed said of an exact slack": forged(strict, violation=strict["violation"] | BALLS),
        "another method": forged(state, violation__method="validated Taylor steps"),
        "a digest of something else": state | {"digest": dropped["digest"]},
        "another command under the old digest": state | {"command": "claims hunt nothing"},
    }


BUGS = {
    "> 0 and >= 0 are read alike": "r.forbidden = property(lambda relation: (-1, 0))",
    "both are read as >= 0": "r.forbidden = property(lambda relation: (-1,))",
    "an enclosure need not break the relation": "r.forbidden = property(lambda relation: (-1, 0, 1))",
    "assumptions are not checked": "v._need = lambda a, s, plain, kept, shared: None",
    "dropped assumptions are not checked": (
        "need = v._need\nv._need = lambda a, s, plain, kept, shared: kept and need(a, s, plain, kept, shared)"
    ),
    "kept assumptions are not checked": (
        "need = v._need\nv._need = lambda a, s, plain, kept, shared: kept or need(a, s, plain, kept, shared)"
    ),
    "the statement is not compared": "v._compare_statement = lambda data, variant: None",
    "the digest is not compared": "v.digest = lambda data: data['digest']",
    "any slack is inside any enclosure": (
        "from flint import fmpq\n"
        "real = v._at_instance\n"
        "v._at_instance = lambda said, c, s, stated, facts: real(said, c, s, (fmpq(-10) ** 9, fmpq(10) ** 9), facts)"
    ),
    "constants are those that are printed": "v._sharpened = lambda constants: ()",
    "every instance is the first token's": "v._entry_of = lambda values, entry: values.flat[0]",
    "exponentials are rounded inward": (
        "a.arb.exp = lambda x: a._interval((a.libmp.from_float(0.25), a.libmp.from_float(0.25)))"
    ),
}


# ---------------------------------------------------------------------------------------------------------------------
# Files that are no certificates


def unreadable(genuine: dict[str, dict]) -> dict[str, tuple[str, str]]:
    """Texts that are no certificates, each with a word of the complaint; signed where that is possible."""
    text = as_text(genuine["dropped"])
    files = {
        "not JSON": ("{", "not JSON"),
        "empty": ("", "not JSON"),
        "a list": ("[]", "the certificate must be an object"),
        "a float": (text.replace('"bits": 64', '"bits": 64.0'), "float"),
        "a NaN": (text.replace('"bits": 64', '"bits": NaN'), "float"),
        "an exponent": (text.replace('"bits": 64', '"bits": 1e2'), "float"),
        "a float in the instance": (text.replace("[-1]", "[-1.0]"), "float"),
        "a decimal in the instance": (text.replace("[-1]", '["-1.5"]'), "instance.B[0][0] must be an exact number"),
        "twice": (text.replace('"source": null', '"source": null, "source": null'), "source is given twice"),
        # What would stop a reader that recurses, or one that makes an integer of any number of digits.
        "deep": ("[" * 100_000, "nested too deeply"),
        "a long integer": (text.replace("[-1]", f"[-1{'0' * 200_000}]"), "digits"),
        "a long fraction": (text.replace("[-1]", f'["-1/1{"0" * 200_000}"]'), "digits"),
        "a huge exponent": (text.replace(genuine["dropped"]["violation"]["slack"]["lower"], "-1e9999999"), "exponent"),
        "division by zero": (text.replace("[-1]", '["1/0"]'), "divides by zero"),
        "a ragged matrix": (text.replace("[-1]", "[-1, 2]"), "instance"),
        "an array too many": (text.replace('"system":', '"Q": [1], "system":'), "instance.Q"),
        "not in lowest terms": (text.replace("[-1]", '["-2/2"]'), "lowest terms"),
        "another system": (
            text.replace('"SelfAttentionFlow"', '"RescaledFlow"'),
            "instance.system must be SelfAttentionFlow",
        ),
        "a field too many": (text.replace('"source": null', '"source": null, "more": 1'), "more is no field"),
        "another version": (text.replace('"version": 2', '"version": 3'), "version must be 2"),
    }
    # Signed, so that they are refused for what they say and not for their digest.
    for name in ("not in lowest terms", "another system", "a ragged matrix", "an array too many"):
        content, word = files[name]
        files[name] = json.dumps(signed(json.loads(content))), word
    return files


# The checker restates flows by their names: a user's class of the same name must be followed as it is written.
NAMESAKE = """
from dataclasses import dataclass
from typing import Any
from flint import fmpq
from claims.stating.statement import Claim
from dynamics.system import Flow, quantity

@dataclass(frozen=True, eq=False)
class SelfAttentionFlow(Flow):
    "x' = -x, though a flow of the suite has this name and these arrays."

    moving = ("x",)
    x: Any = quantity("n", "d", meaning="tokens")
    B: Any = quantity("d", "d", meaning="B", default=[[1]])
    V: Any = quantity("d", "d", meaning="V", default=[[1]])

    def velocity(self):
        return (-self.x,)

claim = Claim(__name__, statement="They decay.", system=SelfAttentionFlow, draw=lambda draws: None)

@claim.trajectory(">= 0", horizon=lambda f: fmpq(1))
def decays(now, start):
    return (start.x - now.x)[..., 0, 0]
"""

# A maximum along a trajectory has a kink, at which no Taylor step is valid.
CHOOSING = """
from dataclasses import dataclass
from typing import Any
import numpy as np
from flint import fmpq
from claims.stating.statement import Claim
from dynamics.arithmetic import peak
from dynamics.system import Flow, quantity

@dataclass(frozen=True, eq=False)
class Falling(Flow):
    "x_0' = -max(x_0, x_1), x_1' = 0: from (2, 1) to (log 2 - 1, 1) at time 2."

    moving = ("x",)
    x: Any = quantity("n", meaning="numbers")

    def velocity(self):
        top = peak(self.x)
        return (np.concatenate([-top, 0 * top], axis=-1),)

claim = Claim(__name__, statement="x_0 falls.", system=Falling, draw=lambda draws: None)

@claim.trajectory(">= 0", horizon=lambda f: fmpq(2))
def falls(now, start):
    return -now.x[..., 0] - fmpq(3, 10)
"""

# The number overflows any interval: its sign is open, and open is neither broken nor kept.
SIGNS = """
from claims.stating.statement import Assumption, Claim
from dynamics.arithmetic import exp, sign
from dynamics.tokens.self_attention import SelfAttentionFlow

huge = Assumption("huge", "exp(2^50 x) > 0", satisfies=lambda f: sign(exp(2**50 * f.x[..., 0, 0]).item()) == 1)
claim = Claim(__name__, statement="x <= 0", system=SelfAttentionFlow, assumptions=(huge,))

@claim.state(">= 0")
def slack(f):
    return -f.x[..., 0, 0]
"""

OPEN = SIGNS.replace("huge", "open").replace("sign(exp(2**50 * f.x[..., 0, 0]).item()) == 1", "None")

# In floats 0.3 is not 0.1 + 0.2: a slack that rounds shows a violation that is none.
ROUNDS = """
import numpy as np
from claims.stating.statement import Claim
from dynamics.tokens.self_attention import SelfAttentionFlow

claim = Claim(__name__, statement="3x/10 >= x/10 + x/5", system=SelfAttentionFlow)

@claim.state(">= 0")
def slack(f):
    x = np.asarray(f.x[..., 0, 0], dtype=float)
    return x * 0.3 - (x * 0.1 + x * 0.2)
"""


def own_lie(name: str, source: str, conclusion: str, instance: dict, dropped: tuple[str, ...] = (), **violation) -> dict:
    """A signed certificate about a user's own claim."""
    target = Target(name, conclusion, dropped, (), f"{name}.py", source)
    data = by_hand(target, instance, **({"entry": []} | violation))
    return forged(data, source={"file": f"{name}.py", "text": source})
