"""Falsehoods about hardmax runs as Frank-Wolfe runs."""

from flint import fmpq

SHARPENED = [
    ("frank_wolfe.energy_decays_while_hull_holds_origin", "room_below_the_bound", {"constant": fmpq(1, 8)}),
    ("frank_wolfe.energy_contracts_while_hull_holds_origin", "largest_energy_contracts", {"factor": fmpq(3, 4)}),
    ("frank_wolfe.energy_gap_contracts_in_one_step", "gap_to_tokens", {"share": 2}),
    ("frank_wolfe.energy_gap_contracts_in_one_step", "gap_to_least_energy", {"share": 2}),
    ("frank_wolfe.energy_gap_contracts", "gap_contracts", {"factor": fmpq(31, 32)}),
    ("frank_wolfe.energy_gap_decays_like_inverse_square", "gap_decays", {"constant": 1}),
    ("frank_wolfe.tokens_contract_to_one_cluster", "distances_contract", {"constant": fmpq(3, 2)}),
    ("frank_wolfe.line_limit_under_open_loop_steps", "distances_from_the_limit", {"share": 1}),
]

DROPPED = [
    ("frank_wolfe.energy_decays_while_hull_holds_origin", "room_below_the_bound", "origin_in_every_hull"),
    ("frank_wolfe.energy_contracts_while_hull_holds_origin", "largest_energy_contracts", "origin_in_every_hull"),
    ("frank_wolfe.energy_gap_contracts_in_one_step", "gap_to_tokens", "symmetric_energies"),
    ("frank_wolfe.energy_gap_contracts", "gap_contracts", "steps_at_most_one"),
    ("frank_wolfe.tokens_contract_to_one_cluster", "distances_contract", "constant_step"),
]
