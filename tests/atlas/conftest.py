"""Two atlases: the pages of all claims without pictures, and a small one on disk with all that a page can hold."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from claims.atlas.building import write_folder
from claims.atlas.drawing import drawn_pictures, wanted
from claims.atlas.evidence import gathered
from claims.catalogue import catalogue, claims_by_id
from claims.user_claims import claim_in

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

from claims.statement import Assumption, Claim
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


def hostile():
    """A user's claim with markup in every text."""
    return claim_in(HOSTILE, "hostile_words.py")


def with_templates():
    """The module that fills templates; tests that need it are skipped without the extra."""
    pytest.importorskip("jinja2", reason="the atlas is an extra: pip install '.[atlas]'")
    return importlib.import_module("claims.atlas.pages")


@pytest.fixture(autouse=True, scope="session")
def _nothing_of_the_user_s(tmp_path_factory):
    """Builds keep what they made in a folder of the tests."""
    with pytest.MonkeyPatch.context() as patch:
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
    answers = {"localmax/every_token_converges.json": {"verdict": "CONFIRMED", "reason": ""}}
    evidence = gathered(claims.values(), [REPORT], answers)
    wishes = [wish for claim in claims.values() for wish in wanted(claim, evidence[claim.id])]
    pictures = drawn_pictures(wishes, claims, 1)
    folder: Path = tmp_path_factory.mktemp("atlas") / "site"
    write_folder(folder, pages.pages(pages.Atlas(claims, evidence, pictures, claims_by_id([own]), "checked in a test")))
    return folder


REPORT = {
    "id": "hostile_words",
    "borne_out": True,
    "conclusions": [
        {
            "name": "squares",
            "form": "state",
            "instances": 3,
            "holds": 3,
            "violated": 0,
            "undecided": 0,
            "vacuous": 0,
            "decided_by": {"exact": 3},
            "tightest": {
                "slack": "1/4",
                "known": "exact",
                "reason": "",
                "instance": {
                    "system": "SelfAttentionFlow",
                    "x": [["1/2", 0], [1, 1]],
                    "B": [[1, 0], [0, 1]],
                    "V": [[1, 0], [0, 1]],
                },
            },
            "counterexample": None,
        }
    ],
}
