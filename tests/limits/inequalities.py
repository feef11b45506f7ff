"""The inequalities of the traps once more, in float64 and entry by entry."""

from __future__ import annotations

import numpy as np
from flint import arb


def floats(values):
    return np.array([[float(arb(v).mid()) for v in row] for row in np.atleast_2d(values)])


def gap_of(n):
    low, high = 0.0, 10.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * np.exp(middle + 1) < n - 1 else (low, middle)
    return low


def merged(f):
    rows, counts = [], []
    for row in floats(f.z).tolist():
        if row in rows:
            counts[rows.index(row)] += 1
        else:
            rows.append(row)
            counts.append(1)
    return np.array(rows), counts


def margins_of_leaders(f):
    z, w = merged(f)
    s = z @ floats(f.B) @ z.T
    lead = s.argmax(axis=1)
    if any(lead[l] != l for l in lead):
        return [-1.0]
    m = range(len(z))
    y = {(k, i): s[k, lead[k]] - s[k, i] for k in m for i in m}
    m_i = {i: min(y[k, i] for k in m if lead[k] == lead[i]) for i in m if lead[i] != i}
    A_i = {i: max(y[k, i] for k in m if lead[k] == lead[i]) for i in m_i}
    b = {(k, i): y[k, i] for k in m for i in m if lead[k] != lead[i]}
    found = [*m_i.values(), *b.values()]
    if found and min(found) <= 0:
        return found
    G = max(s[k, i] - s[k, j] for k in m for i in m for j in m)
    H = eta = h = 0.0
    for l in set(lead.tolist()):
        own = [i for i in m_i if lead[i] == l]
        H = max(H, sum(w[i] / w[l] * A_i[i] * np.exp(-m_i[i]) for i in own))
        eta = max(eta, sum(w[i] / w[l] * np.exp(-m_i[i]) for i in own))
    for k in m:
        h = max(h, sum(w[i] / w[lead[k]] * np.exp(-b[k, i]) for i in m if (k, i) in b))
    eta += h
    if m_i:
        Y, sigma = min(m_i.values()), H + 2 * G * h
        found += [Y / 2 - eta * Y - sigma, Y - eta * Y - 1 - eta - sigma - sigma / Y]
    if b:
        M = min(b.values())
        found += [M - 4 / 3, M / 2 - H - 4 * G * h]
    return found or [1.0]


def margins_of_hyperplanes(f, on_one_side):
    """Where N_1G, N_G1 and mu are those of coordinates: V diagonal, so that any norm on the one coordinate serves."""
    V, B, z = floats(f.V), floats(f.B), floats(f.z)
    if V[0, 1] != 0:
        return [0.0]
    n, mu = len(z), abs(V[1, 1])
    F, C, O = z[:, 0], abs(z[:, 1]).max(), z[:, 1].max() - z[:, 1].min()
    c, kappa, h_1 = B[0, 0], abs(B[1, 0]) * C, abs(B[0, 1]) * O / (1 - mu)
    h_2 = gap_of(n) / 2 + abs(B[1, 1]) * C * O / (2 - 2 * mu)
    if on_one_side:
        return [-c * abs(F).min() - kappa, (F.min() * F.max())]
    return (c * abs(F) - kappa - h_1 - np.sqrt(2 * (c * h_2 + kappa * h_1))).tolist()


def margins_of_polytopes(f):
    V, B, z = floats(f.V), floats(f.B), floats(f.z)
    if abs(V[0, 2]) > 0:
        return [0.0]
    S, mu, n = B[:2, :2], abs(V[2, 2]), len(z)
    sizes, C, O = [np.sqrt(y @ S @ y) for y in z[:, :2]], abs(z[:, 2]).max(), z[:, 2].max() - z[:, 2].min()
    mixed = max(abs(B[2, :2] @ (a - b)) for a in z[:, :2] for b in z[:, :2])
    E_0 = gap_of(n) / 2 + abs(B[2, 2]) * C * O / (2 - 2 * mu) + C * mixed / (1 - mu)
    h_1 = np.sqrt(B[:2, 2] @ np.linalg.inv(S) @ B[:2, 2]) * O / (1 - mu)
    return [size - h_1 - np.sqrt(2 * E_0) for size in sizes]


