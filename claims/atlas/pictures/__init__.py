"""Pictures of decided data: each painter draws some systems and forms, from a certificate's or a verdict's own instance.

A painter of a further kind of picture registers with `draws` in a module of its own, which is named here. Statements whose
failure has a picture of its own are named in `failures`.
"""

from __future__ import annotations

from claims.atlas.pictures import curves, escapes, orbits, tokens
from claims.atlas.pictures.failures import FAILURES
from claims.atlas.pictures.scenes import Picture
from claims.atlas.pictures.subject import PAINTERS, NothingToShowError, Subject, draws

__all__ = [
    "FAILURES",
    "PAINTERS",
    "NothingToShowError",
    "Subject",
    "curves",
    "draws",
    "escapes",
    "orbits",
    "pictures_of",
    "tokens",
]


def pictures_of(subject: Subject) -> list[Picture]:
    """All pictures of a conclusion on an instance: by the painters of its failure, else by those of its system and form.

    Raises NothingToShowError where a counterexample does not show what it is known for.
    """
    painters = FAILURES.get(subject.claim.id, ()) if subject.refutes else ()
    if not painters:
        painters = tuple(
            painter
            for system, forms, painter in PAINTERS
            if isinstance(subject.system, system) and subject.conclusion.form in forms
        )
    return [picture for painter in painters for picture in painter(subject)]
