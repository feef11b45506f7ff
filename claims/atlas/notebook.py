"""Pictures in a notebook: `show(claim)`, `show(instance)` or `show("polarization.score_gaps_grow")`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from flint import fmpq

from claims.atlas.pictures import Subject, pictures_of
from claims.atlas.pictures.scenes import Picture
from claims.atlas.plotting import as_svg
from claims.atlas.tracing import of_claim, of_instance, subject
from claims.atlas.typeset import shown
from claims.statement import Claim
from dynamics.system import System


@dataclass(frozen=True)
class Shown:
    """The pictures of one subject; a notebook draws them, a terminal prints what they show."""

    subject: Subject = field(repr=False)
    pictures: tuple[Picture, ...]

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """The pictures as HTML, each with its source, and in words."""
        figures = "".join(
            f"<figure>{_framed(as_svg(one))}<figcaption>{shown(one.title)}. {shown(one.note)} "
            f"<small>Drawn from {shown(one.source.told)}.</small></figcaption></figure>"
            for one in self.pictures
        )
        return {"text/html": figures, "text/plain": str(self)}

    def __str__(self) -> str:
        return "\n".join(f"{one.title}: {one.alt}" for one in self.pictures) or "nothing can be drawn of this"


def show(what: Claim | System | str, until: fmpq | int = 1) -> Shown:
    """The pictures of a claim on its decided instance, or of an instance alone, a flow followed for the time `until`.

    A text is a claim's id, JSON, or the name of a file. Raises claims.atlas.tracing.TraceError where there is no instance.
    """
    if isinstance(what, Claim):
        given = of_claim(what)
    elif isinstance(what, System):
        given = of_instance(what, fmpq(until))
    else:
        given = subject(what, [])
    return Shown(given, tuple(pictures_of(given)))


def _framed(svg: str) -> str:
    """The picture as an image of its own: its style sheet must not reach the notebook."""
    source = svg.replace("&", "&amp;").replace('"', "&quot;")
    return f'<iframe srcdoc="{source}" width="640" height="470" style="border:0"></iframe>'
