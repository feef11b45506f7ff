"""The logistic map: it maps [0, 1] into itself, and it is said to keep the order of two points, which it does not."""

from dataclasses import dataclass

from claims import Assumption, Claim, Standing
from dynamics import StepMap, quantity
from dynamics.arithmetic import Array


@dataclass(frozen=True, eq=False)
class LogisticStep(StepMap):
    """x <- r x (1 - x)."""

    x: Array = quantity("n", meaning="points")
    r: Array = quantity(meaning="growth", default=3)

    def step(self):
        """The next points."""
        return self.replace(x=self.r[..., None] * self.x * (1 - self.x))


def draw(draws):
    """Two points of (0, 1]."""
    u, s = draws.dyadic(2, size=1), draws.dyadic(size=1)
    # Whatever is drawn, the assumption holds: no draw is thrown away.
    return LogisticStep(x=1 / (1 + u * u), r=4 / (1 + s * s))


in_the_unit_interval = Assumption(
    "in_the_unit_interval",
    "0 <= x <= 1 and 0 <= r <= 4",
    satisfies=lambda f: (f.x >= 0).all() and (f.x <= 1).all() and 0 <= f.r <= 4,
)

claim = Claim(
    __name__,
    statement="If 0 <= r <= 4 then [0, 1] is mapped into itself, and the order of two points is kept.",
    system=LogisticStep,
    assumptions=(in_the_unit_interval,),
    draw=draw,
    standing=Standing.FALSE,
    note="Beyond 1/2 the order is turned.",
)


@claim.step(">= 0")
def stays_above_zero(f: LogisticStep):
    """x after a step."""
    return f.step().x


@claim.step(">= 0")
def order_is_kept(f: LogisticStep):
    """(x_0 - x_1) times itself after a step."""
    after = f.step()
    return (f.x[..., :1] - f.x[..., 1:2]) * (after.x[..., :1] - after.x[..., 1:2])
