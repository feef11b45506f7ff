"""The data of a state that the lemmas use: the distinct tokens in balls, their multiplicities, the spread of the scores."""

from __future__ import annotations

from dataclasses import dataclass

from flint import arb, fmpq

from dynamics.arithmetic import Array, elementwise, exact, matrix_exponential, numbers, rational
from dynamics.choices import guarded_numbers, plain
from dynamics.limits.margins import NoLemmaError, about, dot, greatest, least, root
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow

TokenFlow = SelfAttentionFlow | RescaledFlow


def tokens_of(flow: TokenFlow) -> Array:
    """The moving tokens, z of the rescaled flow and x of the other, shape (n, d)."""
    return flow.z if isinstance(flow, RescaledFlow) else flow.x


def exact_matrix(values: Array) -> Array:
    """A matrix of rationals. Raises NoLemmaError for one that is not exact."""
    try:
        return elementwise(rational, plain(values))
    except ValueError:
        raise NoLemmaError("a matrix of the flow is not exact") from None


def as_balls(values: Array) -> Array:
    """Rationals, floats and balls as balls. Raises NoLemmaError for an array of a batch or other numbers."""
    try:
        return elementwise(lambda v: v if isinstance(v, arb) else arb(rational(v)), numbers(plain(values)))
    except ValueError:
        raise NoLemmaError("the state is neither exact nor in balls") from None


@dataclass(frozen=True)
class Tokens:
    """m distinct tokens of a state with V = pace I, and n tokens in all.

    Time is counted in units of 1/pace from the state on, and z stands for the rescaled tokens: of the flow of x they are
    e^{-tau} x(T + tau), so that the state itself is z. Scores are beta e^{2 tau} <z_i, B z_j>.
    """

    z: Array
    """Balls, shape (m, d)."""
    weights: list[int]
    """How many tokens are at each place, m numbers."""
    place: list[int]
    """The place of each of the n tokens."""
    B: Array
    beta: arb
    pace: fmpq

    @property
    def count(self) -> int:
        """n."""
        return len(self.place)

    @property
    def queries(self) -> Array:
        """beta B^T z_k as rows, so that scores are queries @ z^T; shape (m, d)."""
        return numbers(self.beta * (self.z @ self.B))

    def spread(self) -> arb:
        """beta max_{k,i,j} <z_k, B (z_i - z_j)>, which bounds all later ones over their beta."""
        # The hull of z only shrinks, so that no later difference of scores over its beta is larger.
        scores = self.queries @ self.z.T
        return greatest(greatest(row) - least(row) for row in scores)

    def diameter(self) -> arb:
        """max |z_i - z_j|, Euclidean."""
        m = len(self.z)
        pairs = [(i, j) for i in range(m) for j in range(i)]
        return root(greatest(dot(self.z[i] - self.z[j], self.z[i] - self.z[j]) for i, j in pairs))

    def of_all(self, values: Array) -> Array:
        """Values of the m places (m, ...) as values of the n tokens (n, ...)."""
        return numbers(values[self.place])

    def first(self, k: int) -> int:
        """The first of the n tokens at a place."""
        return self.place.index(k)


def places(start: TokenFlow) -> list[int]:
    """Which tokens coincide, exactly: the place of each, numbered in the order of the first tokens there."""
    rows = [tuple(row) for row in tokens_of(start)]
    # Not by hashes, which equal balls need not share.
    seen = [row for k, row in enumerate(rows) if row not in rows[:k]]
    return [seen.index(row) for row in rows]


def is_mirrored(start: TokenFlow) -> bool:
    """Whether x -> -x maps the tokens of an exact start to themselves."""
    # Sorted lists, not sets: a token and its mirror image have to be there equally often.
    rows = [tuple(row) for row in exact(tokens_of(start))]
    return sorted(rows) == sorted(tuple(-value for value in row) for row in rows)


def checked(flow: TokenFlow) -> None:
    """Raise NoLemmaError for what is neither of the two flows, or a batch of them."""
    about(flow, SelfAttentionFlow, RescaledFlow)
    if tokens_of(flow).ndim != 2:
        raise NoLemmaError("a batch is many states")


def scalar_value(flow: TokenFlow) -> fmpq | None:
    """lambda where V = lambda I exactly, else None."""
    # Every entry, as a lemma about lambda I says nothing of what is next to it.
    V = exact_matrix(flow.V)
    same = all(V[i, j] == (V[0, 0] if i == j else 0) for i in range(len(V)) for j in range(len(V)))
    return V[0, 0] if same else None


def distinct_tokens(state: TokenFlow, start: TokenFlow | None = None) -> Tokens:
    """The distinct tokens of a state of V = lambda I with lambda > 0.

    `start` is the exact start that the state comes from: tokens that coincide there coincide for ever. Raises NoLemmaError
    for another V.
    """
    checked(state)
    pace = scalar_value(state)
    if pace is None or not pace > 0:
        raise NoLemmaError("V is no positive multiple of the identity")
    # Without a start tokens coincide only where that is certain of their balls.
    place = places(state if start is None else start)
    firsts = [place.index(k) for k in range(max(place) + 1)]
    z = as_balls(tokens_of(state))
    beta = (2 * pace * as_balls(state.t).item()).exp() if isinstance(state, RescaledFlow) else arb(1)
    return Tokens(z[firsts], [place.count(k) for k in range(len(firsts))], place, exact_matrix(state.B), beta, pace)


def unscaled(state: TokenFlow) -> Array:
    """x = e^{tV} z in balls, shape (n, d)."""
    if isinstance(state, SelfAttentionFlow):
        return as_balls(state.x)
    with guarded_numbers(on=False):
        growth = matrix_exponential(exact_matrix(state.V), numbers(as_balls(state.t).item()))
    return numbers(as_balls(state.z) @ as_balls(growth).T)


def age(state: TokenFlow) -> arb:
    """The time t of the rescaled flow; 0 of the other, whose clock starts at the state."""
    return as_balls(state.t).item() if isinstance(state, RescaledFlow) else arb(0)
