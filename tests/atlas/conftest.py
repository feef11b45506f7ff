"""Two atlases: the pages of all claims without pictures, and a small one on disk with all that a page can hold."""

from __future__ import annotations

import importlib
import os
from functools import cache
from pathlib import Path

import pytest

from claims.atlas.building import write_folder
from claims.atlas.drawing import drawn_pictures, subject_of, wanted
from claims.atlas.evidence import gathered
from claims.atlas.pictures import pictures_of
from claims.atlas.recorded import recorded
from claims.stating.catalogue import catalogue, claims_by_id
from claims.stating.statement import Standing
from claims.targets.user_claims import claim_in

SMALL = (
    "localmax.every_token_converges",  # a 2-cycle in space
    "localmax.quiescent_tokens_converge_at_a_rate",
    "localmax.tokens_converge_under_positive_scores",  # in R^4, period 4
    "frank_wolfe.vertices_are_stationary",  # on a line
    "frank_wolfe.escape_takes_exponentially_long",
    "frank_wolfe.cells_are_voronoi_cells",
    "clusters.tokens_reach_consensus",
    "clusters.key_query_distances_grow",
    "polarization.score_gaps_grow",
    "polarization.leading_score_gaps_grow",
    "polarization.descent_preserves_order",
    "polarization.one_token_flips_the_label",
)

HOSTILE = '''"""A claim whose words are markup: <script>document.title = "taken"</script>."""

from claims.stating.statement import Assumption, Claim
from dynamics.tokens.self_attention import SelfAttentionFlow

BAD = "<script>document.title = 'taken'</script> <img src=x onerror=document.title='taken'> \\u202e & \\"quoted\\" </pre>"

any_tokens = Assumption("any_tokens", BAD, satisfies=lambda f: True, restrict=lambda f: f)

claim = Claim(
    __name__,
    statement=BAD,
    note=BAD,
    where=BAD,
    refs=("<b>bold</b>",),
    system=SelfAttentionFlow,
    assumptions=(any_tokens,),
)


@claim.state(">= 0")
def squares(f):
    """<script>document.title = 'taken'</script>"""
    return (f.x * f.x).sum(axis=-1)
'''


def wish_of(name):
    """A claim of the suite, and what is drawn of it as it stands: its certificate, else what the recorded run has."""
    claim = catalogue()[name]
    for reports in ([], [recorded(name)]):
        # First of what is published alone: only what has no certificate is drawn from the recorded run.
        evidence = gathered([claim], reports, {})[name]
        for wish in wanted(claim, evidence):
            # Of a false statement the counterexample: the map knows instances on which it is not violated, too.
            if not wish.dropped and (wish.is_violated or claim.standing is not Standing.FALSE):
                return claim, wish
    raise AssertionError(f"nothing of {name} is published")


@cache
def subject(name):
    return subject_of(*wish_of(name))


@cache
def drawn(name):
    """Its pictures: several tests look at those of one claim, and each costs an enclosure."""
    return pictures_of(subject(name))


def styled(shapes, kind, style):
    return [shape for shape in shapes if isinstance(shape, kind) and shape.style == style]


def hostile():
    return claim_in(HOSTILE, "hostile_words.py")


def with_templates():
    """The module that fills templates; tests that need it are skipped without the extra."""
    pytest.importorskip("jinja2", reason="the atlas is an extra: pip install '.[atlas]'")
    return importlib.import_module("claims.atlas.pages")


@pytest.fixture(autouse=True, scope="session")
def _nothing_of_the_user_s(tmp_path_factory):
    """Builds keep what they made in a folder of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        # Matplotlib's list of fonts stays where it is: to make it takes seconds.
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        patch.setenv("MPLCONFIGDIR", os.environ.get("MPLCONFIGDIR") or str(cache / "matplotlib"))
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("kept")))
        yield


@pytest.fixture(scope="session")
def whole():
    """Every page of the atlas of all claims, without pictures."""
    pages = with_templates()
    claims = catalogue()
    return pages.pages(pages.Atlas(claims, gathered(claims.values(), [], {}), {name: [] for name in claims}, claims))


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """The folder of an atlas with pictures, verdicts and a hostile claim."""
    pages = with_templates()
    own = hostile()
    claims = {name: catalogue()[name] for name in SMALL} | {own.id: own}
    # One answer of the checker, so that both kinds of page are there: checked, and not checked.
    answers = {"localmax/every_token_converges.json": {"verdict": "CONFIRMED", "reason": ""}}
    evidence = gathered(claims.values(), [REPORT], answers)
    wishes = [wish for claim in claims.values() for wish in wanted(claim, evidence[claim.id])]
    pictures = drawn_pictures(wishes, claims, 1)
    folder: Path = tmp_path_factory.mktemp("atlas") / "site"
    write_folder(folder, pages.pages(pages.Atlas(claims, evidence, pictures, claims_by_id([own]), "checked in a test")))
    return folder


DECIDED = {"instances": 3, "holds": 3, "violated": 0, "undecided": 0, "vacuous": 0, "decided_by": {"exact": 3}}
EYE = [[1, 0], [0, 1]]
TIGHTEST = {"system": "SelfAttentionFlow", "x": [["1/2", 0], [1, 1]], "B": EYE, "V": EYE}
TALLY = {
    "name": "squares",
    "form": "state",
    **DECIDED,
    "tightest": {"slack": "1/4", "known": "exact", "reason": "", "instance": TIGHTEST},
    "counterexample": None,
}
REPORT = {"id": "hostile_words", "borne_out": True, "conclusions": [TALLY]}
