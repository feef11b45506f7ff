"""The limit of the tokens on the line under the steps 2/(t+2), in closed form.

The whole picture of Theorem 3.1 for d = 1 (frank_wolfe FW-5), with a the largest token, -b the smallest, none
at 0. The first step sends every token to -b or a, the second to (a - 2b)/3 or (2a - b)/3. Where their signs differ the
third step brings all to (a - b)/2; else the one nearer to 0 stays for ever, and the other approaches it like t^{-2}, which
is no linear rate. So the energy tends to 0 only for a = b; for a = 2b or b = 2a, left out here, the rule for ties decides.
"""

from claims.frank_wolfe.setting.energies import run
from claims.frank_wolfe.setting.run_hypotheses import (
    on_the_line,
    one_energy,
    open_loop_steps,
    strictly_convex_energies,
    tokens_on_both_sides,
)
from claims.frank_wolfe.setting.runs import run_of_any_length
from claims.statement import Claim, Origin
from dynamics.arithmetic import exact
from dynamics.tokens.schedules import ScheduledHardmax

claim = Claim(
    __name__,
    where="Theorem 3.1 on the line",
    refs=("FW-5", "Q1"),
    statement=(
        "d = 1, B_* > 0, t >= 3: all tokens are (a-b)/2 if a/2 < b < 2a; else those at c = (a-2b)/3 or (2a-b)/3 stay."
    ),
    origin=Origin.OURS,
    system=ScheduledHardmax,
    assumptions=(on_the_line, strictly_convex_energies, one_energy, open_loop_steps, tokens_on_both_sides),
    draw=run_of_any_length,
)


@claim.orbit("== 0", exact_only=True)
def distances_from_the_limit(f: ScheduledHardmax, *, share=2):
    """t (t+1) (x_i^t - x_i) for t >= 3, with x_i = c + 6 (x_i^2 - c)/(t (t+1)), or (a-b)/2 where the origin is held.

    Nothing is said of schedules of one or two steps.
    """
    a, b = max(f.x[:, 0]), -min(f.x[:, 0])
    states, slacks = run(f), []
    for t, now in enumerate(states[3:], 3):
        third = states[2].x[:, 0]
        if a < 2 * b and b < 2 * a:
            end = (a - b) / 2 + 0 * third
        else:
            c = (a - share * b) / 3 if a >= 2 * b else (share * a - b) / 3
            end = c + 6 * (third - c) / (t * (t + 1))
        slacks.append(t * (t + 1) * (now.x[:, 0] - end))
    return exact(slacks)
