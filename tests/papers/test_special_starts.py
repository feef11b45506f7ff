"""Special starts of every statement about limits that is held true: none violates it, and a kind is decided or listed.

A kind that a claim has no start of is shut out by a hypothesis, which words it; a kind whose starts are never decided
stands in UNDECIDED, and one of which nothing is said in VOID, with the reason.
"""

from collections import Counter

import pytest

from claims.stating.catalogue import catalogue
from claims.stating.verdict import Outcome
from claims.verifying.deciding import Effort, check
from tests.papers.special_starts import about_limits, kinds_of, starts_of
from tests.planting import LONG, one_in

MANY, MOST = (3 if LONG else 1), 12
"""Starts of each kind that are to be decided, and after how many in all none is tried any more."""

SHARES = {"clusters": 60, "frank_wolfe": 18, "localmax": 18, "polarization": 60}
"""One in so many cells of a paper is tried, by what a start costs; in a long run every one."""

UNDECIDED = {
    ("clusters.attention_limit_has_rank_one_or_two", "mirrored about a token"): (
        "the middle token rests at 0, as on a null set, and the rank is 3: the statement is of almost every start"
    ),
    **{
        ("polarization.conditioned_gain_is_above_cosh", kind): "the gain is cosh |w|, by `regression_gain_is_cosh`"
        for kind in ("one score", "all equal", "leaders tied", "losers tied")
    },
    ("polarization.conditioned_gain_is_below_product", "one score"): "the gain is the bound, cosh w",
}
"""Kinds of start whose conclusions no lemma decides, by claim and kind."""

ALONE = ("one token", "all at one place")

VOID = {
    **dict.fromkeys(
        [
            *(("clusters.bounded_inner_token_weighs_all", kind) for kind in ("mirrored", "midpoint of two")),
            ("clusters.attention_converges_on_a_line", "one token"),
            *(("clusters.tokens_converge_to_a_polytope", kind) for kind in ALONE),
            *(("frank_wolfe.flow_keeps_its_targets", kind) for kind in ALONE),
            ("frank_wolfe.tokens_collapse_to_a_point", "one token"),
            ("frank_wolfe.ties_can_be_broken_where_scores_see_all_steps", "one token"),
            *(
                (f"localmax.{name}", kind)
                for kind in ALONE
                for name in (
                    "limit_hull_is_a_polytope",
                    "line_limits_straddle_zero",
                    "vertices_are_quiescent_sets",
                    "vertices_are_quiescent_sets_under_every_rule",
                    "separated_blocks_never_mix",
                    "limit_vertices_are_packed",
                    "quiescent_sets_recur_with_the_sensitivity",
                )
            ),
        ],
        "there are no two of what it compares, or none that is bounded",
    ),
    **dict.fromkeys(
        [
            *(("frank_wolfe.flow_keeps_its_targets", kind) for kind in ("token at 0", "mirrored about a token")),
            *(("localmax.separated_blocks_never_mix", kind) for kind in ("token at 0", "mirrored about a token")),
        ],
        "a token at 0 is led by all and hears all: the hypotheses leave it alone, or in one block with the others",
    ),
}
"""Kinds of start of which a conclusion says nothing, by claim and kind."""


def cells(paper):
    """A claim about limits, its conclusion and a kind of start, for each."""
    for claim in catalogue().values():
        if claim.id.startswith(f"{paper}."):
            yield from ((claim, one, kind) for one in about_limits(claim) for kind in kinds_of(claim.system))


CHOSEN = [cell for paper, share in SHARES.items() for cell in one_in(share, cells(paper))]


def outcomes(claim, conclusion, kind):
    """What becomes of the starts of a kind, counted."""
    found = Counter()
    for start in starts_of(claim, conclusion, kinds_of(claim.system)[kind], MOST):
        verdict = check(conclusion, start, Effort())
        assert verdict.outcome is not Outcome.VIOLATED, start.to_json()
        found["nothing" if verdict.reason == "nothing to compare" else verdict.outcome] += 1
        # An undecided limit costs the whole ladder of precisions: a few of them show that the kind is not decided.
        if found[Outcome.HOLDS] >= MANY or found[Outcome.UNDECIDED] > MANY + 1:
            break
    return found


@pytest.mark.parametrize(
    ("claim", "conclusion", "kind"), CHOSEN, ids=lambda one: getattr(one, "id", getattr(one, "name", one))
)
def test_special_starts_are_decided_or_listed(claim, conclusion, kind):
    found = outcomes(claim, conclusion, kind)
    if found and not found[Outcome.HOLDS]:
        listed = UNDECIDED.get((claim.id, kind)) or VOID.get((claim.id, kind))
        assert listed, f"{dict(found)}: decide such starts, or say in the hypotheses or here what is left out"


def test_what_is_listed_is_a_kind_of_start():
    known = {(claim.id, kind) for paper in SHARES for claim, _, kind in cells(paper)}
    # An entry of a claim that has been renamed would excuse nothing, and look as if it did.
    assert set(UNDECIDED) | set(VOID) <= known
    assert not set(UNDECIDED) & set(VOID)
