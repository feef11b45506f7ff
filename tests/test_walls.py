"""The rooms of the house, and who may know whom: read from the imports themselves, lazily imported ones included."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from claims.checker.__main__ import REFUSED
from claims.stating.statement import PAPERS

ROOT = Path(__file__).parent.parent
FOUNDATIONS = (
    "arithmetic",
    "attention",
    "choices",
    "decimals",
    "differentiation",
    "findings",
    "geometry",
    "integrate",
    "moving",
    "polytopes",
    "showing",
    "strict_reading",
    "system",
)
MODELS = ("dynamics.tokens", "dynamics.training")
CERTIFICATION = ("dynamics.enclosures", "dynamics.trusted", "dynamics.orbits", "dynamics.limits", "dynamics.checker")
PRINTING_NOTHING = ("claims.hunting", "claims.verifying", "claims.instances", "claims.mutating", "claims.proving")
STATED_AGAIN = ("claims.checker", "dynamics.checker", "claims.cli.own_systems", *(f"claims.{paper}" for paper in PAPERS))
"""Where names are those of what is restated, of an example, or of a paper."""

TWICE = {"Settled", "TooFarError", "leader_trap", "main", "neighbours_stay", "plain", "repeated", "settle", "start_of"}
"""Names of two things. Published formulas quote them, or files of one's own import them."""

VOCABULARY = ("statement", "verdict", "defects", "experiments", "assumptions", "matrices")


def modules() -> dict[str, Path]:
    """Every module of the house by its dotted name."""
    found = {}
    for path in [*ROOT.glob("dynamics/**/*.py"), *ROOT.glob("claims/**/*.py")]:
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


HOUSE = modules()


def imported(text: str, known: set[str]) -> set[str]:
    """The modules of the house that a text imports, wherever in it the import stands."""
    return whatever_is_imported(text, known) & known


