"""Every outcome of a command has its exit code, every option goes where it is meant, and every count is a recount."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from itertools import chain, combinations, product
from pathlib import Path
from types import SimpleNamespace

import pytest

from claims.atlas.sheets.sheet import sheet_of
from claims.campaigns.campaign import Event
from claims.campaigns.engines import CampaignError, LostError
from claims.certificates.constants import ConstantStatus
from claims.cli import check as check_command
from claims.cli import drop as drop_command
from claims.cli import formats, ledgers, terminal
from claims.cli import hunt as hunt_command
from claims.cli import mutate as mutate_command
from claims.cli import report as report_command
from claims.cli import sharpen as sharpen_command
from claims.cli import sweep as sweep_command
from claims.cli import verify as verify_command
from claims.cli.stopping import Stopped
from claims.cli.wording import LONGEST_REPLAY
from claims.formal import answers, compiling, size_proofs
from claims.hunting.hunt import enclosure_path
from claims.mutating.trial import Fate, Result
from claims.proving.accepted import proofs_of
from claims.stating.catalogue import catalogue, kind_of, matching
from claims.stating.coverage import coverage
from claims.stating.experiments import Word as Experiment
from claims.stating.statement import PAPERS, Origin, Standing
from claims.targets.target import Target
from claims.verifying.dropping import Drop
from claims.verifying.tallies import ENOUGH, Tally
from claims.verifying.tasks import Report
from tests.calling import lines_printed, printed_by, refused, run


def some_of(things):
    """Every choice of the things, that of none first."""
    things = list(things)
    return chain.from_iterable(combinations(things, count) for count in range(len(things) + 1))


# ---------------------------------------------------------------------------------------------------------------------
# What is listed


def test_every_listed_claim_is_told_as_it_is():
    for entry, claim in zip(json.loads(run("list", "--json").stdout), catalogue().values(), strict=True):
        assert entry == {
            "id": claim.id,
            "refs": [*claim.refs],
            "paper": claim.id.partition(".")[0],
            "statement": claim.statement,
            "origin": str(claim.origin),
            "standing": claim.standing_word,
            "kind": kind_of(claim),
            "corrected_by": claim.corrected_by,
            "assumptions": [one.name for one in claim.assumptions],
            "conclusions": [one.name for one in claim.conclusions],
        }
        assert claim.standing_word in ("true", "false as printed", "false", "open", "empirical", "not yet")


@pytest.mark.parametrize("asked", [(), ("frank_wolfe",), ("clusters.hull_shrinks", "localmax"), ("Theorem 5.4",)])
def test_places_are_those_of_the_papers_or_of_the_claims_that_are_asked_for(asked):
    """Of a whole paper its places without claims, too."""
    ids = {claim.id for claim in matching(asked, everywhere=True)}
    expected = []
    for paper in PAPERS:
        whole = {claim.id for one in coverage(paper) for claim in one.claims} <= ids
        for one in coverage(paper):
            own = [claim.id for claim in one.claims]
            if whole or ids.intersection(own):
                expected.append({"paper": paper, "printed": one.printed, "claims": own, "reason": one.reason or None})
    assert json.loads(run("list", "--coverage", *asked, "--json").stdout) == expected
    *lines, last = run("list", "--coverage", *asked).stdout.splitlines()
    assert len(lines) == len(expected) + len({one["paper"] for one in expected})
    assert last == f"{len([one for one in expected if one['claims']])} of {len(expected)} places have claims"


@pytest.mark.parametrize("asked", [("clusters.*distances*",), ("localmax",)])
def test_what_is_proved_is_listed_conclusion_by_conclusion(asked):
    claims = matching(asked, everywhere=True)
    expected = [(claim.id, one.conclusion, one.for_all, one.how) for claim in claims for one in proofs_of(claim.id)]
    listed = json.loads(run("list", "--proved", *asked, "--json").stdout)
    assert [(one["id"], one["conclusion"], one["for_all"], one["how"]) for one in listed] == expected
    *lines, last = run("list", "--proved", *asked).stdout.splitlines()
    proved = list(dict.fromkeys(one[0] for one in expected))
    assert last == f"something is proved for all real inputs of {len(proved)} of {len(claims)} claims"
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == proved
    sizes = {}
    for name, conclusion, for_all, _ in expected:
        sizes.setdefault((name, conclusion), []).append(for_all)
    told = [f"  {conclusion}: PROVED for all {'; '.join(every)}" for (_, conclusion), every in sizes.items()]
    assert [line for line in lines if line.startswith(" ")] == told


# ---------------------------------------------------------------------------------------------------------------------
# Exit codes


@pytest.fixture
def theorems(monkeypatch):
    """What `claims formal` is answered, and what it does with the answers."""
    told = SimpleNamespace(answers={}, written=[], put=[])

    def put(found):
        told.put.append(dict(found))
        return {name: answers.Told(told.answers[name].word, "by Coq", axioms=one.axioms) for name, one in found.items()}

    monkeypatch.setattr(size_proofs, "select", lambda _: dict(told.answers))
    monkeypatch.setattr(compiling, "has_coq", lambda: True)
    monkeypatch.setattr(answers, "put_to_coq", put)
    monkeypatch.setattr(answers, "write_library", lambda found, folder: told.written.append((found, folder)))
    return told


def test_theorems_fail_where_the_kernel_accepts_one_not(theorems, tmp_path):
    # The first word of each choice comes twice: who counts kinds of answers tells 1 of it.
    for words in some_of(answers.TheoremStatus):
        theorems.answers = {f"{k}.json": answers.Told(word, f"because {k}") for k, word in enumerate((*words, *words[:1]))}
        code = int(answers.TheoremStatus.REJECTED in words)
        said = run("formal", code=code).stdout.splitlines()
        assert said[:-1] == [f"{k}  {one.text}" for k, one in enumerate(theorems.answers.values())]
        counts = [f"{1 + (word is words[0])} {word}" for word in answers.TheoremStatus if word in words]
        assert said[-1] == ", ".join(counts)
    assert not theorems.put
    assert not theorems.written
    said = run("formal", "--check", "--out", tmp_path, code=1).stdout
    assert "because" not in said, "what the kernel says is told, and written"
    assert [folder for _, folder in theorems.written] == [tmp_path]
    assert {one.reason for found, _ in theorems.written for one in found.values()} == {"by Coq"}


def test_each_axiom_is_told_once_in_words(theorems):
    axioms = (*compiling.AXIOMS, "other.axiom")
    theorems.answers = {name: answers.Told(answers.TheoremStatus.STATED, "", axioms=axioms) for name in ("a", "b")}
    assert run("formal").stdout.splitlines()[-1] == f"axioms: {', '.join(sorted(set(compiling.AXIOMS.values())))}"
    theorems.answers = {"a": answers.Told(answers.TheoremStatus.STATED, "", axioms=("other.axiom",))}
    assert "axioms" not in run("formal").stdout


def test_the_checker_gets_every_option_and_tells_the_code(monkeypatch):
    asked = []

    def ran(command, **_):
        asked.append(command[command.index("claims.checker") + 1 :])
        return SimpleNamespace(returncode=3)

    monkeypatch.setattr(check_command.subprocess, "run", ran)
    monkeypatch.setattr("claims.cli.formal.tell_answers", lambda named, out, check: asked.append((named, out, check)) or 1)
    run("check", "a.json", "b.json", code=3)
    run("check", "a.json", "--run-source", "--json", "found.json", code=3)
    run("check", "--published", "localmax", "--out", "folder", code=3)
    assert asked == [
        ["--", "a.json", "b.json"],
        ["--run-source", "--json", "found.json", "--", "a.json"],
        ["--published", "--out", "folder", "--", "localmax"],
    ]
    run("check", "--published", "localmax", "--formal", code=1)
    assert asked[3:] == [["--published", "--", "localmax"], (["localmax"], None, True)]
    assert "say --published" in refused("check", "a.json", "--formal")
    assert "name certificates" in refused("check")


def test_constants_fail_where_a_printed_value_of_what_is_not_held_false_is_refuted(monkeypatch, tmp_path):
    """A lost task and a stopped run have codes of their own, and come first."""
    monkeypatch.setattr(sharpen_command, "settings_of", lambda *_: {})
    monkeypatch.setattr(sharpen_command, "_print_found", lambda *_: None)
    plan = SimpleNamespace(work=1.0)
    for word, false, printed, lost, stop in product(
        (ConstantStatus.SHARP, ConstantStatus.REFUTED), (0, 1), (0, 1), (0, 1), (None, 15)
    ):
        one = {"word": word.value} | ({"held_false": True} if false else {}) | ({"printed": "2"} if printed else {})
        # Between two others: a code by the first bracket or the last one is noticed.
        plan.found, plan.lost = [{"word": "sharp"}, one, {"word": "sharp"}], {"key": "it died"} if lost else {}
        ended = ledgers.Ended(plan, None if stop is None else Stopped(stop))
        monkeypatch.setattr(sharpen_command, "run_independent", lambda *_, ended=ended: ended)
        wrong = word is ConstantStatus.REFUTED and not false and not printed
        code = 128 + stop if stop else 3 if lost else int(wrong)
        found = tmp_path / "found.json"
        said = run("sharpen", "clusters.hull_shrinks", "--out", tmp_path, "--json", found, code=code).stdout
        assert ("lost: it died" in said) == bool(lost)
        assert ("stopped; continue with: claims sharpen --resume" in said) == bool(stop)
        assert "3 constants, " in said
        assert json.loads(found.read_text()) == {"brackets": plan.found}


def test_mutants_fail_below_the_score_and_where_a_declared_one_is_noticed(monkeypatch, tmp_path):
    claim = catalogue()["localmax.hull_shrinks"]
    counted = (Fate.KILLED, Fate.SURVIVED, Fate.NOT_DECIDED)
    monkeypatch.setattr(mutate_command, "workers", lambda _: nullcontext())
    monkeypatch.setattr(mutate_command, "_print_found", lambda *_: None)
    monkeypatch.setattr(mutate_command, "proof_of", lambda _, mutant: mutant.proof)
    # What is declared equivalent counts neither way, so that a score may be of nothing at all.
    one_each = [(fate,) for fate in Fate]
    for fates, declared, least in [
        *((fates, None, 50) for fates in (*one_each, counted[:2], counted[1:], counted[::2], (*Fate,))),
        *((fates, fates[0], 0) for fates in one_each),
        ((Fate.KILLED, Fate.EQUIVALENT), Fate.EQUIVALENT, 100),
        (counted[:2], None, 51),
    ]:
        mutants = [
            SimpleNamespace(name=fate.value, index=0, kind="sign", proof="so" if fate is declared else None)
            for fate in fates
        ]
        monkeypatch.setattr(mutate_command, "mutants_of", lambda _, mutants=mutants: mutants)
        monkeypatch.setattr(mutate_command, "equivalents", lambda _: {})
        monkeypatch.setattr(
            mutate_command, "run_mutants", lambda _, missing, *__: [(one, Result(Fate(one.name))) for one in missing]
        )
        among = [fate for fate in fates if fate in counted]
        score = 100 * among.count(Fate.KILLED) / len(among) if among else None
        wrong = declared is Fate.KILLED and Fate.KILLED in fates
        code = int(wrong or (score is not None and score < least))
        run("mutate", claim.id, "--least", least, "--json", tmp_path / "fates.json", code=code)
        found = json.loads((tmp_path / "fates.json").read_text())
        ((paper, summary),) = found["papers"].items()
        assert paper == "localmax"
        assert summary == {
            "mutants": len(fates),
            **{fate.value: int(fate in fates) for fate in Fate},
            "score": None if score is None else round(score, 1),
        }


OUTCOMES = ("contradicts", "says_nothing", "failures", "stopped", "lost", "broken")


@pytest.mark.parametrize("outcomes", [one for one in some_of(OUTCOMES) if len(one) <= 2])
def test_a_hunt_ends_with_the_code_of_the_gravest_outcome(monkeypatch, tmp_path, outcomes):
    # What a hunt knows of a conclusion, as far as its exit code asks.
    quiet = SimpleNamespace(failures=[], certificate=None, says=())
    loud = SimpleNamespace(failures=["it died"] * ("failures" in outcomes), certificate=None, says=outcomes)
    # Between two others, again: the code is of all that was hunted.
    hunt = SimpleNamespace(hunted=[quiet, loud, quiet], given_up=0, give_up=lambda: None)
    monkeypatch.setattr(hunt_command, "contradicts", lambda one: "contradicts" in one.says)
    monkeypatch.setattr(hunt_command, "says_nothing", lambda one: "says_nothing" in one.says)
    monkeypatch.setattr(hunt_command, "_print_found", lambda *_: None)
    monkeypatch.setattr(hunt_command, "report", lambda *_: {"written": True})

    ledger = SimpleNamespace(begin=lambda *_: None, settings={"code": "another"}, disagreements=list)

    class Shown(nullcontext):
        left, seconds, event, is_over = "", 0.0, None, None

        def start(self):
            """Nothing."""

    def ran(*_):
        errors = {"lost": LostError("gone"), "broken": CampaignError("no scheduler"), "stopped": Stopped(15)}
        for name, error in errors.items():
            if name in outcomes:
                raise error

    monkeypatch.setattr(ledgers, "Ledger", lambda _: nullcontext(ledger))
    monkeypatch.setattr(hunt_command, "hunt_of", lambda _: hunt)
    monkeypatch.setattr(hunt_command, "Progress", lambda *_: Shown())
    engine = SimpleNamespace(workers=1, prepare=lambda _: None)
    monkeypatch.setattr(hunt_command, "engine_of", lambda *_: nullcontext(engine))
    monkeypatch.setattr(hunt_command, "run_campaign", ran)
    monkeypatch.setattr(hunt_command, "hunt_settings", lambda *_: {})
    # In the order in which they count, where several come together.
    codes = {"lost": 3, "broken": 2, "stopped": 143, "contradicts": 1, "says_nothing": 3, "failures": 3}
    code = next((codes[name] for name in codes if name in outcomes), 0)
    written = tmp_path / "found.json"
    said = run("hunt", "localmax.hull_shrinks", "--out", tmp_path / "hunt", "--json", written, code=code).output
    assert written.exists() == (not {"lost", "broken"} & {*outcomes})
    assert ("claims hunt --resume" in said) == ((code in (2, 3) and not written.exists()) or code == 143)


# ---------------------------------------------------------------------------------------------------------------------
# Options


def test_every_option_of_a_bracket_goes_where_it_is_meant(monkeypatch, tmp_path):
    asked = []
    ended = ledgers.Ended(SimpleNamespace(found=[], lost={}, work=0.0), None)
    monkeypatch.setattr(sharpen_command, "settings_of", lambda *given: asked.append(given) or {"here": True})
    monkeypatch.setattr(sharpen_command, "run_independent", lambda *given: asked.append(given) or ended)
    monkeypatch.chdir(tmp_path)
    options = ("--constant", "room", "--around", "room=2", "--size", "n=3,d=2", "--budget", "2m", "--starts", 7)
    run("sharpen", "clusters.hull_shrinks", *options, "--to", "2.5%", "--seed", 5, "--jobs", 3, "--out", "there")
    (claims, *settings, _, width), (name, folder, given, _, _, engine, _) = asked
    assert [claim.id for claim in claims] == ["clusters.hull_shrinks"]
    assert settings == [["room"], ["room=2"], {"n": 3, "d": 2}, 120.0, 7, 5]
    # 2.5% as an exact part: as a float it would be compared with rationals.
    assert (width, name, str(folder), given, engine) == ("1/40", "sharpen", "there", {"here": True}, (None, 3))
    asked.clear()
    run("sharpen", "clusters.hull_shrinks", "localmax.hull_shrinks", "--cluster", "tcp://host:1")
    (claims, *settings, _, width), (_, folder, *_, engine, _) = asked
    assert (len(claims), settings, width) == (2, [[], [], None, None, None, 0], "1/1000")
    assert (str(folder), engine[0]) == ("brackets/clusters.hull_shrinks-localmax.hull_shrinks-seed0", "tcp://host:1")
    # The folder that was named is there now, and the next one after that.
    folder.mkdir(parents=True)
    for k in (2, 3):
        run("sharpen", "clusters.hull_shrinks", "localmax.hull_shrinks")
        assert asked[-1][1].name == f"clusters.hull_shrinks-localmax.hull_shrinks-seed0-{k}", "a folder is not used twice"
        asked[-1][1].mkdir()


def test_every_option_of_a_hunt_goes_where_it_is_meant(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(hunt_command, "hunt_settings", lambda *given: asked.append(given) or {"here": True})
    monkeypatch.setattr(hunt_command, "_run", lambda *given: asked.append(given) or 0)
    monkeypatch.chdir(tmp_path)
    options = ("--drop", "a", "--drop", "b", "--only", "c", "--sharpen", "k=2", "--starts", 9, "--seed", 4)
    run("hunt", "localmax.hull_shrinks", *options, "--jobs", 3, "--out", "there", "--json", "found.json")
    (claims, *given, processes, _, only), (folder, settings, jobs, cluster, json_file) = asked
    assert [claim.id for claim in claims] == ["localmax.hull_shrinks"]
    assert (given, processes, only) == ([["a", "b"], ["k=2"], None, 9, 4], 3, ["c"])
    assert (str(folder), settings, jobs, cluster, str(json_file)) == ("there", {"here": True}, 3, None, "found.json")
    asked.clear()
    run("hunt", "localmax.hull_shrinks", "--budget", "2m")
    assert asked[0][1:6] == ([], [], "2m", None, 0)
    assert str(asked[1][0]) == "hunts/localmax.hull_shrinks-seed0"


def test_the_words_of_an_erratum_are_those_of_the_statements_named(tmp_path):
    for paper in PAPERS:
        sheet = sheet_of(next(claim.paper for claim in catalogue().values() if claim.paper.key == paper))
        rows = {row.claim.id: row.defect.quotation for part in sheet.parts.values() for row in part}
        for name in list(rows)[:3]:
            said = run("errata", paper, name).stdout
            together = next(row.claims for part in sheet.parts.values() for row in part if row.claim.id == name)
            # A sentence that several claims are about is told with the first of them.
            assert [one for one in rows if rows[one] in said] == [together[0].id]
    other = next(claim.id for claim in matching(["clusters"]) if claim.standing_word == "true")
    assert "no false statement in the words of clusters" in refused("errata", "clusters", other)
    assert "no false statement in the words of localmax" in refused("errata", "localmax", "clusters")
    assert "--out writes the whole sheet" in refused("errata", "clusters", other, "--out", tmp_path / "sheets")
    assert not (tmp_path / "sheets").exists()


# Twice 7.4 seconds are just below the 15 between two lines.
@pytest.mark.parametrize("since", [0.0, 7.4, 15.0])
def test_independent_tasks_say_how_far_they_are_at_first_and_now_and_then(monkeypatch, tmp_path, capsys, since):
    """And at once what fails."""
    plan = SimpleNamespace(tasks={1: {}, 2: {}, 3: {}, 4: {}}, results={}, left=4, lost={})

    @contextmanager
    def begun(*_):
        yield None, {}, plan

    def ran(_ledger, _plan, _work, _engine, show):
        for number in (1, 2, 3):
            plan.results[number], plan.left = {}, 4 - number
            clock.now += since
            show(Event("recorded", text=f"task {number}"))
        show(Event("failed", text="it died"))
        show(Event("started", text="quietly"))

    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(ledgers, "begun", begun)
    monkeypatch.setattr(ledgers, "engine_of", lambda *_: nullcontext())
    monkeypatch.setattr(ledgers, "run_campaign", ran)
    monkeypatch.setattr(ledgers, "time", SimpleNamespace(monotonic=lambda: clock.now))
    ended = ledgers.run_independent("sharpen", tmp_path, {}, None, "", (None, 1), lambda event: event.text)
    lines = capsys.readouterr().out.splitlines()
    told = [line.partition(" tasks in ")[0] for line in lines if " tasks in " in line]
    assert told == (["1 of 4", "2 of 4", "3 of 4"] if since >= ledgers.QUIET else ["1 of 4"])
    assert ("it died" in lines, "quietly" in lines, ended.stopped) == (True, False, None)


# ---------------------------------------------------------------------------------------------------------------------
# What is told of a hunt


def hunted(name="supports_contract", **found):
    """What is known of a conclusion that was hunted: nothing but what is given."""
    claim = catalogue()["localmax.hull_shrinks"]
    conclusion = next(one for one in claim.conclusions if one.name == name)
    nothing = {"certificate": None, "violation": None, "tightest": None, "failures": [], "enclosure": None}
    counts = dict.fromkeys(("evaluations", "proposed", "certified", "rejected", "undecided", "starts", "decided"), 1)
    more = {"no_enclosure": None, "outside": Counter(), "finished": True, "idle": "", "seconds": 2.0}
    return SimpleNamespace(**nothing | counts | more | {"target": Target.of(claim, conclusion)} | found)


def certified(lower, upper, times=(), instance=None):
    """A certificate of a violation, as far as it is told."""
    slack = {"lower": lower, "upper": upper}
    return {"violation": {"slack": slack, "times": [*times], "known": "exact"}, "instance": instance or {"x": 1}}


def told_of_hunt(*found, paths=None):
    """The lines that are printed of these."""
    return lines_printed(
        lambda console: hunt_command._print_found(console, SimpleNamespace(hunted=[*found]), paths or {}, 3.0)
    )


def test_a_hunt_tells_the_counts_of_every_conclusion():
    # Another number in each column, so that none passes for its neighbour.
    counts = dict(zip(("evaluations", "proposed", "certified", "rejected", "undecided"), (11, 12, 13, 14, 15), strict=True))
    one = hunted(**counts, tightest={"slack": "1/7"})
    other = hunted("new_tokens_stay_in_hull", evaluations=5, violation={"slack": "-1", "instance": {"x": 1}})
    rest = told_of_hunt(one, other)
    rows = [line.split() for line in rest]
    assert rows.count(["localmax.hull_shrinks", "true"]) == 1
    assert ["supports_contract", "survived", "11", "12", "13", "14", "15", "1/7"] in rows
    assert ["new_tokens_stay_in_hull", "VIOLATED,", "not", "reduced", "5", "1", "1", "1", "1"] in rows
    assert rest[-1] == "16 starts in 3.0 s (4.0 s of work)"
    assert "  slack -1, decided, but neither made small nor certified" in rest
    assert "    claims verify localmax.hull_shrinks --instance '{\"x\":1}'" in rest
    assert "REFUTED: localmax.hull_shrinks.new_tokens_stay_in_hull is held to be true" in rest
    assert sum(line.startswith("REFUTED") for line in rest) == 1


def test_a_hunt_tells_a_counterexample_and_what_decides_it_again():
    path = Path("folder of mine/a.json")
    for times, when in (((), ""), (["1/2"], " at time 1/2"), (["1/2", "1"], "")):
        one = hunted(certificate=certified("-1/3", "-1/3", times), violation={})
        rest = told_of_hunt(one, paths={0: path})
        assert f"  slack -1/3{when}, exact" in rest
        assert "    claims check 'folder of mine/a.json'" in rest
    one = hunted(certificate=certified("-1/3", "-1/4"), violation={}, enclosure={"some": "data"}, no_enclosure="too long")
    rest = told_of_hunt(hunted(), one, paths={1: path})
    assert f"    claims check 'folder of mine/a.json' {shlex.quote(str(enclosure_path(path)))}" in rest
    assert any("no enclosure of the trajectory is written: too long" in line for line in rest)
    # Exact, and too long to be told whole.
    small = "-1/1234567890123"
    for lower, upper in (("-1/3", "-1/4"), ("-2.000001", "-1.9999999"), ("1/5", "1/2"), (small, small)):
        # Nearer to zero than both ends, never farther: no digit claims more than was decided.
        told = Fraction(hunt_command._slack_of(certified(lower, upper)))
        nearest = min(abs(Fraction(lower)), abs(Fraction(upper)))
        assert nearest * (1 - Fraction(1, 10**5)) <= abs(told) <= nearest
        assert (told < 0) == (Fraction(lower) < 0)


def test_a_hunt_tells_what_was_lost_and_what_says_nothing():
    lost = hunted(failures=["it died", "it died", "it hung"], decided=0)
    rest = told_of_hunt(lost)
    assert [line.partition(": ")[2] for line in rest if ": lost " in line] == ["lost it died (2 times)", "lost it hung"]
    assert any("1 decisions came to no end" in line for line in rest)
    assert not any("came to no end" in line for line in told_of_hunt(hunted()))
    outside = hunted(outside=Counter(part=3))
    assert any("candidates that left the hypotheses: 3 by part" in line for line in told_of_hunt(outside))
    long = {"x": ["1"] * LONGEST_REPLAY}
    rest = told_of_hunt(hunted(violation={"slack": "-1", "instance": long}))
    assert any("characters long: it is in the files of the hunt" in line for line in rest)
    assert not any("--instance" in line for line in rest)


def test_a_report_has_one_word_by_its_standing_and_its_verdicts():
    # The same tally is borne out or not, as the standing has it.
    def word(standing, **more):
        tally = Tally("slack", "state", instances=1, **more)
        return formats._word_of(Report("a.b", (), Origin.OURS, standing, [tally], 1.0))[0]

    assert word(Standing.TRUE, holds=1) == word(Standing.FALSE, violated=1) == "borne out"
    assert word(Standing.TRUE, violated=1) == word(Standing.FALSE, holds=1) == "NOT BORNE OUT"
    assert word(Standing.OPEN, violated=1) == "NEWS: VIOLATED"
    words = [Experiment.BORNE_OUT, Experiment.NOT_TOLD, Experiment.NOT_RECORDED, Experiment.BORNE_OUT]
    assert word(Standing.EMPIRICAL, readings=[{"word": one} for one in words]) == "2 of 3 comparisons borne out"
    assert word(Standing.EMPIRICAL, readings=[{"word": Experiment.NOT_RECORDED}]) == "not recorded"


# ---------------------------------------------------------------------------------------------------------------------
# What is told of a run


def test_every_finding_without_an_assumption_is_told_with_its_counts():
    """One search of each kind, of two claims; the totals are those of all searches."""
    violation = {"slack": "-1/9", "instance": {"system": "S", "x": [1]}, "known": "exact", "reason": ""}
    found = {
        "needed: VIOLATED 2, survived 3": {"violated": 2, "holds": 3, "violation": violation},
        "not needed in 4 starts, UNDECIDED 5": {"holds": 4, "undecided": 5, "screened": 7},
        "UNDECIDED 6, vacuous 8": {"undecided": 6, "vacuous": 8, "reasons": Counter(late=4, early=2)},
        "vacuous 9": {"vacuous": 9, "instances": 9},
        "not built: no start breaks just this": {"missed": Counter(alike=3, apart=1)},
        "failed": {"error": "a formula failed"},
    }
    claims = [catalogue()[name] for name in ("localmax.hull_shrinks", "clusters.hull_shrinks")]
    drops = [
        Drop(claim.id, (), claim.origin, Standing.TRUE, Tally(f"slack{k}", "state", dropped=("it",), **given), (), 1.0)
        for claim in claims
        for k, given in enumerate(found.values())
    ]
    # And one that nothing can break, which has no tally worth telling.
    drops += [Drop(claims[1].id, (), Origin.OURS, Standing.TRUE, Tally("none", "state", dropped=("it",)), ("it",), 1.0)]
    lines = printed_by(drop_command, lambda: drop_command.print_drops(drops, claims, 2.0))
    for k, told in enumerate(found):
        assert sum(f"slack{k} without it" in line and f"  {told}  " in f"{line}  " for line in lines) == 2, told
    assert sum(line.strip().endswith("this suite has no way to break it state") for line in map(squeezed, lines)) == 1
    for claim in claims:
        assert sum(squeezed(line) == f"{claim.id} true" for line in lines) == 1
        assert lines.count(f"{claim.id} (true)") == 1
    for told in (
        "  slack2 without it: UNDECIDED 6, 4 because late",
        "  slack4 without it: no start breaks just this: 3 alike, 1 apart",
        "  slack5 without it: failed: a formula failed",
        "  slack0 without it = -1/9, exact",
    ):
        assert lines.count(told) == 2, told
    counts = "2 needed, 2 not needed, 2 undecided, 2 vacuous, 2 failed, 2 not built, 1 no way to break it"
    assert lines[-2:] == [f"13 searches without an assumption: {counts}", "UNDECIDED: 22; float64 starts: 14; 2.0 s"]


def squeezed(line):
    return " ".join(line.split())


def test_the_totals_of_a_run_are_those_of_all_its_conclusions():
    """An experiment's comparisons are no instances that are undecided."""
    claims = [catalogue()[name] for name in ("localmax.hull_shrinks", "clusters.hull_shrinks")]
    claims.append(next(claim for claim in catalogue().values() if claim.standing is Standing.EMPIRICAL))
    exact, ball = Counter(exact=3), Counter(exact=1, certified=2)
    first = [
        # 12.7 digits in common are told as 12: rounded to the nearest they would be one more than there are.
        Tally("a", "state", instances=3, holds=3, decided_by=exact, kinds=Counter(x=3), screened=5, agreement=20.9),
        Tally("b", "state", holds=3, undecided=2, vacuous=4, decided_by=ball, reasons=Counter(late=2), agreement=12.7),
    ]
    second = [Tally("c", "state", undecided=1, reasons=Counter(early=1), kinds=Counter(y=9), objection=None)]
    third = [Tally("d", "experiment", undecided=7, readings=[{"word": "borne out", "name": "n", "text": "seen"}])]
    reports = [
        Report(claim.id, (), claim.origin, claim.standing, tallies, 1.0)
        for claim, tallies in zip(claims, (first, second, third), strict=True)
    ]

    def told(in_full):
        return printed_by(verify_command, lambda: verify_command.print_reports(reports, claims, 2.0, in_full=in_full))

    full, short = told(True), told(False)
    for lines in (full, short):
        (decided,) = (line for line in lines if line.startswith("decided: "))
        assert decided.endswith("UNDECIDED: 3; vacuous: 4; float64 starts: 5")
        assert "4 exact" in decided
        assert "2 certified" in decided
        assert "experiments that do not bear out what is printed, or were not run: 7" in lines
        (agreed,) = (line for line in lines if line.startswith("mpmath agrees"))
        assert "to 12 digits or more on 2 tightest instances" in agreed
        assert agreed.endswith(f"to the fewest on {claims[0].id}.b")
        asked = [one.borne_out for one in reports]
        borne, waiting = asked.count(True), asked.count(None)
        last = next(line for line in lines if "standings borne out" in line)
        assert last.startswith(f"{borne} of {len(asked) - waiting} standings borne out, 1 empirical")
    assert "kinds of start: y 9, x 3" in full
    assert f"UNDECIDED: {claims[0].id}.b: late (2 of 2)" in full
    assert f"UNDECIDED: {claims[1].id}.c: early (1 of 1)" in full
    assert "d: n: seen" in full
    assert not any(line.startswith(("kinds of start", "UNDECIDED: ")) for line in short)
    assert any(line.startswith("-v prints every conclusion") for line in short)
    assert not any(line.startswith(("-v prints", "a statement held false is left")) for line in full)
    first[0].violated = ENOUGH
    assert f"a statement held false is left after {ENOUGH} violations" in told(True)


