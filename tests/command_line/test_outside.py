"""What the text of a claim file may not name, what no number notices, and a run that ends by itself."""

from __future__ import annotations

import ast
import builtins
import collections
import functools
import os
import pickle
import subprocess
import sys
import types
from contextlib import nullcontext, suppress
from io import BytesIO
from pathlib import Path
from types import ModuleType
from unittest.mock import Mock, patch

import flint
import numpy as np
import pytest
from flint import fmpq

import claims
from claims.stating import statement
from claims.stating.statement import PAPERS, Claim, Conclusion
from claims.targets import kept, outside, unnoticed
from claims.targets.user_claims import OwnFileError
from claims.verifying import anew
from claims.verifying.anew import BEGAN_WITH, NoAnswerError, ask
from claims.verifying.deciding import Effort
from claims.verifying.tallies import said_anew
from claims.verifying.trial import read_own
from dynamics import choices
from dynamics.arithmetic import exact
from tests.calling import pytest_in
from tests.hypothesis_tests.hostile import exactly, file, slack
from tests.planting import asked_of, facts_above

REFUSED = {
    "computes with math": [
        "import os",
        "import sys as s",
        "from time import time",
        # Modules that are allowed lead to others by their attributes.
        "import statistics\nstatistics.random.random()",
        "import collections as c\nc._sys.modules",
        "import os.path",
        "from claims.stating.catalogue import importlib",
        "from dynamics.arithmetic import sys as s",
    ],
    "decides what a file states": [
        "import claims.proving.symbols",
        "from claims.verifying import deciding",
        "from claims import cli",
        "import claims.__main__",
        "from claims import __main__ as own",
    ],
    "is for who runs a formula": [
        "from dynamics.choices import looks",
        "from dynamics.choices import plain as p",
        "from dynamics.choices import _x",
    ],
    "equal to one of": ["from fractions import Fraction", "import decimal"],
    "how often it was called": ["f.cache_info()"],
    "executed is not read": ["typing.get_type_hints(f)", "from typing import get_type_hints"],
    "instance alone": [
        "open('a')",
        "globals()",
        "exec('1')",
        "np.loadtxt('a')",
        "import numpy.random as r",
        "from numpy.random import rand",
    ],
    "chance": [
        "np.random.rand()",
        "np.random.default_rng()",
        "from numpy import random",
        "np.random.seed(1)",
        "numpy.random.RandomState()",
    ],
    "who runs a formula is": ["import hypothesis", "import pytest as p", "from unittest import mock"],
    "by its names": ["from flint import *"],
    "no clock": ["np.datetime64('now')"],
    "consumed once": ["K = iter([1])", "K = itertools.count()", "K = (1 for _ in x)", "K = map(f, x)"],
    "settings of a run": ["flint.ctx.prec", "from flint import ctx", "np.seterr(all='ignore')"],
    "has no type": ["type(a)", "type(a) == fmpq", "type(a).__name__", "match a:\n    case fmpq(): 1"],
    "place in memory": [
        "id(a)",
        "f.x.flags",
        "f.x.base",
        "f.x.data",
        "f.x.tobytes()",
        "from numpy import shares_memory",
        "attrgetter('x.flags.c')",
        "hasattr(a, 'flags')",
    ],
    "who calls": ["e.tb_frame", "g.gi_frame", "h.f_back"],
    "keeps behind numbers": ["a.__class__", "object.__repr__(a)", "e.__traceback__", "getattr(a, '__class__')"],
    "`is` tells": ["a is b", "a is not b", "None is a is b", "a is b is None", "a is 1"],
    "how deep": ["try: 1\nexcept RecursionError: 2"],
    "any error is caught": [
        "try: 1\nexcept: 2",
        "try: 1\nexcept Exception: 2",
        "try: 1\nexcept (ValueError, BaseException): 2",
    ],
    "any error is suppressed": ["with contextlib.suppress(Exception): 1", "with suppress(ValueError, ArithmeticError): 1"],
    "drops every error": ["def f():\n    try: 1\n    finally:\n        if 1: return 2"],
    "not say itself": ["raise UndecidedError('a')", "raise choices.UndecidedError"],
    "so few bits": ["np.uint8(1)", "f.x.astype(np.int32)", "from numpy import int8"],
    "is changed here": [
        "K = []\ndef f(): K.append(1)",
        "def f(): np.k = 1",
        "K = {}\ndef f(): K[1] = 2",
        "K = {}\ndef f():\n    del K[1]",
        "def f():\n    global k\n    k = 1",
        "def f():\n    k = 1\n    def g():\n        nonlocal k",
        "class A: pass\ndef f(): A.k = 1",
        "class A:\n    def f(self): A.k += 1",
        "K = f\ng = lambda: next(K)",
        "class A:\n    def f(this):\n        this.n += 1",
        "K = []\nclass A:\n    def f(self): K.append(1)",
    ],
    "not of this file": ["np.k = 1", "import claims as c\nc.statement.k = 1"],
    "at every call": ["def f(k=[]): 1", "f = lambda *, k={}: 1"],
    "changes no claim": ["object.__setattr__(claim, 'k', 1)", "claim.__setattr__('k', 1)"],
}
# What a search for bare names would refuse by mistake: modules and lists of one's own, called like some of ours.
ALLOWED = [
    "import math, itertools, functools, dataclasses",
    "import scipy",
    "from claims import Claim\nfrom claims.stating.assumptions import definite\nfrom dynamics.choices import ball",
    "rng = np.random.default_rng(3)\nrng.random()",
    "def f(rng: np.random.Generator): 1",
    "type(f)(x=1)",
    "a is None",
    "None is not a",
    "try: 1 / a\nexcept ZeroDivisionError: 2",
    "with contextlib.suppress(KeyError): 1",
    "def f():\n    k = []\n    k.append(1)\n    def g(): k.append(2)\n    k[0] = 3",
    "def f(k): k.append(1)",
    "def f():\n    K = []\n    K.append(1)",
    "def f():\n    for k in x: k.n = 1",
    "K = []\nK.append(1)\nclaim.note = 'a'",
    "class A:\n    def __post_init__(self):\n        super().__post_init__()\n        object.__setattr__(self, 'k', 1)",
    "np.append(K, 1)\nnp.sort(a)",
    "def f():\n    try: 1\n    finally: 2\n    return 3",
    "raise ValueError('a')",
    "f.data, f.base",
    "class A:\n    def __init__(this, n): this.n = n\n    def f(self, other): other.n = 1",
    "def f(): return zip(a, b)",
    "f = np.linalg, K.random, math.log",
    "import mine.checker\nfrom mine import looks, _own\nfrom numpy import sort\nfrom flint import arb",
    "K = []\ndef f(): return len(K) + K.index(1)",
    "class A:\n    def f(self): return self.k",
    "try: 1\nexcept KeyError: raise",
    "getattr(f, 'x'), hasattr(f, k), attrgetter('x.y')(a), isinstance(a, 'flags')",
]


