"""Writes a folder whole: beside its place first, then in it. A folder that was not written here is never overwritten."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path

MARK = "atlas.json"  # says which files of a folder were written here: nothing else is ever replaced
FORMAT = "attention-claims atlas 1"


class FolderError(ValueError):
    """The folder cannot be written; the message says why."""


def check_place(out: Path) -> None:
    """Raise FolderError unless there is nothing there, an empty folder, or an atlas without files of others."""
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise FolderError(f"{out} is no folder: name one that does not exist yet")
    if not out.exists():
        if not out.absolute().parent.is_dir():
            raise FolderError(f"{out} cannot be written: its folder does not exist")
        if not os.access(out.absolute().parent, os.W_OK):
            raise FolderError(f"{out} cannot be written: permission denied")
        return
    found = {path.relative_to(out).as_posix() for path in out.rglob("*") if not path.is_dir() or path.is_symlink()}
    if not found:
        return
    try:
        data = json.loads((out / MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        data = None
    if not isinstance(data, dict) or data.get("format") != FORMAT or not isinstance(data.get("files"), list):
        raise FolderError(f"{out} holds other files than an atlas: name another folder")
    # A name that the mark has is ours even if its text is not: an atlas may be changed by hand, and is written anew.
    strange = sorted(found - {str(name) for name in data["files"]} - {MARK})
    if strange:
        raise FolderError(f"{out} holds {strange[0]}, which no atlas wrote: name another folder, or move it")


def write_folder(out: Path, files: Mapping[str, str]) -> int:
    """Write texts under their names, and return the bytes; the old folder stays until the end. Raises FolderError."""
    check_place(out)
    out = out.absolute()
    # Beside the folder: within one file system a folder is moved whole or not at all.
    part, old = (out.with_name(f".{out.name}.{os.getpid()}.{what}") for what in ("part", "old"))
    size = 0
    try:
        marked = dict(files) | {MARK: json.dumps({"format": FORMAT, "files": sorted(files)}, indent=0) + "\n"}
        for name, text in marked.items():
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            data = text.encode("utf-8")
            path.write_bytes(data)
            size += len(data)
        check_place(out)  # somebody else may have written there meanwhile
        if out.exists():
            out.replace(old)
        part.replace(out)
    except OSError as error:
        if old.exists() and not out.exists():
            old.replace(out)
        raise FolderError(f"{out} cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
    return size
