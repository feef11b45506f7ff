"""The symbols of a statement are those of its paper, each used, and none is taken for another."""

import re

import pytest

from claims.stating.catalogue import catalogue
from claims.stating.coverage import THEIRS
from claims.stating.notation import _notation, symbols_in
from claims.stating.statement import PAPERS, Standing


@pytest.mark.parametrize("paper", PAPERS)
def test_every_symbol_is_used_by_a_statement(paper: str):
    used = {symbol for claim in catalogue().values() if claim.paper.key == paper for symbol in symbols_in(claim)}
    assert set(_notation(paper)) - used == set()


def test_a_statement_with_a_formula_has_its_symbols_defined():
    """Those of the papers' own words: a reader who meets them in the atlas has no paper beside it."""
    theirs = [
        claim for claim in catalogue().values() if claim.origin in THEIRS and claim.standing is not Standing.EMPIRICAL
    ]
    assert [claim.id for claim in theirs if re.search(r"[_^=<>]", claim.statement) and not symbols_in(claim)] == []


@pytest.mark.parametrize(
    ("name", "symbols"),
    [
        ("frank_wolfe.escape_takes_exponentially_long", {"T_2", "c_0", "D(K), D", "n, d", "eps", "gamma", "beta"}),
        ("polarization.score_gaps_grow", {"a", "s"}),
        ("clusters.hull_shrinks", {"V", "Q^T K", "z_i"}),
        ("localmax.hull_shrinks", {"z_i", "A", "delta", "gamma, alpha"}),
    ],
)
def test_what_a_statement_needs_is_defined(name: str, symbols: set[str]):
    assert symbols <= set(symbols_in(catalogue()[name]))


@pytest.mark.parametrize(
    ("paper", "symbol", "text"),
    [
        ("clusters", "x_i", "max_k <Az_i, Az_k>"),
        ("clusters", "K (a set)", "Q^T K + K^T Q > 0"),
        ("frank_wolfe", "x_i^t", "argmax_j"),
        ("frank_wolfe", "a_ij", "lambda_max(B)"),
        ("polarization", "T", "V^T beta_*"),
        ("polarization", "a", "the scores tend to a one-hot vector"),
        ("polarization", "d", "for a d u and t > 0"),
    ],
)
def test_no_symbol_is_seen_where_it_is_not_meant(paper: str, symbol: str, text: str):
    assert re.search(_notation(paper)[symbol][0], text) is None