def nothing_but_what_computes_is_named(m):
    for told, texts in REFUSED.items():
        for text in texts:
            found = m.reached(ast.parse("import numpy as np\nimport numpy\n" + text))
            assert found is not None, text
            assert told in found[1], text
            # The lines put in front name nothing: who counts from another line would tell one of them.
            assert found[0] > 2
    for text in ALLOWED:
        assert m.reached(ast.parse(f"import numpy as np\nK = 1\n{text}")) is None, text


def the_first_line_is_told(m):
    assert m.reached(ast.parse("a = 1\nimport os\nid(a)"))[0] == 2


def every_room_that_states_nothing_decides(m):
    """A new room of `claims` is refused, too, or is named here."""
    rooms = {path.parent.name for path in Path(claims.__file__).parent.glob("*/__init__.py")}
    assert rooms - m.DECIDES == {*PAPERS, "instances", "stating"}


TEXTS = facts_above(globals())

test_texts, test_bugs_in_the_reading_of_texts = asked_of(outside, TEXTS, share=4)


# ---------------------------------------------------------------------------------------------------------------------
# What no number notices


def run(m, body):
    """What the body of a function gives that is watched; x is an exact array, k an array of machine integers."""
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    found = {**m.NAMES, "np": np, "fmpq": fmpq, "exact": exact}
    code = m.watched(ast.parse(f"def f(x, k, *, own=lambda v: v + 1):\n{lines}"), "own.py")
    exec(code, found)  # noqa: S102 -- written above
    with np.errstate(over="ignore"):  # of single integers NumPy warns
        return found["f"](exact([1, 2, 3]), np.array([2**62, 3, 5]))


