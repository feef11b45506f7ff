"""A user's own tokens, matrices and scores, put to the claims: JSON with exact rationals, or .npz with floats."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from claims.catalogue import catalogue
from dynamics.attention_chain import AttentionChain, SoftmaxStep
from dynamics.hardmax import HardmaxStep
from dynamics.localmax import LocalmaxStep
from dynamics.self_attention import RescaledFlow, SelfAttentionFlow
from dynamics.system import System
from dynamics.value_softmax import FullLogisticFlow, FullSquareFlow, LogisticFlow, SquareLossFlow

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


COUNTEREXAMPLE = "attention-claims counterexample"
"""The format of a file that holds a counterexample, of which an instance is a part."""


class InstanceError(ValueError):
    """The file is no instance; the message says what is wrong with it."""


def read_instance(source: str, own: Sequence[type[System]] = ()) -> list[System]:
    """The exact instances that a file, or JSON text beginning with "{", describes: one for each system it fits.

    With a "system" entry there is one; without, every system whose required arrays are given under their names or
    aliases (tokens, key_query, value, values, scores, ...). A full value-softmax start also yields its reduced one.
    Systems in `own`, those of a user's own claims, come before others of the same name.
    A counterexample file stands for its instance. Raises InstanceError, naming what is wrong.
    """
    data = _load(source)
    if data.get("format") == COUNTEREXAMPLE:
        data = dict(data["instance"])
    named = data.pop("system", None)
    if named is not None:
        # Every system that a claim is about can be named; only the common ones are recognised by their arrays.
        every = (*SYSTEMS, *(claim.system for claim in catalogue().values()), *own)
        by_name = {system.__name__: system for system in every}
        if str(named) not in by_name:
            raise InstanceError(f"unknown system {named!s}: there are {', '.join(by_name)}")
        return _with_reduced([_build(by_name[str(named)], data)])
    systems = list(dict.fromkeys([*own, *SYSTEMS]))
    known = {name for system in systems for name in _names(system)}
    unknown = sorted(set(data) - known)
    if unknown:
        raise InstanceError(f"unknown key {unknown[0]!r}: known are {', '.join(sorted(known))}")
    fitting = [system for system in systems if _fits(system, set(data))]
    if not fitting:
        raise InstanceError(f"no system takes exactly {', '.join(sorted(data)) or 'nothing'}; name one under 'system'")
    if any(system in own for system in fitting):
        # Its keys may fit a system of the suite whose shapes they do not fit.
        fitting = [system for system in fitting if system in own or _builds(system, data)]
    return _with_reduced([_build(system, data) for system in fitting])


def _load(source: str) -> dict[str, Any]:
    if source.lstrip().startswith("{"):
        return _parse(source, "the text given")
    path = Path(source)
    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as arrays:
                return {name: arrays[name] for name in arrays.files}
        return _parse(path.read_text(encoding="utf-8"), source)
    except (OSError, UnicodeDecodeError, zipfile.BadZipFile, ValueError) as error:
        if isinstance(error, InstanceError):
            raise
        raise InstanceError(f"{source} cannot be read: {error}") from None


def _parse(text: str, source: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise InstanceError(f"{source} is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise InstanceError(f"{source} must hold one JSON object")
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


def _builds(system: type[System], data: dict[str, Any]) -> bool:
    try:
        system.instance(**data)
    except ValueError:
        return False
    return True


def _with_reduced(systems: list[System]) -> list[System]:
    return systems + [s.reduced() for s in systems if isinstance(s, FullLogisticFlow | FullSquareFlow)]
