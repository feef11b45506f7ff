"""A token that leaves a vertex under a rare sensitivity returns to it and leaves again, infinitely often.

localmax OQ-4: the proof that `rare_sensitivity_keeps_vertex_tokens` is false. The next visit, after one step
with delta and as many without as are needed, is as the last one was, so by induction all are; between the two z was at
least gamma (q + W)/3 from p, and p - z falls by a factor from visit to visit.
"""

from claims.localmax.setting.ends import margins
from claims.localmax.setting.recurring import Visit, a_visit, visiting_start
from claims.statement import Claim, Origin
from dynamics.tokens.localmax import LocalmaxStep

claim = Claim(
    __name__,
    refs=("OQ-4",),
    statement="p > z > 0 > -W with 0 < g = a p(p+W) - delta < a (p+W)(p-z), g small: after a step with delta and T without "
    "the same is true, with smaller g and p - z, and meanwhile p - z was gamma (q + W)/3 or more.",
    origin=Origin.OURS,
    system=LocalmaxStep,
    assumptions=(a_visit,),
    draw=visiting_start,
)


@claim.orbit("> 0", exact_only=True)
def next_visit_is_like_this(f: LocalmaxStep):
    """The margins of what a visit is, at the next one; and g - g'."""
    after = Visit(f).next()
    return margins([*after.margins(), Visit(f).room - after.room])


@claim.orbit(">= 0", exact_only=True)
def token_was_away(f: LocalmaxStep, *, parts=1):
    """p' - z' - gamma (q + W)/3 after the step with delta."""
    p, z, _ = f.step().z[:, 0]
    return margins([p - z - parts * Visit(f).retreat])
