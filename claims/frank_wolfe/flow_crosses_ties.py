"""At a tie of two targets the hardmax flow of a definite B keeps at least one of them: it never slides between the two.

Question Q11 (frank_wolfe FW-12), where hypotheses (1) and (2) of Theorem 4.2 are not needed. With target y the lead
<Bx, y - z> grows at the rate r_y, with target z at r_z = r_y - |y - z|_B^2, wherever y and z go themselves. So r_y > 0 or
r_z < 0. A tie that is reached under y has r_y <= 0: where r_y < 0 the token goes over to z and stays with it, and the
solution is unique; with r_y = 0 it may choose. Two solutions need r_z <= 0 <= r_y, at a tie of the start, or one that is
touched only. Whether almost no start comes to touch one is open here.
"""

from typing import Any

import numpy as np

from claims.assumptions import definite_key_query
from claims.frank_wolfe.setting.questions import tied_targets
from claims.frank_wolfe.setting.runs import where_unmet
from claims.statement import Claim, Origin
from dynamics.arithmetic import Array, exact
from dynamics.attention import leaders
from dynamics.tokens.hardmax import HardmaxStep

claim = Claim(
    __name__,
    where="question Q11",
    refs=("Q11", "FW-12"),
    statement="If B > 0 and <Bx_i, y> = <Bx_i, z>, y != z, are largest: max(r_y, -r_z) >= |y - z|_B^2/2 > 0.",
    origin=Origin.OURS,
    system=HardmaxStep,
    assumptions=(where_unmet(definite_key_query),),
    draw=tied_targets,
    equivalent={
        **{
            f"{conclusion}, in {where}: f.targets() - f.x => {other}": (
                "The same at a tie: <Bx_i, v_y - v_z> is all that v enters, and <Bx_i, y> = <Bx_i, z>."
            )
            for conclusion, where in (
                ("one_target_is_kept", "rates_at_ties"),
                ("rates_are_apart", "rates_at_ties"),
                ("rates_are_those_of_leads", "rates_at_ties"),
            )
            for other in ("f.targets() + f.x", "f.targets()")
        },
        **{
            f"{conclusion}, in rates_at_ties: x[{target}] - x[i] => x[{target}]{other}": (
                "The same at a tie: <Bx_i, y - z> = 0, whatever is added to or taken from B(x_j - x_i) along x_i."
            )
            for conclusion in ("one_target_is_kept", "rates_are_apart", "rates_are_those_of_leads")
            for target in ("j", "k")
            for other in (" + x[i]", "")
        },
        "one_target_is_kept, in ties: np.flatnonzero(row) => np.flatnonzero(i)": (
            "r_y - r_z = |y - z|_B^2 > 0 for any two points: ties or not."
        ),
        "rates_are_apart, in ties: np.flatnonzero(row) => np.flatnonzero(i)": (
            "r_y - r_z = |y - z|_B^2 for any points: ties or not."
        ),
        "rates_are_those_of_leads, in ties: np.flatnonzero(row) => np.flatnonzero(i)": (
            "The derivative of a quadratic is its central difference, tie or not."
        ),
        "one_target_is_kept, in ties: k > j => k >= j": "Pairs of one token with itself are left out as equal points.",
        "rates_are_apart, in ties: k > j => k >= j": "Pairs of one token with itself are left out as equal points.",
        "rates_are_those_of_leads, in ties: k > j => k >= j": (
            "Pairs of one token with itself are left out as equal points."
        ),
    },
)


def ties(f: HardmaxStep) -> list[tuple[Any, Any, Any]]:
    """All tokens i, each with two that lead it, at different points."""
    return [
        (i, j, k)
        for i, row in enumerate(leaders(f.scores()))
        for j in np.flatnonzero(row)
        for k in np.flatnonzero(row)
        if k > j and (f.x[k] != f.x[j]).any()
    ]


def rates_at_ties(f: HardmaxStep) -> list[tuple[Array, Array, Array]]:
    """r_y, r_z and |y - z|_B^2 for all tokens and pairs of different points that lead them."""
    x, v, B = np.asarray(f.x), np.asarray(f.targets() - f.x), np.asarray(f.B)
    found = []
    for i, j, k in ties(f):
        apart = x[j] - x[k]
        carried = (B @ x[i]) @ (v[j] - v[k])
        found.append(((B @ (x[j] - x[i])) @ apart + carried, (B @ (x[k] - x[i])) @ apart + carried, B @ apart @ apart))
    return found


def lead_after(f: HardmaxStep, h: int, target: int, tie: tuple[Any, Any, Any]) -> Array:
    """<Bx_i, y - z> once i has gone h times the way to a token, and y and z to their own targets."""
    i, j, k = tie
    moved = f.x + h * (f.targets() - f.x)
    return np.asarray((f.B @ (f.x[i] + h * (f.x[target] - f.x[i]))) @ (moved[j] - moved[k]))


@claim.step("> 0", exact_only=True)
def one_target_is_kept(f: HardmaxStep):
    """max(r_y, -r_z)."""
    return exact([max(first, -second) for first, second, _ in rates_at_ties(f)])


@claim.step(">= 0", exact_only=True)
def rates_are_apart(f: HardmaxStep, *, share=1):
    """max(r_y, -r_z) - |y - z|_B^2/2, for any B."""
    return exact([max(first, -second) - share * distance / 2 for first, second, distance in rates_at_ties(f)])


@claim.state("== 0", assuming=(), exact_only=True)
def rates_are_those_of_leads(f: HardmaxStep, *, share=2):
    """The change of <Bx_i, y - z> from h = -1 to h = 1 less 2 r, for both targets: it is quadratic in h."""
    return exact(
        [
            lead_after(f, 1, target, tie) - lead_after(f, -1, target, tie) - share * rate
            for tie, rates in zip(ties(f), rates_at_ties(f), strict=True)
            for target, rate in zip(tie[1:], rates[:2], strict=True)
        ]
    )
