"""Pictures in a notebook: `show(claim)`, `show(instance)` or `show("polarization.score_gaps_grow")`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import fmpq

from claims.atlas.pictures import pictures_of
from claims.atlas.pictures.scenes import Picture
from claims.atlas.plotting import as_svg
from claims.atlas.tracing import drawn_of, meant, of_instance
from claims.atlas.typeset import escaped
from claims.stating.statement import Claim, judged_by_runs
from dynamics.system import System


@dataclass(frozen=True)
class ShownPictures:
    """The pictures of one subject; a notebook draws them, a terminal prints what they show, `note` before all."""

    pictures: tuple[Picture, ...]
    note: str = ""

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """The pictures as HTML, each with its source, and in words."""
        parts = [f"<p>{escaped(self.note)}</p>"] if self.note else []
        for one in self.pictures:
            # Each in a frame of its own: its style sheet must not reach the notebook.
            source = as_svg(one).replace("&", "&amp;").replace('"', "&quot;")
            frame = f'<iframe srcdoc="{source}" width="640" height="470" style="border:0"></iframe>'
            drawn = f"<small>Drawn from {escaped(one.source.told)}.</small>"
            caption = f"<figcaption>{escaped(one.title)}. {escaped(one.note)} {drawn}</figcaption>"
            parts.append(f"<figure>{frame}{caption}</figure>")
        return {"text/html": "".join(parts), "text/plain": str(self)}

    def __str__(self) -> str:
        drawn = [f"{one.title}: {one.alt}" for one in self.pictures] or ["nothing can be drawn of this"]
        return "\n".join([self.note, *drawn] if self.note else drawn)


def show(what: Claim | System | str, until: fmpq | int = 1) -> ShownPictures:
    """The pictures of a claim on its decided instance, or of an instance alone, a flow followed for the time `until`.

    An empirical claim is shown by its recorded runs. A text is a claim's id, JSON, or the name of a file. Raises
    claims.atlas.tracing.TraceError where there is nothing to show.
    """
    given = meant(what, []) if isinstance(what, str) else what
    if isinstance(given, System):
        return ShownPictures(tuple(pictures_of(of_instance(given, fmpq(until)))))
    return ShownPictures(tuple(drawn_of(given)), judged_by_runs([given]))
