"""Claim files that are wrong or say nothing, each in a way of its own: none may pass as a success."""

from __future__ import annotations

HEAD = '''\
from dataclasses import dataclass

import numpy as np
from flint import arb, fmpq

from claims.stating.statement import Assumption, Claim, Conclusion, Standing
from dynamics.arithmetic import Array, UndecidedError, exp, numbers
from dynamics.system import Flow, quantity


@dataclass(frozen=True, eq=False)
class Decay(Flow):
    """x' = -x."""

    moving = ("x",)
    x: Array = quantity("n", meaning="numbers")

    def velocity(self):
        return (-self.x,)


def draw(draws):
    return Decay(x=draws.dyadic(draws.integer(2, 3)))


any_start = Assumption("any_start", "nothing", satisfies=lambda f: True)
assumptions = (any_start,)
more = {}
'''

CLAIM = """
claim = Claim(__name__, statement="What is hostile.", system=Decay, assumptions=assumptions, draw=draw, **more)
"""

GOOD = '''
@claim.state(">= 0")
def square(f):
    """x^2."""
    return f.x * f.x
'''


def slack(body: str, relation: str = ">= 0", before: str = "") -> str:
    """A conclusion of a state with this body, which sees the system as f."""
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    return f'{before}\n@claim.state("{relation}")\ndef margin(f):\n    """A margin."""\n{lines}\n'


def assumed(text: str) -> str:
    """An assumption in place of the one that every start meets."""
    return f'{text}\nassumptions = (Assumption("own", "one of its own", **given),)\n'


def file(conclusions: str, setting: str = "") -> str:
    return HEAD + setting + CLAIM + conclusions


FALSE = slack("return f.x")
OPEN = "e = exp(f.x * f.x + 1) * exp(-1 - f.x * f.x)"
YES = "\n    def __lt__(self, other):\n        return False\n"
HELD_FALSE = "\nclaim.standing = Standing.FALSE\n"


def asked(line: str) -> str:
    """An assumption that every start meets, and that does this when it is asked."""
    return f"def own(f):\n    {line}\n    return True\n" + assumed("given = dict(satisfies=own)")


def exactly(body: str, above: str = "", decorator: str = "") -> str:
    """A slack that does this with exact numbers alone, so that no float64 batch tells it from a formula."""
    whole = "if f.x.dtype == float:\n    return f.x * 0 + 1.0\n" + body
    text = slack(whole, before=f"\n{above}\nseen = []\n")
    return text.replace("\ndef margin", f"\n{decorator}\ndef margin") if decorator else text


