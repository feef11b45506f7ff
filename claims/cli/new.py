"""The command `claims new`: a claim file of one's own that runs, to be changed."""

from __future__ import annotations

import ast
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from claims.cli.choosing import offering, own_claims
from claims.cli.terminal import refuse, refuse_missing_folder, writing
from claims.instances.builders import buildable
from claims.stating.statement import ALONG_A_FLOW, PAPERS, Claim, Form
from dynamics.system import Flow, StepMap, System
from dynamics.tokens.attention_chain import AttentionChain

FORMS = tuple(form.value for form in Form if form is not Form.EXPERIMENT)

SYSTEMS: dict[str, type[System]] = {kind.__name__: kind for kind in (*buildable(), AttentionChain)}
"""The models by name."""

OWN_SYSTEMS = ("flow", "step", "sphere", "mask", "sigmoid", "scores")
"""Files with a system of one's own: tokens as a flow, as a step, on the sphere, under a mask, unnormalised; and scores."""

HEAD = '''"""What the statement says, in one sentence."""

{imports}
from {module} import {system}

{drawn}claim = Claim(
    __name__,
    statement="The statement in words, with its hypotheses.",
    system={system},{draw}
    assumptions=(),  # Assumption(name, statement, satisfies=..., restrict=..., violate=...)
)

'''

DRAWN = '''
def draw(draws):
    """Two groups of one token, near the ends of a segment."""
    beta = draws.integer(1, 4)
    return AttentionChain.instance(v=[[-1], [1]], x=[[-1], [1]], group=[0, 1], beta=beta, gamma="1/4", eps="1/4", steps=3)


'''

BODY = {
    "identity": '''
@claim.identity()
def difference_of_the_sides(f: {system}):
    """Left side minus right side: here (x + x) - 2 x for x = {array}."""
    return f.{array} + f.{array} - 2 * f.{array}
''',
    "state": '''
@claim.state(">= 0")
def margin_at_a_state(f: {system}):
    """What must not be negative at any state: here the squares of {array}."""
    return f.{array} * f.{array}
''',
    "step": '''
@claim.step(">= 0")
def margin_of_a_step(f: {system}):
    """What must not be negative after one step: here the squares of {array}."""
    after = f.step()
    return after.{array} * after.{array}
''',
    "orbit": '''
@claim.orbit(">= 0")
def margin_of_two_steps(f: {system}):
    """What must not be negative after many steps: here the squares of {array} after two."""
    after = f.step().step()
    return after.{array} * after.{array}
''',
    "trajectory": '''
@claim.trajectory(">= 0", horizon=lambda f: fmpq(1, 2))
def margin_at_every_time(now: {system}, start: {system}):
    """What must not be negative until the horizon, between the grid points too: here the squares of {array}."""
    return now.{array} * now.{array}
''',
    "rate": '''
@claim.rate(">= 0", horizon=lambda f: fmpq(1, 2))
def bound_at_finite_times(now: {system}, start: {system}):
    """The explicit bound behind a limit: here {array}^2 + 1 against 0."""
    return now.{array} * now.{array} + 1
''',
    "limit": '''
@claim.limit(">= 0", times=lambda f: [fmpq(1, 4), fmpq(1, 2)])
def reading_at_late_times(states: list[{system}], start: {system}):
    """Evidence only, for want of a trap: here the squares of {array} at the last of the times."""
    return states[-1].{array} * states[-1].{array}
''',
    "probability": '''
@claim.probability()
def escape_before_t(f: {system}):
    """P[T_2 < t] <= exp(log_bound): here a bound just below 1."""
    return Tail(f, ball(-1) / 1024)
''',
}


def is_suited(system: type[System], form: str) -> bool:
    """Whether a conclusion of this form can be asked of a system."""
    if form in ALONG_A_FLOW:
        return issubclass(system, Flow)
    if form in (Form.STEP, Form.ORBIT):
        return issubclass(system, StepMap)
    if form == Form.PROBABILITY:
        return system is AttentionChain
    return system is not AttentionChain


def starting_text(form: str, system: type[System]) -> str:
    """The text of a claim file that verifies."""
    # A conclusion about an array that moves: of a constant one it would be true or false at all times alike.
    moving = system.moving[0] if issubclass(system, Flow) and system.moving else next(iter(system.fields()))
    imports = "from claims.stating.statement import Claim"
    if form == Form.PROBABILITY:
        imports += ", Tail\nfrom dynamics.choices import ball"
    elif form in ALONG_A_FLOW:
        imports = f"from flint import fmpq\n\n{imports}"
    own = {"draw": "\n    draw=draw,", "drawn": DRAWN} if system is AttentionChain else {"draw": "", "drawn": ""}
    head = HEAD.format(imports=imports, module=system.__module__, system=system.__name__, **own)
    return head + BODY[form].format(system=system.__name__, array=moving)


