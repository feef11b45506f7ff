"""R^d = F + G: an eigenspace of V and an invariant complement on which V is smaller, with the sizes that lemmas need.

Exact for rational V: F = ker(V - lambda), G = im(V - lambda). Sizes on G are measured in a norm |g|_Q with
V_G^T Q V_G <= mu^2 Q and mu < lambda, which is proposed in float64 and shown in rationals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TypeVar

import numpy as np
from flint import arb, fmpq, fmpq_mat

from dynamics.arithmetic import FLOAT64, Array, determinant, exact, numbers, rational
from dynamics.limits.margins import NoLemmaError, dot, first_caught, greatest, root
from dynamics.limits.tokens import TokenFlow, as_balls, checked, exact_matrix, unscaled

End = TypeVar("End")


@dataclass(frozen=True)
class Splitting:
    """Exact: V R = R diag(lambda I, V_G), the first columns of R a basis of F, the others of G; N = R^T B R."""

    pace: fmpq
    size: int
    """dim F."""
    R: Array
    L: Array
    """R^{-1}; its rows read off coordinates."""
    V_G: Array
    N: Array


def splitting(V: Array, B: Array) -> Splitting:
    """For the largest rational eigenvalue of V. Raises NoLemmaError where it is not positive or not semisimple."""
    d = len(V)
    matrix = fmpq_mat(V.tolist())
    # Linear factors over the rationals alone: lambda has to be exact, or nothing below would be.
    roots = [-factor[0] / factor[1] for factor, _ in matrix.charpoly().factor()[1] if factor.degree() == 1]
    pace = max(roots, default=fmpq(0))
    if not pace > 0:
        raise NoLemmaError("V has no positive rational eigenvalue")
    rest = exact(matrix.tolist()) - pace * exact(np.eye(d, dtype=int))
    F, G = _kernel(rest), _image(rest)
    # ker and im of V - lambda meet in 0 just where lambda has no Jordan block: then they split the space.
    R = np.concatenate([F, G], axis=0).T
    if fmpq_mat(R.tolist()).rank() < d:
        raise NoLemmaError(f"the eigenvalue {pace} of V has a Jordan block")
    L = exact(fmpq_mat(R.tolist()).inv().tolist())
    size = len(F)
    return Splitting(pace, size, R, L, (L @ V @ R)[size:, size:], R.T @ B @ R)


def _kernel(A: Array) -> Array:
    """A basis of ker A as rows, from the reduced echelon form."""
    reduced, rank = fmpq_mat(A.tolist()).rref()
    rows = exact(reduced.tolist())
    # Each column without a pivot is free: 1 there and what the pivots answer is a vector of the kernel.
    pivots = [next(j for j in range(len(A)) if rows[i, j] != 0) for i in range(rank)]
    basis = []
    for free in (j for j in range(len(A)) if j not in pivots):
        vector = exact([0] * len(A))
        vector[free] = fmpq(1)
        for i, pivot in enumerate(pivots):
            vector[pivot] = -rows[i, free]
        basis.append(vector)
    return np.array(basis, dtype=object).reshape(len(basis), len(A))


def _image(A: Array) -> Array:
    """A basis of im A as rows."""
    reduced, rank = fmpq_mat(A.T.tolist()).rref()
    return exact(reduced.tolist())[:rank].reshape(rank, len(A))


@dataclass(frozen=True)
class Split:
    """A state in the coordinates of a splitting: y (n, dim F), g (n, dim G), in balls, and sizes on G.

    |g_i(T + s)| <= C e^{mu s} and |g_i - g_j|(T + s) <= O e^{mu s} for ever, time s not in units of 1/lambda.
    """

    parts: Splitting
    y: Array
    g: Array
    Q: Array
    """Exact, positive definite."""
    mu: fmpq
    C: arb
    O: arb

    @property
    def inverse(self) -> Array:
        """Q^{-1}, exact."""
        return inverse_of(self.Q)

    def dual(self, covector: Array) -> arb:
        """sup <covector, g> / |g|_Q, of an exact vector or one in balls."""
        if not len(covector):
            return arb(0)
        return root(dot(covector @ self.inverse, covector))

    def form(self, matrix: Array) -> arb:
        """At least sup g^T M g' / (|g|_Q |g'|_Q): the Frobenius norm of Q^{-1/2} M Q^{-1/2}."""
        if not len(matrix):
            return arb(0)
        inverse = self.inverse
        return root(arb(np.trace(inverse @ matrix @ inverse @ matrix.T)))


def inverse_of(Q: Array) -> Array:
    """The inverse of an exact matrix, the empty one included."""
    return exact(fmpq_mat(Q.tolist()).inv().tolist()) if len(Q) else Q


def splits(state: TokenFlow) -> Iterator[Split]:
    """The state in the coordinates of its splitting, with one norm on G after another.

    Raises NoLemmaError where V has no eigenvalue larger than the modulus of all others, as far as can be shown.
    """
    checked(state)
    parts = splitting(exact_matrix(state.V), exact_matrix(state.B))
    coordinates = numbers(unscaled(state) @ as_balls(parts.L).T)
    y, g = coordinates[:, : parts.size], coordinates[:, parts.size :]
    found = False
    for Q, mu in _norms(parts, np.array([[float(value.mid()) for value in row] for row in g])):
        found = True
        rows = list(g)
        # As V_G^T Q V_G <= mu^2 Q both bounds grow like e^{mu s}: g moves by V_G times means of g.
        C = greatest(root(dot(row @ Q, row)) for row in rows) if len(Q) else arb(0)
        apart = [a - b for k, a in enumerate(rows) for b in rows[:k]]
        O = greatest(root(dot(row @ Q, row)) for row in apart) if len(Q) else arb(0)
        yield Split(parts, y, g, Q, mu, C, O)
    if not found:
        raise NoLemmaError(f"no norm shows that V is smaller than {parts.pace} beside its eigenspace")


def first_held(state: TokenFlow, lemma: Callable[[TokenFlow, Split], End]) -> End:
    """What the lemma shows in the first norm in which it holds. Raises an open margin rather than a failed one."""
    return first_caught(partial(lemma, state, split) for split in splits(state))


def _norms(parts: Splitting, g: Array) -> Iterator[tuple[Array, fmpq]]:
    """Pairs Q > 0, mu < lambda with V_G^T Q V_G <= mu^2 Q, shown in rationals; g float64 (n, dim G) for the scales."""
    V_G, size = parts.V_G, len(parts.V_G)
    if not size:
        yield exact(np.zeros((0, 0))), fmpq(0)
        return
    V = FLOAT64.convert(V_G)
    values, vectors = np.linalg.eig(V)
    radius = float(np.abs(values).max())
    proposals: list[tuple[Array, float]] = []
    if np.linalg.cond(vectors) < 1e8:
        left = np.linalg.inv(vectors)
        sizes = np.abs(g @ left.T).max(axis=0, initial=0)
        # In eigenvectors, scaled by how far tokens reach along each of them: C and O are then no larger than they must be.
        for scale in (np.where(sizes > 1e-12 * (1 + sizes.max()), sizes, 1 + sizes.max()), np.ones(size)):
            rows = left / scale[:, None]
            proposals.append(((rows.conj().T @ rows).real, radius))
    top = float(parts.pace)
    for share in (0.25, 0.5, 0.75):
        mu = radius + share * (top - radius)
        if mu > radius:
            # sum (V/mu)^T^k (V/mu)^k solves V^T Q V = mu^2 (Q - 1) where it converges: a norm for Jordan blocks, too.
            powers = [np.eye(size)]
            for _ in range(200):
                powers.append(powers[-1] @ V / mu)
            proposals.append((np.sum([p.T @ p for p in powers], axis=0), mu))
    for matrix, mu in proposals:
        if not np.isfinite(matrix).all():
            continue
        Q = _rounded(matrix)
        # What is proposed was rounded: mu is widened until the inequality is exact.
        for wider in (0.0, 2.0**-30, 2.0**-12, 2.0**-6):
            bound = rational(mu) + rational(wider) * parts.pace if wider else _simple(mu)
            if bound < parts.pace and _is_norm(Q, V_G, bound):
                yield Q, bound
                break


def _simple(mu: float) -> fmpq:
    """A rational with a small denominator near the float."""
    near = Fraction(mu).limit_denominator(10**6)
    return fmpq(near.numerator, near.denominator)


def _rounded(matrix: Array) -> Array:
    """The symmetric matrix to about 40 bits of its largest entry."""
    # Short entries: the inequality is decided in rationals, whose lengths multiply.
    unit = 2.0 ** (math.floor(math.log2(float(np.abs(matrix).max()))) - 40)
    steps = np.round((matrix + matrix.T) / 2 / unit)
    return exact(steps) * rational(unit)


def _is_norm(Q: Array, V_G: Array, mu: fmpq) -> bool:
    return is_definite(Q) and is_semidefinite(mu * mu * Q - V_G.T @ Q @ V_G)


def is_definite(S: Array) -> bool:
    """Whether an exact symmetric matrix is positive definite, by Sylvester's criterion."""
    return all(determinant(S[:k, :k]) > 0 for k in range(1, len(S) + 1))


def is_semidefinite(S: Array) -> bool:
    """Whether an exact symmetric matrix has no negative eigenvalue: a vanishing pivot needs a vanishing row."""
    A = S.copy()
    for k in range(len(A)):
        if A[k, k] < 0 or (A[k, k] == 0 and any(entry != 0 for entry in A[k, k:])):
            return False
        if A[k, k] > 0:
            A[k + 1 :, k + 1 :] = A[k + 1 :, k + 1 :] - np.outer(A[k + 1 :, k], A[k, k + 1 :]) / A[k, k]
    return True