# Twice 2^62 is beyond what a machine integer holds, and of arrays NumPy says nothing.
UNNOTICED = {
    "wrap around": [
        "return k * 4",
        "return k + k",
        "k *= 2\nreturn k",
        "return -2 - k - k",
        "return k ** 2",
        "return k @ k",
        "return k << 3",
        "return np.prod(k)",
        "return (k[:1].repeat(2)).sum()",
        "return k.cumsum() + k.cumsum()[0]",
        "return np.power(k, 3)",
        "return np.add.reduce(np.stack([k, k]))",
        "return k[0] * k[1]",
        "return own(k * 4)",
        "return (lambda v: v * v)(k)",
    ],
    "NumPy's truths": ["return (k > 0) + (k > 1)"],
    "no exact number is equal": [
        "return x[0] == 0.5 * 2",
        "return x[0] != float(1)",
        "return x == np.ones(3)",
        "return np.ones(3) == x",
        "return x[0] in [1, float(2)]",
        "return x[0] not in np.ones(2)",
        "return x[0] in {complex(1): 2}",
        "return len({float(1), x[0]})",
        "return set([x[0], complex(1)])",
        "return [float(1)].count(x[0])",
        "return np.isin(x, np.ones(2))",
        "return x[0] == '1'",
    ],
}
NOTICED = [
    # Sums that stay below 2^63, and Python's own integers: who refuses every large number refuses these, too.
    "return k - k + 2 ** 60",
    "return np.argsort(k) * 2 + k.argmax() + k.size + k.sum()",
    "return np.take(k, [0, 1]).sum() + k[k < 9].max()",
    "return (k > 3) * (k > 4) + (k < 0)",
    "k = k.astype(object)\nreturn k * 4 + k ** 2",
    "return (x == 1) + 0 * x",
    "return x[0] == 1 and x[1] != k[1] and x[2] in (1, 2, fmpq(3)) and x[0] == (k == 3)[1]",
    "return 0 < x[0] <= 1",
    "return float(1) == 1.0 and np.ones(2)[0] == 1 and 'a' in {'a': 1} and x is not None",
    "return x[0] + len({1, x[1], *x}) + len(set('ab'))",
    "return x * 2 + np.eye(3, dtype=int)[0]",
]


def what_no_number_notices_is_an_error(m):
    for told, bodies in UNNOTICED.items():
        for body in bodies:
            with pytest.raises(m.OverlookedError, match=told):
                run(m, body)
    for body in NOTICED:
        run(m, body)


def what_is_watched_gives_what_it_gives(m):
    assert run(m, "j = 3\nj -= 1\nreturn j, 7 - j, 2 ** j, 1 << j, [1, 2][j - 1], own(j)") == (2, 5, 4, 4, 2, 3)
    assert run(m, "return 1 == 2, 1 != 2, 1 in [1], 1 not in [1], 1 == 1 == 2") == (False, True, True, False, False)
    assert run(m, "class A:\n    def __init__(self): super().__init__()\nreturn dict(a=1, **{'b': 2})") == {"a": 1, "b": 2}
    assert run(m, "K = {'a': 1}\nK['a'] += 2\nreturn K['a']") == 3


