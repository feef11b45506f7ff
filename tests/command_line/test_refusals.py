"""What a command cannot use is named in one sentence on standard error, with exit code 2, and nothing is written.

Each row once led to a traceback, to a sentence that named nothing, or to a folder that was left behind.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dynamics.strict_reading import MOST_BYTES
from tests.calling import refused

PAIR = '{"system": "SelfAttentionFlow", "x": [[1, 0], ["1/3", 2]]}'
WINS = json.dumps({"K": 1, "a": [0, 0], "system": "LogisticFlow", "tau": 0, "u": [1, 0]})
CHAIN = '{"v":[[2],[-2]],"x":[["17/9"],["-17/9"]],"group":[0,1],"gamma":"1/24","eps":"1/3"}'

# Texts that Python's own readers accept, or die of: json takes NaN and any nesting, int takes minutes for long numbers.
INSTANCES = {
    '{"x": ' + "[" * 3000 + "]" * 3000 + "}": "nested too deeply",
    '{"x": ' + "[" * 40 + "]" * 40 + "}": "nested too deeply",
    '{"x": ' + "[" * 10**6: "nested too deeply",
    '{"x": [[' + "9" * 5000 + "]]}": "an integer of more than 4000 digits",
    '{"x": [[-' + "9" * 4000 + "]]}": "an integer of more than 4000 digits",
    '{"x": [[0.' + "9" * 5000 + "]]}": "a decimal of more than 4000 digits",
    '{"x": [[1e999]]}': "holds 1e999, which float64 has no number near",
    '{"x": [[-1e-999]]}': "holds -1e-999, which float64 has no number near",
    '{"x": [[Infinity]]}': "holds Infinity, which is not a finite number",
    '{"x": [[1, NaN]]}': "the text given holds NaN, which is not a finite number",
    '{"x": [[1]], "x": [[2]]}': "x is given twice",
    # An exact number of these exponents would fill the memory before it is found too long.
    '{"x": [["1e999999999"]]}': "'1e999999999' has an exponent beyond 4000",
    '{"x": [["1e30000000"]]}': "has an exponent beyond 4000",
    '{"x": [["-1e-30000000"]]}': "has an exponent beyond 4000",
    '{"x": [["1e' + "9" * 10**5 + '"]]}': "has an exponent beyond 4000",
    '{"x": [["' + "9" * 5000 + '"]]}': "is a number of more than 4000 digits",
    '{"x": [["1/' + "9" * 5000 + '"]]}': "is a number of more than 4000 digits",
    '{"x": [["1/0"]]}': "is not a finite number",
    # Fraction takes underscores and the digits of every script, which no other reader of the file would.
    '{"x": [["1_0"]]}': "is not a finite number",
    '{"x": [["\\u0661"]]}': "is not a finite number",
    '{"x": {"a": [1]}}': "is not a finite number",
    '{"x": [[1, 2], [3]]}': "x (tokens)",
    '{"x": [[1, 2]': "is not JSON",
    "[1, 2]": "cannot be read",
    "": "cannot be read",
    "missing.json": "cannot be read",
    # It has no end, and no size that could be asked for beforehand.
    "/dev/zero": f"is larger than {MOST_BYTES >> 20} MiB",
    # A newline that is quoted as it stands would make one sentence look like two.
    "a\nb.json": "a\\nb.json cannot be read",
    '{"a\\nb": 1}': "unknown key 'a\\nb'",
    '{"format": "attention-claims counterexample"}': "the instance of the counterexample in the text given is missing",
    '{"format": "attention-claims counterexample", "instance": 5}': "must hold one JSON object",
    '{"format": 5, "x": [[1]]}': "unknown key 'format'",
    '{"tokens": [[1, 2]], "tokins": 1}': "unknown key 'tokins'",
    # A key that is the name of a parameter of Python's must not reach it.
    '{"system": "SelfAttentionFlow", "cls": 1}': "has no 'cls'",
    '{"system": "SelfAttentionFlow", "x": [[1, 2]], "C": 1}': "has no 'C'",
    '{"system": "SelfAttentionFlow", "x": [[1, 2]], "B": [[1]]}': "must be (d, d) with d = 2, not 1",
    '{"system": ["a\\nb"]}': "unknown system ['a",
    '{"system": "\\ud800"}': "unknown system \\ud800",
    '{"system": "Selfattention", "x": [[1]]}': "unknown system Selfattention",
    '{"system": "LogisticFlow", "u": [1, 0], "K": -1}': "K = |beta_*|^2 must be positive",
    '{"system": "LogisticFlow", "u": [1, 0]}': "the chosen claims are about ",
}

REFUSED = {
    "verify L1 --instance": INSTANCES,
    "verify": {
        "polarization.order_is_presrved": "did you mean",
        ("--precision", "32"): "32 bits is too low",
        ("L1", "--precision", str(10**20)): "bits is too high",
        ("--profile", "fast"): "there are smoke, ci, nightly",
        ("--drop", "ordered_value"): "did you mean ordered_values?",
        ("L1", "--drop", "averaged_leaders"): "these do: frank_wolfe.hardmax_step_is_frank_wolfe",
        ("L1", "--drop", "identity_value", "--instance", PAIR): "builds its own instances",
        ("--drop", "each", "--drop", "zero_scores"): "one at a time",
        ("L1", "--shard", "4/3"): "is no part: write i/n",
        ("L1", "--shard", "1/3", "--drop", "each"): "without --instance or --drop",
        ("L1", "--shard", "1/2", "--costs", __file__): "is not what",
        ("L1", "--costs", __file__): "name one with --shard",
        ("localmax", "--json", "no/out.json"): "its folder does not exist",
        ("polarization", "--instance", WINS, "--enclosure", "x.json"): "choose one by its claim and --conclusion",
        ("clusters.hull_shrinks", "--instance", PAIR, "--enclosure", "x.json"): "the chosen claims are about RescaledFlow",
    },
    "verify polarization.gaps_grow": {
        ("--enclosure", "x.json"): "name it with --instance",
        ("--conclusion", "gap_rate"): "name it with --instance",
        ("--instance", WINS, "--conclusion", "none"): "there are gap_rate, gap_rate_formula",
        ("--instance", WINS, "--enclosure", "no/x.json"): "its folder does not exist",
        ("--instance", WINS, "--conclusion", "gap_rate_formula", "--enclosure", "x.json"): (
            "none of the conclusions chosen is decided along one"
        ),
    },
    "list": {
        "FW15": "did you mean FW-15?",
        # What is quoted of it is cut, or the sentence would fill the screen.
        "no" * 10_000: "no claim matches",
    },
    "hunt polarization.score_ratios_decay": {
        ("--budget", "9" * 400): "is no time, or longer than a year",
        ("--budget", "366d"): "is no time",
        ("--sharpen", "rate=1e999999999"): "has an exponent beyond 4000",
        ("--sharpen", "rate=" + "9" * 5000): "is a number of more than 4000 digits",
        ("--sharpen", "rate=2", "--sharpen", "rate=3"): "a constant is given twice: rate=2, rate=3",
        ("--drop", "a\nb"): "a\\nb",
        ("--cluster", ""): "no Dask scheduler answers at ",
        ("--cluster", "tcp://127.0.0.1:99999"): "no Dask scheduler answers at tcp://127.0.0.1:99999: ",
        ("--cluster", "tcp://a\nb:1"): "no Dask scheduler answers at tcp://a\\nb:1: ",
        ("--cluster", "nonsense"): "no Dask scheduler answers at nonsense: ",
    },
    "new": {
        ("mine.py", "--form", "lemma"): "unknown form 'lemma': there are identity, state",
        ("mine.py", "--form", "step", "--system", "RescaledFlow"): "no step is asked of a system 'RescaledFlow'",
        "my-claim.py": "is no name for a claim file",
        # A claim of this id would be taken for all claims of the paper.
        "clusters.py": "is no name for a claim file",
        "nowhere/mine.py": "its folder does not exist",
        "there.py": "is there already",
    },
    "escape": {
        (): "give an instance or --vertices",
        CHAIN: "beta",
        (CHAIN, "--beta", "0"): "needs beta > 0, not 0",
        (CHAIN, "--beta", "-1"): "needs beta > 0, not -1",
        (CHAIN, "--beta", "warm"): "--beta: 'warm' is not a finite number",
        (CHAIN, "--beta", "4", "--gamma", "1"): "needs 0 < gamma < 1, not 1",
        # Wider tubes than the polytope: no token ever leaves, and the mean that is asked for is infinite.
        (CHAIN, "--beta", "4", "--eps", "4"): "no picks lead out of the tubes",
        (CHAIN, "--beta", "4", "--quantiles", "1"): "--quantiles needs numbers between 0 and 1, not 1",
        (CHAIN, "--beta", "4", "--before", "3/2"): "--before needs whole numbers",
        (CHAIN, "--vertices", "[[1]]"): "give an instance or --vertices",
        (CHAIN.replace("[0,1]", "[0,2]"), "--beta", "4"): "group must name vertices 0..1",
        ("--vertices", "1", "--beta", "4"): "--vertices needs rows of numbers",
        ("--vertices", "[[1],[-1]]", "--tokens", "[[1],[-1],[0]]", "--beta", "4"): "3 tokens for 2 vertices",
        ("nowhere.json", "--beta", "4"): "nowhere.json",
    },
}
"""By the words that commands begin with: what follows, a word or several, and a part of the sentence."""

ROWS = [(begun, more, told) for begun, rows in REFUSED.items() for more, told in rows.items()]


@pytest.mark.parametrize(("begun", "more", "told"), ROWS, ids=[f"{begun}: {told}" for begun, _, told in ROWS])
def test_what_cannot_be_used_is_named_and_nothing_is_written(begun, more, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    there = Path("there.py")
    there.write_text("kept", encoding="utf-8")
    sentence = refused(*begun.split(), *([more] if isinstance(more, str) else more))
    assert told in sentence
    assert len(sentence) < 5000, "what is quoted of the input may be of any length"
    assert [*Path().iterdir()] == [there]
    assert there.read_text(encoding="utf-8") == "kept"