HOSTILE = {
    # -- nothing is decided
    "zero that no precision decides": slack("e = exp(f.x * f.x + 1)\nreturn exp(2 * f.x * f.x + 2) - e * e", "> 0"),
    "zero in an inequality": slack("e = exp(f.x * f.x + 1)\nreturn e * e - exp(2 * f.x * f.x + 2)"),
    "not a number": slack("return f.x / (exp(f.x * f.x + 1) * exp(-1 - f.x * f.x) - 1)"),
    "nothing to compare": slack("return f.x[..., :0]"),
    "an empty list": slack("return []"),
    "hypotheses never met": file(GOOD, assumed("given = dict(satisfies=lambda f: False)")),
    "hypotheses never decided": file(GOOD, assumed("given = dict(satisfies=lambda f: None)")),
    "hypotheses that raise": file(GOOD, assumed("def own(f):\n    raise KeyError('own')\ngiven = dict(satisfies=own)")),
    "hypotheses that catch what is open": file(
        GOOD,
        "def own(f):\n    try:\n        return bool((exp(f.x) * exp(-f.x) > 1).all())\n    except UndecidedError:\n"
        "        return False\n" + assumed("given = dict(satisfies=own)"),
    ),
    "hypotheses of texts": file(GOOD, assumed("given = dict(satisfies=lambda f: str(f.x[0]) == 'no')")),
    "restriction that does not restrict": file(
        GOOD, assumed("given = dict(satisfies=lambda f: all(x == 0 for x in f.x), restrict=lambda f: f.replace(x=f.x + 0))")
    ),
    "restriction that lets moves out": file(
        GOOD,
        "def draw(draws):\n    return Decay(x=draws.dyadic(2) * 0 + 1)\n"
        + assumed("given = dict(satisfies=lambda f: all(x == 1 for x in f.x), restrict=lambda f: f.replace(x=f.x + 0))"),
    ),
    "restriction into another system": file(
        GOOD, assumed("given = dict(satisfies=lambda f: True, restrict=lambda f: f.x)")
    ),
    "a chance that is no chance": '\n@claim.probability()\ndef margin(f):\n    """A chance."""\n    return f.x[0]\n',
    "a limit read too early": (
        '\n@claim.limit(">= 0", times=lambda f: [1, 2])\ndef margin(states, start):\n    """Too early."""\n'
        "    return -1 - states[-1].x * states[-1].x\n"
    ),
    # -- what is returned
    "None": slack("f.x"),
    "a truth": slack("return True"),
    "truths": slack("return f.x * f.x >= 0"),
    "a text": slack("return 'positive'"),
    "texts": slack("return np.array(['1', '2'])"),
    "a complex number": slack("return 1 + 2j"),
    "complex numbers": slack("return np.array([1 + 2j, 3j])"),
    "a generator": slack("yield f.x"),
    "a masked array": slack("return np.ma.masked_array(f.x, mask=[True] * len(f.x))"),
    "floats": slack("return np.ones(2)"),
    "a float": slack("return 1.0"),
    "a float 0-d": slack("return np.array(1.0)"),
    "not a number of floats": slack("return float('nan')"),
    "a dictionary": slack("return {'margin': 1}"),
    "a set": slack("return {1, 2}"),
    "a function": slack("return lambda: 1"),
    "the system": slack("return f"),
    "a mixed array": slack("return np.array([fmpq(1), 'x'], dtype=object)"),
    "a mixed array of floats": slack("return np.array([fmpq(1), 0.5], dtype=object)"),
    "a number of another library": slack("import decimal\nreturn decimal.Decimal(1)"),
    "a fraction of another library": slack("import mpmath\nreturn mpmath.mpf(1)"),
    "a number of its own": slack(
        "return Yes()", before="\nclass Yes:\n    def __ge__(self, other):\n        return True\n"
    ),
    "a number that says yes": slack(
        "return numbers(Yes(1))", before="\nclass Yes(int):\n    def __lt__(self, other):\n        return False\n"
    ),
    "a date": slack("return np.array(['2000-01-01'], dtype='datetime64[D]')"),
    # -- memory, state, text and identity
    "true when asked first": slack("seen.append(1)\nreturn f.x * 0 + (1 if len(seen) < 3 else -1)", before="\nseen = []\n"),
    "an error at the third call": slack(
        "seen.append(1)\nreturn f.x * f.x / (1 if len(seen) < 40 else 0)", before="\nseen = []\n"
    ),
    "an exit": slack("raise SystemExit(0)"),
    "a rejected example": slack("import hypothesis\nhypothesis.assume(False)"),
    "a skipped test": slack("import pytest\npytest.skip('not today')"),
    "a refutation that is said": file(
        slack("from claims.testing.property_tests import Refuted\nraise Refuted('as I say')"),
        "more = {'standing': Standing.FALSE}\n",
    ),
    "an open sign that is caught": slack(
        "e = exp(f.x * f.x + 1)\ntry:\n    bool((exp(2 * f.x * f.x + 2) - e * e > 0).all())\n"
        "except UndecidedError:\n    pass\nreturn f.x * 0 + 1"
    ),
    "an open sign that everything catches": slack(
        "e = exp(f.x * f.x + 1)\ntry:\n    bool((exp(2 * f.x * f.x + 2) - e * e > 0).all())\n"
        "except BaseException:\n    pass\nreturn f.x * 0 + 1"
    ),
    "a choice by identity": slack("return f.x * 0 + (id(f) // 16 % 64)"),
    "a choice by text": slack("return f.x * 0 + (1 if '/' in str(f.x[0]) else -1)"),
    "a choice by hash": slack("return f.x * 0 + (1 if hash(f.x[0]) % 2 else -1)"),
    "the first of its shape": slack("return seen.setdefault(f.x.shape, f.x * f.x)", before="\nseen = {}\n"),
    "a high-water mark": exactly("seen.append(max([fmpq(-9), *seen, *f.x]))\nreturn seen[-1]"),
    "true once it was true": exactly("seen.extend([1] * all(x >= 0 for x in f.x))\nreturn f.x * 0 + 1 if seen else f.x"),
    "a slack that marks its instance": exactly(
        "if hasattr(f, 'seen'):\n    return f.x * f.x\nobject.__setattr__(f, 'seen', 1)\n"
        "if any(x < 0 for x in f.x):\n    bool((exp(f.x * f.x + 1) * exp(-1 - f.x * f.x) > 1).any())\nreturn f.x"
    ),
    "hypotheses that change the instance": file(FALSE, asked("f.x[:] = abs(f.x)")),
    "hypotheses that set the instance": file(FALSE, asked("vars(f).update(x=abs(f.x))")),
    "a standing that is changed": exactly("if any(x < 0 for x in f.x):\n    claim.standing = Standing.FALSE\nreturn f.x"),
    "refuted late": exactly("seen.append(1)\nreturn f.x * f.x if len(seen) < 40 else f.x * 0 - 1") + HELD_FALSE,
    "refuted once": exactly("seen.append(1)\nreturn f.x * f.x if len(seen) != 40 else f.x * 0 - 1") + HELD_FALSE,
    "an exit that comes late": exactly("seen.append(1)\nif len(seen) > 40:\n    raise SystemExit(0)\nreturn f.x * f.x"),
    # -- guards that are taken off, and numbers that compare unnoticed
    "a guard's mark": exactly(
        f"{OPEN}\nreturn f.x * 0 + (1 if not np.any(e >= 1) else -1)",
        above="def _marked(g):\n    g.runs_guarded = True\n    return g\n",
        decorator="@_marked",
    ),
    "a guard's mark that is copied": exactly(
        f"{OPEN}\nreturn f.x * 0 + (1 if not np.any(e >= 1) else -1)",
        above="import functools\nfrom dynamics.system import guarded_formula\n",
        decorator="@functools.wraps(guarded_formula(lambda f: f.x), assigned=())",
    ),
    "balls of flint": exactly("two = arb(2).sqrt() ** 2\nreturn f.x * 0 + (-1 if two >= 2 else 1)"),
    "equal to a float": exactly("return f.x * 0 + (-1 if any(x == 1.0 for x in f.x) else 1)"),
    "among floats": exactly("return f.x * 0 + (-1 if any(x in (0.0, 1.0) for x in f.x) else 1)"),
    "a rational of its own": exactly("return numbers(Yes(-1))", above=f"class Yes(fmpq):{YES}"),
    "a closed form of its own": exactly(
        "return numbers(Yes(fmpq(-1)))",
        above="from dynamics.choices import ClosedForm\n"
        "class Yes(ClosedForm):\n    def settled(self):\n        return fmpq(1)\n",
    ),
    # -- restrictions to a part of what is assumed
    "restricted to a point": file(
        FALSE, assumed("given = dict(satisfies=lambda f: True, restrict=lambda f: f.replace(x=f.x * 0 + 1))")
    ),
    "restricted to a corner": file(
        slack("return 2 - f.x"),
        assumed("given = dict(satisfies=lambda f: all(x > 0 for x in f.x), restrict=lambda f: f.replace(x=f.x * 0 + 1))"),
    ),
    # -- few instances, and some of which nothing is said
    "one start alone": file(
        slack("return f.x + 9"), "def draw(draws):\n    return Decay(x=numbers(np.array([1, 2], dtype=object)))\n"
    ),
    "one start of a circle": file(
        FALSE,
        "def draw(draws):\n    return Decay(x=numbers(np.array([3, 4], dtype=object)))\n"
        + assumed("given = dict(satisfies=lambda f: (f.x * f.x).sum() == 25)"),
    ),
    "starts that are never drawn": file(
        FALSE,
        assumed(
            "given = dict(satisfies=lambda f: all(abs(2 * x + 9**6) > 9**6 for x in f.x), "
            "restrict=lambda f: f.replace(x=abs(f.x) + 1))"
        ),
    ),
    "nothing is said where it is false": exactly("return f.x[:0] if any(x < 0 for x in f.x) else f.x"),
    # -- standings
    "false without a counterexample": file(GOOD, "more = {'standing': Standing.FALSE}\n"),
    "true with a counterexample": file(slack("return -1 - f.x * f.x"), "more = {'standing': Standing.TRUE}\n"),
    "open with a counterexample": slack("return f.x"),
    "not yet, with a counterexample": file(slack("return f.x"), "more = {'standing': Standing.NOT_YET}\n"),
    "false where one says nothing": file(
        slack("return f.x") + slack("return f.x[..., :0]").replace("margin", "other"),
        "more = {'standing': Standing.FALSE}\n",
    ),
    # -- conclusions that disappear
    "identity without parentheses": '\n@claim.identity\ndef margin(f):\n    """One."""\n    return f.x\n' + GOOD,
    "state without a relation": '\n@claim.state\ndef margin(f):\n    """One."""\n    return f.x\n' + GOOD,
    "state without arguments": '\n@claim.state()\ndef margin(f):\n    """One."""\n    return f.x\n' + GOOD,
    "step without arguments": "\n@claim.step\ndef margin(f):\n    return f.x\n" + GOOD,
    "orbit without arguments": "\n@claim.orbit\ndef margin(f):\n    return f.x\n" + GOOD,
    "trajectory without arguments": "\n@claim.trajectory\ndef margin(now, start):\n    return now.x\n" + GOOD,
    "rate without arguments": "\n@claim.rate\ndef margin(now, start):\n    return now.x\n" + GOOD,
    "limit without arguments": "\n@claim.limit\ndef margin(states, start):\n    return states[0].x\n" + GOOD,
    "trajectory without a horizon": '\n@claim.trajectory(">= 0")\ndef margin(now, start):\n    return now.x\n' + GOOD,
    "limit without times": '\n@claim.limit(">= 0")\ndef margin(states, start):\n    return states[0].x\n' + GOOD,
    "probability without parentheses": "\n@claim.probability\ndef margin(f):\n    return f.x\n" + GOOD,
    "experiment without parentheses": "\n@claim.experiment\ndef margin(steps):\n    return []\n" + GOOD,
    "a decorator above nothing": GOOD + '\nclaim.state(">= 0")\n',
    "a decorator that is kept": GOOD + "\nkept = claim.identity()\n\n\ndef _margin(f):\n    return f.x\n",
    "a function without a decorator": GOOD + '\ndef margin(f):\n    """One."""\n    return f.x\n',
    "a function with another decorator": GOOD + "\nimport functools\n\n@functools.cache\ndef margin(f):\n    return f.x\n",
    "a lambda without a decorator": GOOD + "\nmargin = lambda f: f.x\n",
    "an asynchronous function": GOOD + "\nasync def margin(f):\n    return f.x\n",
    "of an asynchronous function": '\n@claim.state(">= 0")\nasync def margin(f):\n    return f.x\n',
    "a decorator above a number": GOOD + '\nmargin = claim.state(">= 0")(3)\n',
    "no conclusions": "",
    "conclusions taken away": GOOD + "\nclaim.conclusions.clear()\n",
    "one taken away": GOOD + GOOD.replace("square", "margin") + "\nclaim.conclusions.pop()\n",
    "of one name": GOOD + GOOD,
    "a name that is overwritten": GOOD + "\nsquare = None\n",
    "a second claim": GOOD + CLAIM + GOOD.replace("square", "margin"),
    "a claim that is lost": GOOD.replace("@claim", "@(Claim(__name__, statement='', system=Decay, draw=draw))")
    + GOOD.replace("square", "margin"),
    "claims in a loop": f"\nfor k in range(2):\n   {CLAIM.strip()}\n" + GOOD,
    "conclusions in a loop": (
        '\nfor k in range(2):\n    @claim.state(">= 0")\n    def margin(f):\n        return f.x * f.x + k\n'
    ),
    "of another claim": GOOD
    + "\nfrom claims.localmax.hull_shrinks import hull_shrinks as other\n\n"
    + '@other.state(">= 0")\ndef margin(f):\n    return f.x\n',
    # -- times and signatures
    "times that are no function": GOOD
    + '\n@claim.limit(">= 0", times=(4, 16))\ndef margin(states, start):\n    return 1\n',
    "no times": GOOD + '\n@claim.limit(">= 0", times=lambda f: [])\ndef margin(states, start):\n    return 1\n',
    "times of floats": GOOD + '\n@claim.limit(">= 0", times=lambda f: [0.5])\ndef margin(s, start):\n    return s[0].x\n',
    "times without a start": GOOD + '\n@claim.limit(">= 0", times=lambda: [1])\ndef margin(s, start):\n    return s[0].x\n',
    "a limit of a state": GOOD + '\n@claim.limit(">= 0", times=lambda f: [1])\ndef margin(s, start):\n    return s.x\n',
    "a limit of one argument": GOOD + '\n@claim.limit(">= 0", times=lambda f: [1])\ndef margin(s):\n    return s[0].x\n',
    "a trap of three": GOOD
    + '\n@claim.limit(">= 0", times=lambda f: [1], trap=lambda a, b, c: a)\ndef margin(s, start):\n    return start.x\n',
    "a horizon of nothing": GOOD + '\n@claim.rate(">= 0", horizon=lambda f: None)\ndef margin(n, s):\n    return n.x\n',
    "a horizon in the past": GOOD + '\n@claim.rate(">= 0", horizon=lambda f: -1)\ndef margin(n, s):\n    return n.x\n',
}
"""What is wrong, and the file, or what follows the claim in it."""


def text_of(name: str) -> str:
    """The whole file."""
    told = HOSTILE[name]
    return told if told.startswith(HEAD) else file(told)