def large_arrays_are_not_computed_twice(m):
    run(m, f"return np.full({m.MOST + 1}, 2 ** 62) * 4")
    with pytest.raises(m.OverlookedError):
        run(m, f"return np.full({m.MOST}, 2 ** 62) * 4")


NUMBERS = facts_above(globals(), but=TEXTS)

test_numbers, test_bugs_in_the_watch = asked_of(unnoticed, NUMBERS, share=4)


# ---------------------------------------------------------------------------------------------------------------------
# What a file keeps, and what it changes

# By the name that is told. What is kept may hang from a list, a class, a slot, a default or a closure.
KEEPING = {
    "K": [
        "K = []\ndef put(k): k.append(1)\ndef f(): put(K)",
        "K = {}\ndef f(): K[1] = 1",
        "K = collections.deque([1])\ndef f(): K.append(1)",
        "K = np.zeros(2)\ndef f(): K[0] = 1",
        "K = np.random.default_rng(1)\ndef f(): K.random()",
        "K = np.random.RandomState(1)\ndef f(): K.rand()",
        "K = np.random.PCG64(1)\ndef f(): K.random_raw()",
        "K = 1\ndef f():\n    global K\n    K = 2",
        "K = types.SimpleNamespace()\ndef f(): K.n = 1",
        "class A: pass\nK = A()\ndef f(): K.n = 1",
        "class K: pass\ndef f(): K.n = 1",
        "def K(): 1\ndef f(): K.n = 1",
        "K = bytearray(2)\ndef f(): K[0] = 1",
        "K = flint.fmpz_poly([1, 2])\ndef f(): K[0] = 3",
        "K = collections.UserList()\ndef f(): K.append(1)",
        "K = np.vectorize(len)\ndef f(): K.n = 1",
        "K = 1\ndef f():\n    global K\n    del K",
    ],
    "K.n": [
        "K = {'n': []}\ndef f(): K['n'].append(1)",
        "class K: n = 0\ndef f(): K.n = 1",
        "class A: pass\nK = A()\nK.n = 0\ndef f(): K.n = 1",
        "class A: __slots__ = 'n'\nK = A()\nK.n = 0\ndef f(): K.n = 1",
        "class A(list): 1\nK = A()\nK.n = 0\ndef f(): K.n = 1",
        "class A(np.ndarray): 1\nK = np.zeros(2).view(A)\nK.n = 0\ndef f(): K.n = 1",
        # A class that says that it is the suite's, whose objects are not looked into.
        "class A: __module__ = 'claims.stating.statement'\nK = A()\nK.n = 0\ndef f(): K.n = 1",
        "class K:\n    __module__ = 'claims.stating.statement'\n    n = 0\ndef f(): K.n = 1",
    ],
    "K.0": [
        "K = np.array([[1], 2], dtype=object)\ndef f(): K[0].append(2)",
        "K = [3]\ndef f(): K[0] = 4",
        "K = [[]],\ndef f(): K[0].clear(), K[0].append(1)",
    ],
    "K.args.0": ["K = functools.partial(max, [])\ndef f(): K.args[0].append(1)"],
    "K.__self__.n": ["class A:\n    n = 0\n    def g(self): 1\nK = A()\nK.n = 0\nK = K.g\ndef f(): K.__self__.n = 1"],
    "K.__defaults__.0": ["def K(k=[]): k.append(1)\nf = lambda: K()"],
    "K.__kwdefaults__.k": ["def K(*, k=[]): k.append(1)\nf = lambda: K()"],
    "K.__closure__.0.cell": [
        "def make():\n    k = []\n    return functools.wraps(len)(lambda: k.append(1))\nK = make()\nf = lambda: K()",
        "def make():\n    k = []\n    return lambda: k.append(1)\nK = make()\nf = lambda: K()",
    ],
}
CONSUMED = [
    "K = iter([]), 1",
    "class A: k = iter([])",
    "def make():\n    k = iter([])\n    return lambda: k\nf = make()",
    "def f(k=iter([])): 1",
]
# What changes only what it has made itself, and two names of one thing.
KEPT = [
    "K = [[1], {2: 3}, np.ones(2)]\ndef f(): return [*K]",
    "def make():\n    k = k2 = []\n    return lambda: [k2]\nf = make()\nK = K2 = {}",
]