def text_from(claim: Claim, form: str) -> str:
    """The text of a claim file about the system of another one, with its hypotheses and draw: a claim file stands alone."""
    # By its syntax and not by its text: what the file defines may stand in any order, and is copied as it was typed.
    tree = ast.parse(claim.source or "")
    made = next(node for node in tree.body if isinstance(node, ast.Assign) and "claim" in map(ast.unparse, node.targets))
    kept = [node for node in tree.body[bool(ast.get_docstring(tree)) :] if node is not made and not _concludes(node)]
    assert isinstance(made.value, ast.Call)
    # The statement, its standing and its note are about the other claim.
    made.value.keywords = [one for one in made.value.keywords if one.arg in ("system", "assumptions", "draw")]
    # A function that only another unused one calls is unused after that one is gone.
    while unused := [node for node in kept if isinstance(node, ast.FunctionDef) and not _is_used(node, [*kept, made])]:
        kept = [node for node in kept if node not in unused]
    moving = claim.system.moving[0] if issubclass(claim.system, Flow) and claim.system.moving else None
    conclusion = BODY[form].format(system=claim.system.__name__, array=moving or next(iter(claim.system.fields())))
    arguments = ", ".join(ast.unparse(one) for one in made.value.keywords)
    parts = ['"""What the statement says, in one sentence."""', *(ast.unparse(node) for node in kept if _is_import(node))]
    parts += ["from flint import fmpq"] if "fmpq(" in conclusion and not any("fmpq" in part for part in parts) else []
    text = "\n".join([parts[0], "", *parts[1:]])
    for node in kept:
        if not _is_import(node):
            # A function begins at its `def` to Python; its decorators belong to it.
            for decorator in getattr(node, "decorator_list", [])[:1]:
                node.lineno, node.col_offset = decorator.lineno, 0
            text += f"\n\n\n{ast.get_source_segment(claim.source or '', node)}"
    return f'{text}\n\n\nclaim = Claim(__name__, statement="The statement in words.", {arguments})\n\n{conclusion}'


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _concludes(node: ast.stmt) -> bool:
    """Whether a function is declared as a conclusion."""
    return isinstance(node, ast.FunctionDef) and any(ast.unparse(one).startswith("claim.") for one in node.decorator_list)


def _is_used(node: ast.FunctionDef, among: list[ast.stmt]) -> bool:
    names = (part for other in among if other is not node for part in ast.walk(other) if isinstance(part, ast.Name))
    return any(part.id == node.name for part in names)


def new_claim(
    file: Annotated[Path, typer.Argument(help="The file to write, my_claim.py for one; its name becomes the claim's id.")],
    form: Annotated[
        str | None, typer.Option(help=f"What is concluded: {', '.join(FORMS)}.", autocompletion=offering(lambda: FORMS))
    ] = None,
    system: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="The model: SelfAttentionFlow, LocalmaxStep, ...", autocompletion=offering(lambda: SYSTEMS)
        ),
    ] = "",
    own_system: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help=f"A system of your own, with a claim of each form: {', '.join(OWN_SYSTEMS)}.",
            autocompletion=offering(lambda: OWN_SYSTEMS),
        ),
    ] = None,
    taken_from: Annotated[
        Path | None, typer.Option("--file", metavar="FILE", help="A claim file of your own whose system is taken.")
    ] = None,
) -> None:
    """Write a claim file of your own that runs, to be changed into what you believe."""
    text = _text(form, system, own_system, taken_from)
    # The stem becomes an id: a paper's name would be taken for that paper in every command.
    if file.suffix != ".py" or not file.stem.isidentifier() or file.stem in PAPERS:
        raise refuse(f"{file} is no name for a claim file: write my_claim.py, with letters, digits and _")
    refuse_missing_folder(file)
    with writing(file):
        try:
            with file.open("x", encoding="utf-8") as written:  # a file of the user's is never written over
                written.write(text)
        except FileExistsError:
            raise refuse(f"{file} is there already") from None
    typer.echo(f"{file} is written: claims verify --file {file}")


def _text(form: str | None, system: str, own_system: str | None, taken_from: Path | None) -> str:
    """The text that is asked for. Raises typer.Exit."""
    if own_system is not None:
        if form or system or taken_from:
            raise refuse("--own-system has a claim of each form, and a system of its own: leave the other options out")
        if own_system not in OWN_SYSTEMS:
            raise refuse(f"unknown kind of system {own_system!r}: there are {', '.join(OWN_SYSTEMS)}")
        return (files("claims.cli.own_systems") / f"{own_system}.py").read_text(encoding="utf-8")
    form = form or "state"
    if form not in FORMS:
        raise refuse(f"unknown form {form!r}: there are {', '.join(FORMS)}")
    own = own_claims([taken_from] if taken_from else [])
    # What a file of one's own calls a system comes before the suite's.
    systems = SYSTEMS | {claim.system.__name__: claim.system for claim in own}
    known = {name: kind for name, kind in systems.items() if is_suited(kind, form)}
    system = system or (own[0].system.__name__ if own else next(iter(known)))
    if system not in known:
        raise refuse(f"no {form} is asked of a system {system!r}: there are {', '.join(known)}")
    if own and known[system] is own[0].system:
        return text_from(own[0], form)
    return starting_text(form, known[system])
