"""The command `claims new`: a claim file of one's own that runs, to be changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from claims.cli.choosing import offering
from claims.cli.terminal import refuse
from claims.instances.builders import buildable
from claims.statement import ALONG_A_FLOW, PAPERS, Form
from dynamics.system import Flow, StepMap, System
from dynamics.tokens.attention_chain import AttentionChain

FORMS = tuple(form.value for form in Form if form is not Form.EXPERIMENT)

SYSTEMS: dict[str, type[System]] = {kind.__name__: kind for kind in (*buildable(), AttentionChain)}
"""The models by name."""

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


def text_of(form: str, system: type[System]) -> str:
    """The text of a claim file that verifies."""
    moving = system.moving[0] if issubclass(system, Flow) and system.moving else next(iter(system.fields()))
    imports = "from claims.statement import Claim"
    if form == Form.PROBABILITY:
        imports += ", Tail\nfrom dynamics.choices import ball"
    elif form in ALONG_A_FLOW:
        imports = f"from flint import fmpq\n\n{imports}"
    own = {"draw": "\n    draw=draw,", "drawn": DRAWN} if system is AttentionChain else {"draw": "", "drawn": ""}
    head = HEAD.format(imports=imports, module=system.__module__, system=system.__name__, **own)
    return head + BODY[form].format(system=system.__name__, array=moving)


def new_claim(
    file: Annotated[Path, typer.Argument(help="The file to write, my_claim.py for one; its name becomes the claim's id.")],
    form: Annotated[
        str, typer.Option(help=f"What is concluded: {', '.join(FORMS)}.", autocompletion=offering(lambda: FORMS))
    ] = "state",
    system: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="The model: SelfAttentionFlow, LocalmaxStep, ...", autocompletion=offering(lambda: SYSTEMS)
        ),
    ] = "",
) -> None:
    """Write a claim file of your own that runs, to be changed into what you believe."""
    if form not in FORMS:
        raise refuse(f"unknown form {form!r}: there are {', '.join(FORMS)}")
    known = {name: kind for name, kind in SYSTEMS.items() if is_suited(kind, form)}
    system = system or next(iter(known))
    if system not in known:
        raise refuse(f"no {form} is asked of a system {system!r}: there are {', '.join(known)}")
    if file.suffix != ".py" or not file.stem.isidentifier() or file.stem in PAPERS:
        raise refuse(f"{file} is no name for a claim file: write my_claim.py, with letters, digits and _")
    if not file.parent.is_dir():
        raise refuse(f"{file} cannot be written: its folder does not exist")
    try:
        with file.open("x", encoding="utf-8") as written:
            written.write(text_of(form, known[system]))
    except FileExistsError:
        raise refuse(f"{file} is there already") from None
    except OSError as error:
        raise refuse(f"{file} cannot be written: {error.strerror}") from None
    typer.echo(f"{file} is written: claims verify --file {file}")