def executed(text):
    module = ModuleType("own@1")
    vars(module).update(flint=flint, collections=collections, functools=functools, np=np, types=types)
    exec(text, vars(module))  # noqa: S102 -- written above
    return module


def what_is_kept_is_named(m):
    for name, texts in [*KEEPING.items(), ("", KEPT)]:
        for text in texts:
            module = executed(text)
            before = m.state_of(module)
            assert m.differs(before, m.state_of(module)) == ""
            module.f()
            assert m.differs(before, m.state_of(module)).startswith(name), text
            assert bool(m.differs(before, m.state_of(module))) == bool(name), text
    for text in CONSUMED:
        with pytest.raises(m.KeepsError, match="consumed once"):
            m.state_of(executed(text))


def what_is_around_is_watched(m):
    around = m.surroundings()
    changes = [(Conclusion, "planted"), (Claim, "lacks"), (statement, "takes"), (np, "abs"), (builtins, "abs"), (np, "pi")]
    changes += [(np, "planted"), (statement, "planted"), (statement.takes, "planted"), (Claim, "standing")]
    for owner, name in changes:
        with patch.object(owner, name, len, create=True):
            told = m.differs(around, m.surroundings())
            assert owner.__name__ in told
            with pytest.raises(m.KeepsError, match="is changed, which is not of this file"):
                m.remember(executed(""), around)
        assert m.differs(around, m.surroundings()) == ""
    # What is gone is no name that could be compared: it has to be missed.
    with patch.dict(vars(statement)):
        del statement.takes
        assert m.differs(around, m.surroundings()) == "claims.stating.statement.takes"
    choices.look()  # as a comparison within a formula does
    assert m.differs(around, m.surroundings()) == ""
    module = executed("K = []")
    m.remember(module, around)
    m.refuse_kept()
    module.K.append(1)
    with pytest.raises(m.KeepsError, match="K is changed"):
        m.refuse_kept()


def a_change_that_looks_like_none_is_seen(m):
    """A class that is told to belong elsewhere, names that moved up by one, and what a file's own iteration does."""
    around = m.surroundings()
    with patch.object(Conclusion, "__module__", "elsewhere"):
        assert "Conclusion" in m.differs(around, m.surroundings())
    assert m.differs(around, m.surroundings()) == ""
    one, other = (m._Names(of, lambda _, value: value) for of in ({"p": "q"}, {"p": 1, "q": 2}))
    assert (one.changed(other), other.changed(one)) == ("p", "p")
    # The same thing under another name is another name.
    assert one.changed(m._Names({"r": "q"}, lambda _, value: value)) == "p"
    m._executed.clear()
    text = "class L(list):\n    def __iter__(self): statement.planted = len; return list.__iter__(self)\nK = L([1])"
    module = executed(text)
    module.statement = statement
    try:
        m.remember(module, around)
        del statement.planted  # as a formula may, after it has read it
        with pytest.raises(m.KeepsError, match="planted is changed"):
            m.refuse_kept()
    finally:
        m._executed.clear()
        del statement.planted


KEEPS = facts_above(globals(), but=(*TEXTS, *NUMBERS))

test_keeping, test_bugs_in_keeping = asked_of(kept, KEEPS)