def whatever_is_imported(text: str, known: set[str]) -> set[str]:
    """The modules that a text imports, those of others, too."""
    found, waiting = set(), [ast.parse(text)]
    while waiting:
        node: Any = waiting.pop()
        # Imports are statements: expressions, which are most of a tree, are not looked into.
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            below_it = getattr(node, part, None)
            waiting += below_it if isinstance(below_it, list) else []
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "write whole names"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                # `from package import name`: the name is a module of it, or something in it.
                found.add(whole if whole in known else node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


@cache
def imports() -> dict[str, set[str]]:
    """What each module imports. Not on import: every process collects these tests, and one runs them."""
    known = set(HOUSE)
    return {name: whatever_is_imported(path.read_text(encoding="utf-8"), known) for name, path in HOUSE.items()}


@cache
def arrows() -> dict[str, set[str]]:
    """What each module imports of the house."""
    known = set(HOUSE)
    return {name: found & known for name, found in imports().items()}


def below(name: str, *roots: str) -> bool:
    """Whether a module is one of the roots, or lies below one."""
    return any(name == root or name.startswith(f"{root}.") for root in roots)


def reached(start: str) -> set[str]:
    """All modules that come with this one, packages above them included."""
    found, waiting = set(), [start]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            # Python runs the packages above a module, too.
            parents = [name.rsplit(".", k)[0] for k in range(1, name.count(".") + 1)]
            waiting += [*arrows().get(name, ()), *(parent for parent in parents if parent in HOUSE)]
    return found


def crossings(inside: tuple[str, ...], outside: tuple[str, ...]) -> list[str]:
    """The arrows from modules below the one to modules below the other."""
    return [
        f"{name} -> {other}"
        for name, others in sorted(arrows().items())
        if below(name, *inside)
        for other in sorted(others)
        if below(other, *outside) and not below(other, *inside)
    ]


def circles(arrows: dict[str, set[str]]) -> list[set[str]]:
    """Groups of names each of which leads to all others: an empty list for a house without circles."""

    def closure(start: str) -> set[str]:
        found: set[str] = set()
        waiting = list(arrows.get(start, ()))
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += arrows.get(name, ())
        return found

    after = {name: closure(name) for name in arrows}
    return [{other for other in after[name] if name in after.get(other, ())} for name in after if name in after[name]]


def room(name: str) -> str:
    """The folder that a module stands in; one at the top of a package is a room of its own, a paper's claims are one."""
    parts = name.split(".")
    if len(parts) > 2 and parts[1] in PAPERS and parts[2] != "setting":
        return ".".join(parts[:2])
    folder = HOUSE[name].name == "__init__.py" or len(parts) == 2
    return name if folder else ".".join(parts[:-1])


# ---------------------------------------------------------------------------------------------------------------------
# The reading itself: a wall that is not seen stands for nothing


def test_imports_are_seen_wherever_they_stand():
    text = """
import claims.cli
from claims.targets import target
from claims.hunting.plan import Hunt as H
def f():
    if True:
        from dynamics.trusted import taylor
class C:
    def g(self):
        import dynamics.orbits.exact as e, os
"""
    known = {
        "claims.cli",
        "claims.targets.target",
        "claims",
        "claims.hunting.plan",
        "dynamics.trusted.taylor",
        "dynamics.trusted",
    }
    known |= {"dynamics.orbits.exact", "os.path"}
    seen = {
        "claims.cli",
        "claims.targets.target",
        "claims.hunting.plan",
        "dynamics.trusted.taylor",
        "dynamics.orbits.exact",
    }
    assert imported(text, known) == seen


def test_circles_and_crossings_are_seen(monkeypatch):
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [{"b", "c"}] * 2
    assert circles({"a": {"b"}, "b": set()}) == []
    monkeypatch.setitem(arrows(), "dynamics.tokens.hardmax", {"dynamics.trusted.taylor"})
    assert crossings(MODELS, CERTIFICATION) == ["dynamics.tokens.hardmax -> dynamics.trusted.taylor"]


def test_strings_name_no_module_of_the_house_that_is_not_there():
    """After a rename an old name in a string refuses, patches and starts nothing, and nobody notices."""
    for name, path in HOUSE.items():
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if re.search(r"""["'](claims|dynamics)\.""", text) else ():
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                word = node.value.removesuffix(":work").removesuffix(".")
                dotted = word.replace(".", "").replace("_", "").isalnum() and "." in word
                if dotted and word.split(".")[0] in ("claims", "dynamics"):
                    assert find_spec(word) is not None, f"{name} names {word}"


# ---------------------------------------------------------------------------------------------------------------------
# The walls


def test_every_refused_module_exists():
    for name in REFUSED:
        assert find_spec(name) is not None, name


def test_there_is_no_circle_of_modules_nor_of_rooms():
    assert circles(arrows()) == []
    rooms: dict[str, set[str]] = {}
    for name, others in arrows().items():
        rooms.setdefault(room(name), set()).update({room(other) for other in others} - {room(name)})
    assert circles(rooms) == []


def test_a_room_knows_only_those_below_it_in_the_table_of_contributing():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page.partition("## The rooms")[2].partition("\n`dynamics`")[0]
    rows = [re.findall(r"`(\w+)`", line.split("|")[1]) for line in table.splitlines() if line.startswith("| `")]
    floor = {f"claims.{name}": -number for number, row in enumerate(rows) for name in row}
    # What stands at the top of claims is a door, and no room: a module there would be on no floor.
    assert {name for name in HOUSE if re.fullmatch(r"claims\.\w+", name)} == {*floor, "claims.__main__"}
    for name, others in arrows().items():
        for other in others:
            here, there = (".".join(one.split(".")[:2]) for one in (name, other))
            if here != there and here in floor and there in floor:
                assert floor[there] < floor[here], f"{name} -> {other}"


def test_the_foundations_are_flat_and_the_rest_has_rooms():
    flat = {path.stem for path in (ROOT / "dynamics").glob("*.py")} - {"__init__"}
    assert flat == set(FOUNDATIONS)
    for name in FOUNDATIONS:
        rooms = {other.split(".")[1] for other in arrows()[f"dynamics.{name}"]}
        assert rooms <= set(FOUNDATIONS), f"dynamics.{name} knows {rooms}"


def test_dynamics_knows_nothing_of_claims():
    assert crossings(("dynamics",), ("claims",)) == []


def test_a_model_knows_nothing_of_its_certification():
    assert crossings(MODELS, CERTIFICATION) == []


def know_only(inside: str, allowed: tuple[str, ...], refused: tuple[str, ...] = (), but: str = "-") -> None:
    """Assert that modules below the one know those that are allowed and none that is refused."""
    for name in HOUSE:
        if below(name, inside) and not below(name, but):
            for other in arrows()[name]:
                assert below(other, *allowed), f"{name} -> {other}"
                assert not below(other, *refused), f"{name} -> {other}"


def test_trusted_code_rests_on_the_foundations_alone():
    know_only("dynamics.trusted", ("dynamics.trusted", *(f"dynamics.{name}" for name in FOUNDATIONS)))


def test_the_checker_reaches_nothing_that_decides_or_hunts():
    found = [name for name in reached("claims.checker.__main__") if below(name, *REFUSED)]
    # What orbits and traps are called stands in modules of claims; in the checker's process its own take their place.
    named = ("dynamics.orbits", "dynamics.limits")
    assert [name for name in found if not below(name, *named)] == []
    assert crossings(("claims.checker", "dynamics.checker"), REFUSED) == []


def test_a_module_that_moved_is_found_by_its_former_name_once():
    script = (
        "import importlib, sys, claims\n"
        "for name, room in claims.MOVED.items():\n"
        "    former = importlib.import_module(f'claims.{name}')\n"
        "    assert former is importlib.import_module(f'claims.{room}.{name}'), name\n"
        # What reloads, pickles or rewrites a module asks it for its name.
        "    assert former.__name__ == former.__spec__.name == f'claims.{room}.{name}', name\n"
        "from claims.statement import Claim\n"
        "assert Claim is claims.Claim"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT)


@pytest.mark.parametrize("package", ["claims", "dynamics"])
def test_a_package_offers_what_a_file_of_one_s_own_needs_and_brings_nothing_with_it(package):
    script = f"import sys, {package}\nprint(*[name for name in sys.modules if name.startswith(('claims.', 'dynamics.'))])"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout.split() == []
    face = importlib.import_module(package)
    # Whatever else stood there, a claim file could import from it.
    public = {name for name in vars(face) if name[0] != "_" and not isinstance(vars(face)[name], ModuleType)}
    tables = {"OFFERED", "MOVED", "ARITHMETIC", "SYSTEMS", "Any", "annotations"}
    assert public <= {*face.OFFERED, *tables}
    assert not {"importlib", "sys"} & vars(face).keys()
    for name, home in face.OFFERED.items():
        assert getattr(face, name) is getattr(importlib.import_module(home), name)
    with pytest.raises(AttributeError, match="it offers"):
        face.anything_else  # noqa: B018 -- asking is the test


def test_a_public_name_is_defined_in_one_module():
    texts = [path.read_text(encoding="utf-8") for name, path in HOUSE.items() if not below(name, *STATED_AGAIN)]
    places = Counter(
        found for text in texts for found in set(re.findall(r"^(?:def|class) ([a-zA-Z]\w*)", text, re.MULTILINE))
    )
    assert {name for name, number in places.items() if number > 1} == TWICE


def test_the_hunt_knows_no_screen():
    screens = ("claims.cli",)
    assert crossings(PRINTING_NOTHING, screens) == []
    for name, found in imports().items():
        if not below(name, *screens) and below(name, "claims"):
            words = {alias.split(".")[0] for alias in found}
            assert not words & {"rich", "typer"}, f"{name} prints"


def test_only_the_command_line_knows_the_atlas():
    knowing = {name for name, others in arrows().items() if any(below(other, "claims.atlas") for other in others)}
    assert knowing
    assert all(below(name, "claims.atlas", "claims.cli") for name in knowing)


def test_solvers_are_imported_in_their_own_process_alone():
    found = [name for name, others in imports().items() if others & {"z3", "cvc5"}]
    assert found == ["claims.proving.solver_process"]
    # Within its functions it may import them: those run in the process of the solver.
    at_its_top = ast.parse(HOUSE["claims.proving.solver_process"].read_text(encoding="utf-8")).body
    assert not {alias.name for node in at_its_top if isinstance(node, ast.Import) for alias in node.names} & {"z3", "cvc5"}
    knowing = [name for name, others in arrows().items() if "claims.proving.solver_process" in others]
    assert knowing
    for name in knowing:
        text = HOUSE[name].read_text(encoding="utf-8")
        assert "from claims.proving.solver_process import SOLVERS\n" in text
        assert ".make()" not in text, f"{name} would run a solver in this process"


def test_campaigns_know_no_mathematics():
    assert crossings(("claims.campaigns",), ("claims", "dynamics")) == [
        "claims.campaigns.ledger -> dynamics.strict_reading"
    ]
    for name, found in imports().items():
        if below(name, "claims.campaigns"):
            assert not {word.split(".")[0] for word in found} & {"flint", "mpmath", "numpy", "scipy"}, name


@pytest.mark.parametrize("paper", PAPERS)
def test_a_claim_knows_the_vocabulary_its_setting_the_dynamics_and_the_claim_that_states_a_formula_first(paper):
    vocabulary, setting = tuple(f"claims.stating.{name}" for name in VOCABULARY), f"claims.{paper}.setting"
    refused = ("dynamics.enclosures", "dynamics.trusted", "dynamics.checker")
    know_only(f"claims.{paper}", (*vocabulary, f"claims.{paper}", "dynamics"), refused, but=setting)
    know_only(setting, (*vocabulary, setting, "claims.instances", "dynamics"))


@pytest.mark.parametrize("paper", PAPERS)
def test_the_table_of_contents_names_every_claim_of_the_paper_once(paper):
    contents = importlib.import_module(f"claims.{paper}").CONTENTS
    names = [path.stem for path in (ROOT / "claims" / paper).glob("*.py") if path.stem != "__init__"]
    assert sorted(contents) == sorted(names)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_name_means_one_thing_in_a_module_of_claims(paper):
    """A constant that is set again, for another statement, would change the first one's formulas without a word."""
    twice = []
    for path in (ROOT / "claims" / paper).glob("*.py"):
        # At the top level alone: within functions names may come again.
        bound = Counter(name for node in ast.parse(path.read_text(encoding="utf-8")).body for name in bindings(node))
        twice += [f"{path.stem}.{name}" for name, times in bound.items() if times > 1]
    assert twice == []


def bindings(node: ast.stmt) -> list[str]:
    """The names that a statement at the top level of a module binds."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name for alias in node.names]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [part.id for target in targets if target for part in ast.walk(target) if isinstance(part, ast.Name)]


def test_a_test_file_is_read_in_one_sitting():
    lengths = {path: path.read_text(encoding="utf-8").count("\n") for path in (ROOT / "tests").glob("**/*.py")}
    assert {path.name: length for path, length in lengths.items() if length > 800} == {}
