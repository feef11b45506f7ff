"""Under hardmax every token of the largest A-norm attends only to itself, if the tokens are distinct.

`longest_tokens_lead`: By Cauchy-Schwarz the longer of two distinct tokens has the larger score with itself. Both
hypotheses are needed: 1, 1, 1/2 have no leader, nor have (1,0), (1,1), (1,2) under A = diag(1,0).

`longest_points_lead`: If C_i is a set of points, tokens may coincide: then 1, 1, 1/2 have the leader 1. Only A
symmetric positive definite is needed.
"""

from claims.localmax.setting.hypotheses import definite_matrix, distinct_tokens, hardmax, others, where
from claims.stating.statement import Origin, Section
from dynamics.arithmetic import at_most, peak
from dynamics.tokens.localmax import LocalmaxStep, coincident

section = Section(__name__, system=LocalmaxStep)

longest_tokens_lead = section.claim(
    where="hardmax 2407.01602, leaders exist (recalled)",
    refs=("HM-5",),
    statement="If A is symmetric positive definite and the tokens are distinct, C_i = {i} whenever |z_i|_A is maximal.",
    origin=Origin.REPORTED,
    assumptions=(definite_matrix, distinct_tokens, hardmax),
)


# For every pair, from which the leader follows: the longest token is the longer one of all its pairs.
@longest_tokens_lead.state("> 0")
def longer_token_prefers_itself(f: LocalmaxStep):
    """<A z_i, z_i - z_j> for every pair with |z_i|_A >= |z_j|_A."""
    r = f.squared_norms()
    longer = at_most(r[..., None, :], r[..., :, None])
    return where(longer & others(f), r[..., :, None] - f.scores())


@longest_tokens_lead.step("> 0")
def longest_tokens_are_leaders(f: LocalmaxStep):
    """1 less the number of tokens in one of C_i and {i} alone, for every token i of the largest A-norm."""
    r = f.squared_norms()
    differing = ((f.neighbours() == others(f)) * (0 * f.scores() + 1)).sum(axis=-1)
    return where(at_most(peak(r), r), 1 - differing)


longest_points_lead = section.claim(
    where="hardmax 2407.01602, leaders exist, with sets of points for sets of indices",
    refs=("HM-5", "HM-8"),
    statement="If A is symmetric positive definite, {z_j : j in C_i} = {z_i} for every token i of maximal |z_i|_A.",
    origin=Origin.CARRIED_OVER,
    assumptions=(definite_matrix, hardmax),
)


# Without distinct tokens: copies share a score, and the inequality is over other points only.
@longest_points_lead.step("> 0")
def longest_points_are_leaders(f: LocalmaxStep):
    """h(z_i) - <A z_i, z_j> for every token i of the largest A-norm and every other point z_j."""
    r = f.squared_norms()
    longest = at_most(peak(r), r)
    return where(longest[..., :, None] & ~coincident(f.z), f.gaps())
