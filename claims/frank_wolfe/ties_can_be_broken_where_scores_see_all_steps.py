"""For steps P^t that change leaders are single for almost every start if no product of the P^t is hidden from the B^t.

Question Q13 (frank_wolfe FW-1). Along fixed choices x_i^t = sum_a U_a x_a^0 and x_j^t - x_k^t = sum_a W_a x_a^0 with
matrices from the algebra of all products of the P^t, sum U_a = I and sum W_a = 0. A tie of i between j and k holds
identically iff U_a^T B^T W_b + W_a^T B U_b = 0 for all a, b; summed over a this is B^T W_b = 0, which is enough, too. So
the least condition is that no difference W != 0 that choices lead to has B^T W = 0. It follows from: B^T M = 0 only for
M = 0 in that algebra. For P = gamma I this asks for B != 0, for P^t that generate all matrices for an invertible B.
"""

from claims.frank_wolfe.setting.preconditioned import hidden_products_and_others, nothing_hidden
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.orbits.exact import orbit
from dynamics.tokens.preconditioned_schedules import PreconditionedHardmax, nothing_yet

STEPS = 4

claim = Claim(
    __name__,
    where="question Q13; Lemma lem:singleLeader, sharper",
    refs=("Q13", "FW-1"),
    statement=(
        "If (B^t)^T M = 0 only for M = 0 in the algebra of the P^s, then for a.e. start the leader set of "
        "every token "
        "at every time is one point."
    ),
    origin=Origin.OURS,
    system=PreconditionedHardmax,
    assumptions=(nothing_hidden,),
    draw=hidden_products_and_others,
)


@claim.orbit("> 0", exact_only=True)
def differences_are_seen(f: PreconditionedHardmax):
    """sum_a |B^T W_a|^2, or 1 where W = 0, for every pair of tokens at steps 0 to 4."""
    U, slacks = nothing_yet(f.x), []
    for now in orbit(f, STEPS):
        for j in range(len(U)):
            for W in U[j] - U[:j]:
                seen = now.key_query().T @ W
                slacks.append(sum((seen * seen).flat) if (W != 0).any() else 1)
        U = now.carried(U)
    return exact(slacks)