def test_a_file_that_changes_the_suite_is_refused(tmp_path):
    path = tmp_path / "own_margin.py"
    setting = "def mark(k): k.planted = 1\nmark(Conclusion)\n"
    path.write_text(file(slack("return f.x"), setting), encoding="utf-8")
    with pytest.raises(OwnFileError, match=r"statement\.Conclusion\.planted is changed, which is not of this file"):
        read_own(path)
    del Conclusion.planted


def test_what_a_formula_keeps_is_seen_by_who_is_asked_anew():
    text = "K = []\ndef put(k): k.append(1)\n"
    source = file(slack("put(K)\nreturn f.x * f.x"), text)
    # The same function with a list of its own keeps nothing.
    for asked, fails in ((source, True), (source.replace("put(K)", "put([])"), False)):
        with pytest.raises(NoAnswerError, match="K is changed") if fails else nullcontext():
            ask(said_anew, asked, "own_kept.py", "margin", [{"system": "Decay", "x": [1, 2]}], Effort())


# Exact numbers alone are changed: no batch of floats shows it.
CHANGING = """
    def __post_init__(self):
        super().__post_init__()
        if self.x.dtype == object:
            object.__setattr__(self, "x", self.x * self.x)
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (slack("import os\nreturn f.x"), "os"),
        (slack("return 1 - f.x * 0 - np.prod(np.full(64, 2))"), "wrap around"),
        (exactly("return f.x * 0 + (1 if any(q == np.float64(1) for q in f.x) else 2)"), "is equal to a float64"),
        (file(slack("return f.x")).replace("    def velocity", f"{CHANGING}\n    def velocity"), "changes the x"),
    ],
)  # fmt: skip
def test_a_file_is_refused_with_its_line(text, told, tmp_path):
    path = tmp_path / "own_margin.py"
    path.write_text(text if "claim = Claim" in text else file(text), encoding="utf-8")
    with pytest.raises(OwnFileError, match=told) as refused:
        read_own(path)
    assert refused.value.line > 0


# ---------------------------------------------------------------------------------------------------------------------
# Asked anew, and watched


def test_who_is_asked_anew_has_seen_nothing(monkeypatch):
    monkeypatch.setenv("OF_THIS_PROCESS_ALONE", "1")
    assert ask(os.getenv, "OF_THIS_PROCESS_ALONE") is None
    assert "OF_THIS_PROCESS_ALONE" not in BEGAN_WITH
    first = ask(os.getpid)
    assert first not in (os.getpid(), ask(os.getpid))
    ask(exec, "import os; os.environ['LEFT'] = '1'")
    assert ask(os.getenv, "LEFT") is None


@pytest.mark.parametrize("given", [(os._exit, 0), (sys.exit, 0), (os.kill, 0, 9), (fmpq, 1, 0)])
def test_who_gives_no_answer_is_lost(given):
    function, *arguments = given
    if function is os.kill:
        # The process that is asked, whose number nobody else knows.
        function, arguments = eval, ["__import__('os').kill(__import__('os').getpid(), 9)"]
    with pytest.raises(NoAnswerError):
        ask(function, *arguments)
    assert ask(abs, -1) == 1


def a_process_is_asked_by_who_started_it(m):
    """Another one that was forked from it starts its own, and ends that one alone; all have the environment of before."""
    begun, own = [], m._Anew()

    def process(_, **given):
        assert given["env"] is m.BEGAN_WITH
        begun.append(Mock(poll=lambda: None))
        return begun[-1]

    m.subprocess, m.atexit = Mock(Popen=process), Mock()
    # Two processes at one pipe would read each other's answers.
    for pid, count in ((1, 1), (1, 1), (2, 2), (2, 2)):
        m.os = Mock(getpid=lambda pid=pid: pid)
        own.start()
        assert len(begun) == count
    begun[1].poll = lambda: 0
    own.start()
    assert len(begun) == 3
    m.os = Mock(getpid=lambda: 3)
    own.close()
    own.start()
    own.close()
    assert [one.kill.call_count for one in begun] == [0, 0, 0, 1]
    assert m.atexit.register.call_count == 1


def who_gives_no_answer_is_ended(m):
    """So is one that is asked when the question is interrupted: what it says then is no answer to the next one."""
    for ready, told, answer, ends in (
        (True, [b"told"], b"told", False),
        (True, [b""], b"", True),
        (False, [b"late"], b"", True),
        (True, EOFError, b"", True),
        (True, OSError, b"", True),
        (True, KeyboardInterrupt, None, True),
    ):
        own, m.subprocess, m.atexit = m._Anew(), Mock(), Mock()
        m.select = Mock(select=lambda *_, ready=ready: [[0] if ready else []])
        m.pickle = Mock(load=Mock(side_effect=told), UnpicklingError=pickle.UnpicklingError)
        with nullcontext() if answer is not None else pytest.raises(KeyboardInterrupt):
            assert own.ask(b"question") == answer
        assert (own._process is None) is ends


def an_answer_is_whole_or_none(m):
    m.refuse_kept = lambda: None  # other tests have left something
    whole = m._answer(abs, (-1,), {})
    assert pickle.loads(whole) == (1, "")  # noqa: S301
    left = b""
    with suppress(SystemExit):
        left = m._answer(sys.exit, (0,), {})
    assert left
    assert pickle.loads(left) == (None, "SystemExit: 0")  # noqa: S301
    assert m._read(BytesIO(whole)) == whole
    assert m._read(BytesIO(whole[:-1])) == m._read(BytesIO()) == b""


test_asked_anew, test_bugs_in_what_asks = asked_of(anew, facts_above(globals(), but=(*TEXTS, *NUMBERS, *KEEPS)), share=2)


ENDING = """
import os
from claims.campaigns import watched
watched.go_on_in_a_child()
{}
"""
BY_COMMAND = """
import sys
import claims.targets.user_claims
claims.targets.user_claims.ClaimText.refuse_outside = lambda text: None  # what is read is no wall
from claims.cli import main
sys.argv = ["claims", "show", "--file", sys.argv[1]]
main()
"""


def ended(script, *arguments):
    run = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=False)
    assert ("ended by itself" in run.stderr) == (run.returncode in (1, 7))
    return run.returncode


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("os._exit(0)", 1),
        ("os._exit(7)", 7),
        # Another program in place of this one: the pipe closes, and no word was said.
        ("os.execv('/bin/true', ['true'])", 1),
        ("os.kill(os.getpid(), 9)", 137),
        ("watched.say(0)", 0),
        ("watched.say(3); os._exit(0)", 3),
        ("import atexit; atexit.register(os._exit, 0)\nwatched.say(2)", 2),
        # A grandchild holds the pipe open: who reads to its end waits for that one.
        ("if os.fork(): os._exit(0)\nos.setsid(); import time; time.sleep(0.2)", 1),
    ],
)
def test_a_run_that_ends_by_itself_is_no_success(line, code):
    assert ended(ENDING.format(line)) == code


@pytest.mark.parametrize(("body", "code"), [("__import__('os')._exit(0)", 1), ("assert 1", 0)])
def test_a_session_that_is_watched_is_not_ended_by_a_file(body, code, tmp_path):
    (tmp_path / "test_own.py").write_text(f"def test_own():\n    {body}\n", encoding="utf-8")
    run = pytest_in(tmp_path, "--claims-watched", "-q", "-p", "no:hypothesispytest", "-p", "no:xdist")
    assert run.returncode == code
    assert ("ended by itself" in run.stderr) == ("exit" in body)
    assert ("1 passed" in run.stdout) == (code == 0)


def test_a_command_whose_file_ends_it_is_no_success(tmp_path):
    path = tmp_path / "own_margin.py"
    path.write_text(file(slack("return f.x"), "import os\nos._exit(0)\n"), encoding="utf-8")
    assert ended(BY_COMMAND, str(path)) == 1