@pytest.mark.parametrize("shown", formats.Format)
def test_a_report_fails_where_something_is_missing_or_not_borne_out(monkeypatch, tmp_path, shown):
    claims = matching(["localmax"])[: verify_command.MOST_IN_FULL + 1]
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setattr(report_command, "_read", lambda _: {})
    monkeypatch.setattr(report_command, "report_of", lambda one: one)
    # Fewer claims than are told in full, and one more.
    for missing, violated, many in product(([], ["it is gone"]), (0, 1), (True, False)):
        tallies = [Tally("slack", "state", instances=1, violated=violated, holds=1 - violated)]
        some = claims if many else claims[:2]
        reports = [Report(one.id, (), one.origin, Standing.TRUE, tallies, 1.0) for one in some]
        monkeypatch.setattr(report_command, "merged", lambda _, found=(reports, missing): ({"claims": found[0]}, found[1]))
        monkeypatch.setattr(report_command, "write_json", lambda path, data: path.write_text(str(len(data["claims"]))))
        monkeypatch.setattr(report_command, "printed", lambda shown, _, found: f"{len(found)} as {shown}")
        files = ("--json", tmp_path / "found.json", "--junit", tmp_path / "found.xml")
        for verbose in ((), ("--verbose",)):
            result = run("report", "a.json", "--format", shown, *files, *verbose, code=int(violated or bool(missing)))
            assert ("missing: it is gone" in result.stderr) == bool(missing)
            assert (f"{len(some)} as {shown}" in result.stdout) == (shown != "table")
            if shown == "table":
                assert ("  slack" in result.stdout) == (not many or bool(verbose))
        assert (tmp_path / "found.json").read_text() == str(len(some))
        assert (tmp_path / "found.xml").read_text().count("<error") == len(missing)
    assert summary.exists() == (shown == "github")
    said = run("report", "a.json", "--junit", tmp_path / "no" / "a.xml", code=2)
    assert "cannot be written" in said.stderr


