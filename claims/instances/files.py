"""Reads a user's own tokens, matrices and scores: JSON with exact rationals, or .npz with floats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from claims.instances.builders import models
from claims.instances.strict_npz import read_npz
from dynamics.strict_reading import UnreadableError, read_json, read_text, shown
from dynamics.system import System
from dynamics.tokens.attention_chain import AttentionChain, SoftmaxStep
from dynamics.tokens.hardmax import HardmaxStep
from dynamics.tokens.localmax import LocalmaxStep
from dynamics.tokens.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.training.value_softmax import FullLogisticFlow, FullSquareFlow, LogisticFlow, SquareLossFlow

SYSTEMS: tuple[type[System], ...] = (
    SelfAttentionFlow,
    RescaledFlow,
    HardmaxStep,
    LocalmaxStep,
    SoftmaxStep,
    AttentionChain,
    LogisticFlow,
    SquareLossFlow,
    FullLogisticFlow,
    FullSquareFlow,
)
"""What an instance is taken for that names no system."""

COUNTEREXAMPLE = "attention-claims counterexample"  # the format of a file that holds one, of which an instance is a part


class InstanceError(ValueError):
    """The file is not an instance; the message says what is wrong with it."""


def read_instance(source: str, own: Sequence[type[System]] = ()) -> list[System]:
    """The exact instances that a file, or JSON text beginning with "{", describes: one for each system it fits.

    With a "system" entry there is one; without, every system whose required arrays are given under their names or
    aliases (tokens, key_query, value, values, scores, ...). A full value-softmax start also yields its reduced one.
    Systems in `own`, those of a user's own claims, come before others of the same name.
    A counterexample file stands for its instance. Raises InstanceError, naming what is wrong.
    """
    data = _load(source)
    named = data.pop("system", None)
    if named is not None:
        # Every model can be named; only the common ones are recognised by their arrays.
        # A user's own systems come last, and so replace those of the suite of the same name.
        by_name = models() | {system.__name__: system for system in own}
        name = str(named)  # text, or an array of it
        if name not in by_name:
            raise InstanceError(f"unknown system {shown(name)[1:-1]}: there are {', '.join(by_name)}")
        return _with_reduced([_build(by_name[name], data)])
    systems = list(dict.fromkeys([*own, *SYSTEMS]))
    known = {name for system in systems for name in _names(system)}
    unknown = sorted(set(data) - known)
    if unknown:
        raise InstanceError(f"unknown key '{shown(unknown[0])[1:-1]}': known are {', '.join(sorted(known))}")
    fitting = [system for system in systems if _fits(system, set(data))]
    if not fitting:
        raise InstanceError(f"no system takes exactly {', '.join(sorted(data)) or 'nothing'}; name one under 'system'")
    built: list[System] = []
    for system in fitting:
        try:
            built.append(_build(system, data))
        except InstanceError:
            # The keys of a user's own system may be those of one of the suite, whose shapes they do not fit.
            if system in own or not any(one in own for one in fitting):
                raise
    return _with_reduced(built)


def read_as(system: type[System], source: str, given: dict[str, Any]) -> System:
    """The instance of one system that a file or JSON text describes, some arrays `given` apart. Raises InstanceError."""
    data = _load(source)
    named = data.pop("system", system.__name__)
    if str(named) != system.__name__:
        raise InstanceError(f"the instance is a {shown(str(named))[1:-1]}, not {system.__name__}")
    return _build(system, {**data, **given})


def _load(source: str) -> dict[str, Any]:
    given = source.lstrip().startswith("{")
    told, path = "the text given" if given else source or "the file without a name", Path(source)
    try:
        if not given and path.suffix == ".npz":
            return read_npz(path)
        data = read_json(source if given else read_text(path))
    except UnreadableError as error:
        raise InstanceError(f"{told} {error}") from None
    except (OSError, ValueError) as error:  # a ValueError for a name that no file can have
        raise InstanceError(f"{told} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if isinstance(data, dict) and data.get("format") == COUNTEREXAMPLE:
        told, data = f"the instance of the counterexample in {told}", data.get("instance")
    if not isinstance(data, dict):
        raise InstanceError(f"{told} must hold one JSON object" if data is not None else f"{told} is missing")
    return data


def _names(system: type[System]) -> set[str]:
    fields = system.fields()
    return set(fields) | {field.alias for field in fields.values() if field.alias}


def _fits(system: type[System], given: set[str]) -> bool:
    required = [{name, field.alias} for name, field in system.fields().items() if field.default is None]
    return given <= _names(system) and all(names & given for names in required)


def _build(system: type[System], data: dict[str, Any]) -> System:
    try:
        return system.instance(**data)
    except ValueError as error:
        raise InstanceError(str(error)) from None


def _with_reduced(systems: list[System]) -> list[System]:
    return systems + [s.reduced() for s in systems if isinstance(s, FullLogisticFlow | FullSquareFlow)]
