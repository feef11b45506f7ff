"""Newton's map for square roots: after a step it is not below the root, and falls from then on."""

from dataclasses import dataclass

from claims import Assumption, Claim, Standing
from dynamics import StepMap, quantity
from dynamics.arithmetic import Array


@dataclass(frozen=True, eq=False)
class NewtonStep(StepMap):
    """x <- (x + a/x)/2."""

    x: Array = quantity("n", meaning="guesses of the root")
    a: Array = quantity("n", meaning="numbers whose root is sought")

    def step(self):
        """The next guesses."""
        return self.replace(x=(self.x + self.a / self.x) / 2)


positive = Assumption(
    "positive",
    "x_i > 0 and a_i > 0",
    satisfies=lambda f: (f.x > 0).all() and (f.a > 0).all(),
    restrict=lambda f: f.replace(x=abs(f.x) + (f.x == 0), a=abs(f.a) + (f.a == 0)),
    # Below 0 the guesses converge to the other root.
    violate=lambda f, draws: f.replace(x=-f.x),
)


def draw(draws):
    """1 to 3 guesses."""
    n = draws.integer(1, 3)
    return NewtonStep(x=draws.dyadic(n) * draws.dyadic(n) + 0.25, a=draws.dyadic(n) * draws.dyadic(n) + 0.25)


claim = Claim(
    __name__,
    statement="If x > 0 and a > 0 then a guess is never below the root after a step, and falls from then on.",
    system=NewtonStep,
    assumptions=(positive,),
    draw=draw,
    standing=Standing.TRUE,
)


@claim.step(">= 0")
def never_below_the_root(f: NewtonStep):
    """x^2 - a after a step."""
    after = f.step()
    return after.x * after.x - f.a


@claim.orbit(">= 0")
def guesses_fall_from_the_first_on(f: NewtonStep):
    """x_1 - x_2."""
    after = f.step()
    return after.x - after.step().x
