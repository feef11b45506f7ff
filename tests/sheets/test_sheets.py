"""A sheet tells each false statement of a paper whole, in texts that compile, with a counterexample that counts."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from itertools import product
from types import SimpleNamespace

import pytest
from latex2mathml.converter import convert

from claims.atlas.sheets.interest import OF_INTEREST
from claims.atlas.sheets.sheet import Row, SheetError, lines_of, sheet_of
from claims.atlas.sheets.writing import (
    as_latex,
    as_markdown,
    as_page,
    consequence,
    cover,
    formulas,
    how_checked,
    html,
    latex,
    sizes_proved,
    standing_places,
)
from claims.certificates.published import certificate_of, name_of
from claims.proving.table import proved_of
from claims.stating.catalogue import catalogue, defect_of, kind_of
from claims.stating.defects import Defect, Kind
from claims.stating.derived import derivations
from claims.stating.statement import PAPERS, Origin, Standing
from claims.stating.verdict import Outcome
from claims.verifying.deciding import check
from tests.calling import refused, run

THEIRS = (Origin.PRINTED, Origin.REPORTED)
FALSE = [claim for claim in catalogue().values() if claim.standing is Standing.FALSE]
TOLD = [claim for claim in FALSE if isinstance(claim.defect, Defect)]
SHOWN = [claim for claim in TOLD if not claim.hand or not claim.hand.by_argument]


@pytest.fixture(scope="module", params=PAPERS)
def sheet(request):
    return sheet_of(PAPERS[request.param])


def rows_of(sheet):
    return [row for part in sheet.parts.values() for row in part]


def texts(claim):
    """Every piece of prose that a row is made of."""
    defect = claim.defect
    yield from (defect.quotation, defect.context, defect.wrong, defect.correction, defect.reading)
    yield from (one.why for one in defect.consequences)
    yield from (one.where for one in defect.consequences)
    yield from lines_of(claim)


@pytest.mark.parametrize("claim", FALSE, ids=lambda claim: claim.id)
def test_a_false_statement_says_what_kind_of_error_it_is(claim):
    kind = kind_of(claim)
    if claim.origin in THEIRS:
        assert kind not in (None, Kind.QUESTION, Kind.NOT_CARRIED_OVER)
        assert defect_of(claim) is not None
        if isinstance(claim.defect, str):
            assert catalogue()[claim.defect].origin is claim.origin
    else:
        assert claim.defect is None
        assert kind in (Kind.QUESTION, Kind.NOT_CARRIED_OVER)


@pytest.mark.parametrize("claim", TOLD, ids=lambda claim: claim.id)
def test_a_defect_is_told_in_formulas_that_are_some_and_by_claims_that_are_held_true(claim):
    for text in texts(claim):
        for is_formula, part in formulas(text):
            if is_formula:
                assert "merror" not in convert(part)
            else:  # a command of TeX, or a formula as it is typed in ASCII, would be shown as it stands
                assert not re.search(r"[\\_^]|<=|>=|->", part), part
    assert claim.defect.consequences
    for one in claim.defect.consequences:
        assert catalogue()[one.shown_by].standing is Standing.TRUE
        assert catalogue()[one.shown_by].paper is claim.paper
    assert len(lines_of(claim)) in (2, 3, 4)
    if claim.hand.by_argument:
        assert certificate_of(name_of(claim.id, ())) is not None or not claim.hand.instance


@pytest.mark.parametrize("claim", SHOWN, ids=lambda claim: claim.id)
def test_the_instance_to_be_checked_by_hand_is_a_counterexample(claim):
    instance = claim.system.instance(**claim.hand.instance)
    broken = [
        conclusion
        for conclusion in claim.conclusions
        if all(assumption.satisfies(instance) for assumption in claim.assumptions_of(conclusion))
        and check(conclusion, instance).outcome is Outcome.VIOLATED
    ]
    assert broken


def test_a_sheet_has_a_row_for_each_false_statement(sheet):
    told = [claim.id for row in rows_of(sheet) for claim in row.claims]
    false = [claim for claim in FALSE if claim.paper is sheet.paper]
    assert sorted(told) == sorted(claim.id for claim in false if claim.origin in THEIRS)
    markdown, page = as_markdown(sheet), as_page(sheet)
    for part, origin in zip("AB", THEIRS, strict=True):
        rows = sheet.parts[part]
        kinds = [list(Kind).index(row.defect.kind) for row in rows]
        assert kinds == sorted(kinds)
        assert [row.number for row in rows] == [f"{part}{k}" for k in range(1, len(rows) + 1)]
        for row in rows:
            assert row.claim.origin is origin
            assert markdown.count(row.defect.quotation) == 1
            assert page.count(f'id="{row.number}"') == 1
            assert "correction" in how_checked(row)
    for claim in false:  # our own questions are in neither part
        if claim.origin not in THEIRS:
            assert f"`{claim.id}`" not in markdown.partition("## What may interest")[0]
    # A proof does not stand because one of its lines does.
    assert sheet.stands
    assert not [place for place in sheet.stands if place.startswith("proof")]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_the_document_compiles_to_a_few_pages(sheet, tmp_path):
    (tmp_path / "sheet.tex").write_text(as_latex(sheet), encoding="utf-8")
    command = [shutil.which("pdflatex"), "-interaction=nonstopmode", "-halt-on-error", "sheet.tex"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    told = made.stdout.decode(errors="replace")
    assert made.returncode == 0, told[-2000:]
    # Less than ten points beyond the margin are not seen in print.
    assert not re.findall(r"Overfull \\hbox \((\d{2,})", told)
    assert int(re.search(r"\((\d+) pages?", told)[1]) <= 4


def test_what_may_interest_is_ours_or_carried_over():
    for name, told in OF_INTEREST.items():
        assert catalogue()[name].origin not in THEIRS
        assert all(convert(part) for is_formula, part in formulas(told) if is_formula)


COPIED = ("statement", "system", "origin", "paper", "where", "refs", "standing", "corrected_by")


def test_a_statement_that_does_not_say_what_is_wrong_stops_the_sheet():
    claim = next(claim for claim in TOLD if claim.id == "polarization.square_gradient_without_half")
    bare = type(claim)(
        claim.module,
        **{name: getattr(claim, name) for name in COPIED},
    )
    with pytest.raises(SheetError, match="does not say what is wrong"):
        sheet_of(claim.paper, [bare])
    bare.defect = claim.defect
    with pytest.raises(SheetError, match="cannot be checked by hand"):
        sheet_of(claim.paper, [bare])


def test_a_sheet_says_whose_words_it_quotes():
    slides, abstract, text = (as_markdown(sheet_of(PAPERS[key])) for key in ("clusters", "frank_wolfe", "polarization"))
    assert "statements quoted from the slides of a talk on" in slides
    assert "quoted from the slides of a talk on the paper, whose Theorems 1, 2, 3 and 4" in slides
    assert "3 statements quoted from the abstract of" in abstract
    assert "quoted from the text." in text
    assert "> “Suppose $Q^\\top K > 0$." in slides  # in quotation marks, as everything in part A
    assert ">=" not in standing_places(sheet_of(PAPERS["clusters"]))


def test_the_cover_s_counts_are_recounts(sheet):
    theirs = [claim for claim in catalogue().values() if claim.paper is sheet.paper and claim.origin in THEIRS]
    of = Counter(claim.standing for claim in theirs)
    printed, reported = (sum(claim.origin is origin for claim in theirs) for origin in THEIRS)
    proved = sum(bool(proved_of(claim.id)) for claim in theirs if claim.standing is Standing.TRUE)
    rows, told = rows_of(sheet), "\n".join(cover(sheet))
    misprints = sum(row.defect.kind is Kind.MISPRINT for row in rows)
    for count, words in (
        (printed, f"{printed} statements quoted from"),
        (reported, f"{reported} known to us from reports" if printed else f"{reported} statements known from reports"),
        (1, f"{of[Standing.TRUE]} of them stand: we found"),
        (proved, f"and for {proved} a computer proof covers"),
        (of[Standing.OPEN], f"{of[Standing.OPEN]} undecided"),
        (of[Standing.EMPIRICAL], f"{of[Standing.EMPIRICAL]} about trained models"),
        (of[Standing.NOT_YET], f"{of[Standing.NOT_YET]} not checked yet"),
        (misprints, f", {misprints} of which are misprints"),
        (of[Standing.FALSE], f" {of[Standing.FALSE]} do not hold as worded. They make up the {len(rows)} rows below"),
    ):
        assert (words in told) == bool(count), words
        assert bool(count) or words.partition(" ")[2] not in told, words
    lost = [row.number for row in rows if any(not one.survives for one in row.defect.consequences)]
    assert ("everything else that rests on them survives" in told) == (not lost)
    assert ("except for this" in told) == bool(lost)
    assert all(f"({number})" in told for number in lost)
    of_paper, order = f"{sheet.paper.key}.", list(catalogue())
    ours = [one for one in OF_INTEREST.items() if one[0].startswith(of_paper)]
    better = [(one.key[0], one.says) for one in derivations().values() if one.says and one.key[0].startswith(of_paper)]
    better.sort(key=lambda one: order.index(one[0]))
    assert [(claim.id, told) for claim, told in sheet.interest] == [*ours, *better]


def test_every_form_tells_all_of_every_row(sheet):
    for form, write in ((as_latex(sheet), latex), (as_markdown(sheet), str), (as_page(sheet), html)):
        for row in rows_of(sheet):
            defect, after = row.defect, [text for one in row.defect.consequences for text in consequence(one)]
            texts = (defect.quotation, defect.context, defect.reading, defect.wrong, defect.correction, how_checked(row))
            assert all(
                write(text) in form for text in (*texts, *row.lines, *after, row.where, str(defect.kind), row.number)
            )
            assert ("Reading." in form) or not defect.reading
        assert all(write(told) in form for _, told in sheet.interest)
        assert write(standing_places(sheet)) in form


def test_how_a_row_is_known_is_told_by_what_there_is():
    by = "Counterexample by the lines above"
    for known, in_coq, proved, correction in product(("", "exact"), (True, False), ((), ("n = 2, d = 1",)), (None, "it")):
        row = SimpleNamespace(known=known, in_coq=in_coq, proved=proved, correction=correction)
        first = f"Counterexample exact, {'proved in Coq' if in_coq else 'rechecked independently'}" if known else by
        then = "; correction proved by computer for all real inputs with $n = 2, d = 1$" if proved else ""
        then = then or ("; correction true in all cases decided, not proved" if correction else "")
        assert how_checked(row) == f"{first}{then}."
    sizes = ("n = 3, rule = 0", "n = 2, d = 1", "starts and all t > 0, p = 4", "x in [0, 1], n = 5", "n = 2, d = 1")
    assert sizes_proved(sizes) == "$n = 2, d = 1$, or $n = 3$, or $p = 4$"
    assert sizes_proved(["x in [0, 1], n = 5"]) == ""


@pytest.mark.parametrize(
    ("places", "common"),
    [
        (["Theorem 3, (a), proof", "Theorem 3, (a), remark"], "Theorem 3, (a)"),
        (["Theorem 3, (a)", "Theorem 3, (b), (a)"], "Theorem 3"),
        (["Theorem 3", "Lemma 2"], "Theorem 3"),
        (["slides, page 2"], "slides, page 2"),
    ],
)
def test_a_row_stands_where_all_of_its_claims_do(places, common):
    row = Row("A1", tuple(SimpleNamespace(where=place) for place in places), None, (), None, "", False, ())
    assert row.where == common


def test_browsers_show_formulas_as_tex_does():
    made = html(
        r"$\mathcal K \subset \mathbb R^d$, $x \ge -3$, $(-1, a - 1)$, $y \tanh(y^2) + 2 \log n$, $|x| \to -\infty$"
    )
    assert "mathvariant" not in made  # browsers show no other styles than those that have characters of their own
    assert made.count('<mo form="prefix">&#x02212;</mo>') == 3
    assert made.count("<mo>&#x02212;</mo>") == 1
    assert "<mi>&#x0221E;</mi>" in made
    assert made.count('<mo lspace="0" rspace="0" stretchy="false">&#x0007C;</mo>') == 2
    assert made.count("mspace") == 3  # before tanh and on both sides of log
    made = html(r"$\{x : x \sim +1\} - \max_j x_j$")
    assert made.count('<mo form="prefix">&#x0002B;</mo>') == 1
    assert all(made.count(f"<mo>{sign}</mo>") == 1 for sign in (":", "&#x0223C;", "&#x02212;"))
    assert '<mo lspace="0" rspace="0.167em">max</mo>' in made


def test_the_command_writes_three_files(tmp_path):
    text = run("errata", "localmax", "--out", tmp_path / "new" / "sheets").stdout
    assert "0 printed statements, 2 at second hand" in text
    files = {path.name for path in (tmp_path / "new" / "sheets").iterdir()}
    assert files == {"localmax.tex", "localmax.md", "localmax.html"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(("thesis", "--out", "x"), "there is no paper 'thesis'"), (("localmax",), "give --out DIR")],
)
def test_a_call_that_makes_no_sense_is_refused(arguments, told):
    assert told in refused("errata", *arguments)


def test_what_a_sheet_lacks_is_said_in_one_sentence(monkeypatch):
    claim = next(claim for claim in TOLD if claim.id == "polarization.square_gradient_without_half")
    monkeypatch.setattr(claim, "defect", None)
    assert f"{claim.id} is false and does not say what is wrong" in refused("errata", "polarization", "--out", "x")