AGAIN = {
    "hunt": ("--file a.py", "--drop a", "--only a", "--sharpen a=1", "--budget 2m", "--starts 3", "--out a", "--seed 1"),
    "sharpen": (
        *("--file a.py", "--constant a", "--around a=1", "--size n=3", "--budget 2m", "--starts 3", "--out a"),
        *("--seed 1", "--to 1%"),
    ),
    "sweep": ("--seeds 3", "--out a"),
}
"""Options that say what is asked, which a campaign is begun with."""


@pytest.mark.parametrize("command", AGAIN)
def test_what_is_resumed_is_not_asked_anew(tmp_path, monkeypatch, command):
    monkeypatch.setattr(sweep_command, "missing", lambda: "")
    for option in AGAIN[command]:
        told = refused(command, "--resume", tmp_path, *option.split())
        assert told.endswith(f"as it was begun: {option.split()[0]} cannot be given again"), option
    name = {"sweep": "DESIGN"}.get(command, "PATTERN")
    asked = "figure-4" if command == "sweep" else "localmax"
    assert f"begun: {name} cannot be given again" in refused(command, asked, "--resume", tmp_path)
    told = refused(command, asked, "--out", tmp_path / "new", "--jobs", 2, "--cluster", "tcp://127.0.0.1:1")
    assert "--jobs are local processes" in told
    assert "its folder does not exist" in refused(command, asked, "--json", tmp_path / "no" / "a.json")
    assert not (tmp_path / "new").exists()


def test_json_on_standard_output_stands_alone(monkeypatch, tmp_path):
    monkeypatch.setitem(terminal._results, "stderr", False)  # which commands that come later find as it was
    plan = SimpleNamespace(found=[], lost={}, work=0.0, results={}, tasks={})
    for module in (sharpen_command, sweep_command):
        monkeypatch.setattr(module, "run_independent", lambda *_: ledgers.Ended(plan, None))
    monkeypatch.setattr(sharpen_command, "settings_of", lambda *_: {})
    monkeypatch.setattr(sweep_command, "missing", lambda: "")
    monkeypatch.setattr(report_command, "_read", lambda _: {})
    monkeypatch.setattr(report_command, "merged", lambda _: ({"claims": []}, []))
    for call, written in (
        (("sharpen", "localmax", "--out", tmp_path), {"brackets": []}),
        (("sweep", "figure-4", "--out", tmp_path), {"tasks": []}),
        (("report", "a.json"), {"claims": []}),
    ):
        result = run(*call, "--json", "-")
        assert json.loads(result.stdout) == written
        assert result.stderr
