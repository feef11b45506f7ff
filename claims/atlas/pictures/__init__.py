"""Pictures of decided data: each painter draws some systems and forms, from a certificate's or a verdict's own instance.

A painter of a further kind of picture registers with `draws` in a module of its own, which is named here.
"""

from __future__ import annotations

from claims.atlas.pictures import curves, escapes, orbits, tokens
from claims.atlas.pictures.scenes import Picture
from claims.atlas.pictures.subject import PAINTERS, Subject, draws

__all__ = ["PAINTERS", "Subject", "curves", "draws", "escapes", "orbits", "pictures_of", "tokens"]


def pictures_of(subject: Subject) -> list[Picture]:
    """All pictures of a conclusion on an instance, by every painter of its system and form."""
    found = []
    for system, forms, painter in PAINTERS:
        if isinstance(subject.system, system) and subject.conclusion.form in forms:
            found += list(painter(subject))
    return found