def margins_of_tied(f):
    """Of the starts above alone: the last coordinate is mirrored, or everything; tokens on the mirror see both sides."""
    z, w = merged(f)
    s = z @ floats(f.B) @ z.T
    m = range(len(z))
    mirrored = all(any((z[j] == z[k] * [1, -1]).all() for j in m) for k in m)
    on_a_side = len(z) > 1 and mirrored and bool((z[:, 0] == z[0, 0]).all())
    fixed = [k for k in m if not z[k].any() or (on_a_side and z[k, 1] == 0)]
    best, found = {}, []
    for k in m:
        if k in fixed:
            continue
        top = int(s[k].argmax())
        best[k] = [top]
        if mirrored and z[k, 1] == 0:
            best[k] = [j for j in m if (z[j] == z[top]).all() or (z[j] == z[top] * [1, -1]).all()]
    if any(best.get(l) != [l] for k in best for l in best[k]):
        return [-1.0]
    for k, own in best.items():
        for x in (z[k], z[own].mean(axis=0)):
            found += [x @ floats(f.B) @ (z[own[0]] - z[i]) for i in m if i not in own]
    M = min(found, default=9.0)
    N = max((sum(w[i] / w[own[0]] for i in m if i not in own) for own in best.values()), default=0)
    G = max(s[k, i] - s[k, j] for k in m for i in m for j in m)
    return [M, M - 4, M - 8 * N * G * np.exp(-M)]


def margins_of_classes(f):
    """The best partition that joining the nearest gives."""
    z, _ = merged(f)
    n, s = len(f.z), z @ floats(f.B) @ z.T
    classes, best = [[k] for k in range(len(z))], -1.0
    while len(classes) > 1:
        own = {k: c for c in classes for k in c}
        b_0 = min(s[k, i] - s[k, j] for k in own for i in own[k] for j in own if j not in own[k])
        if b_0 > 0:
            G = max(row.max() - row.min() for row in s)
            L = n * np.exp(-b_0 / 2) * np.log(1 + 2 / b_0) / 2
            best = max(best, min(b_0, b_0 / 2 - 3 * L * (b_0 + G)))
        pairs = [
            (min(np.linalg.norm(z[i] - z[j]) for i in a for j in b), p, q)
            for p, a in enumerate(classes)
            for q, b in enumerate(classes[:p])
        ]
        _, p, q = min(pairs)
        classes = [c for k, c in enumerate(classes) if k not in (p, q)] + [classes[p] + classes[q]]
    return [best]


RESTATED = {
    "leader_trap": margins_of_leaders,
    "hyperplanes_trap": lambda f: margins_of_hyperplanes(f, False),
    "hyperplanes_trap below": lambda f: margins_of_hyperplanes(f, True),
    "polytope_trap": margins_of_polytopes,
    "symmetry_trap": margins_of_tied,
    "classes_trap": margins_of_classes,
}


def expected(name, start):
    """Whether a start is to be caught; None where float64, or the restatement, does not tell."""
    if name not in RESTATED:
        return None
    least = min(RESTATED[name](start))
    return None if abs(least) < 1e-9 else bool(least > 0)


LEAST_CAUGHT = {
    "leader_trap": 8,
    "threshold_trap": 10,
    "hyperplanes_trap": 3,
    "hyperplanes_trap below": 2,
    "polytope_trap": 5,
    "symmetry_trap": 4,
    "product_trap": 3,
    "classes_trap": 3,
    "collapse_trap": 6,
    "between_trap": 4,
}
