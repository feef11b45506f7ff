"""Arrays of an .npz file, read strictly: numbers and text only, and every size is checked before memory is allocated.

The format is that of `numpy.lib.format`: a zip archive of .npy files, each a magic string, a header that is the text of a
dictionary, and the numbers. The header is matched, never evaluated, and pickled objects are refused.
"""

from __future__ import annotations

import io
import math
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from dynamics.strict_reading import MOST_BYTES, UnreadableError, shown

MOST_ENTRIES = 1_000_000  # numbers in all arrays together: with more, any decision would take hours
MOST_ARRAYS = 100

MOST_HEADER = 10_000  # bytes; NumPy writes 118
_HEADER = re.compile(
    r"\{\s*'descr'\s*:\s*'(?P<kind>[<>|=]?[A-Za-z][0-9]{0,6})'\s*,\s*'fortran_order'\s*:\s*(?P<fortran>True|False)\s*,"
    r"\s*'shape'\s*:\s*\((?P<shape>[0-9, ]{0,400})\)\s*,?\s*\}\s*"
)

_KIND = re.compile(r"[<>|=]?(f[248]|[iu][1248]|U[0-9]{1,4})")  # binary floats, integers, and text such as "1/3"


def read_npz(path: Path) -> dict[str, Any]:
    """The arrays of an .npz file by name. Raises UnreadableError, a phrase that follows the file's name, and OSError."""
    with path.open("rb") as file:
        # One byte more than is allowed tells that there are more, whatever the file system says.
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UnreadableError(f"is larger than {MOST_BYTES >> 20} MiB")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _arrays(archive)
    except UnreadableError:
        raise
    except Exception as error:  # noqa: BLE001 -- a damaged archive makes zipfile raise errors of nearly every kind
        text = f": {error}" if isinstance(error, zipfile.BadZipFile) else ""
        raise UnreadableError(f"is no .npz archive, or a damaged one{text}") from None


def _arrays(archive: zipfile.ZipFile) -> dict[str, Any]:
    members = archive.infolist()
    if len(members) > MOST_ARRAYS:
        raise UnreadableError(f"holds more than {MOST_ARRAYS} arrays")
    arrays: dict[str, Any] = {}
    entries, size = 0, 0
    for member in members:
        name = member.filename.removesuffix(".npy")
        if name == member.filename or name in arrays:
            raise UnreadableError(f"holds {shown(member.filename)}, which is no array or there twice")
        size += member.file_size
        if size > MOST_BYTES:
            raise UnreadableError(f"holds more than {MOST_BYTES >> 20} MiB when it is unpacked")
        with archive.open(member) as file:
            # The size that the archive tells need not be true; a read beyond it checks the sum of the bytes, too.
            content = file.read(member.file_size + 1)
        if len(content) != member.file_size:
            raise UnreadableError(f"holds {shown(name)} of another length than it says")
        arrays[name] = _array(content, f"holds {shown(name)}")
        entries += arrays[name].size
        if entries > MOST_ENTRIES:
            raise UnreadableError(f"holds more than {MOST_ENTRIES} numbers")
    return arrays


def _array(content: bytes, told: str) -> Any:
    if content[:6] != b"\x93NUMPY" or content[6:8] not in (b"\1\0", b"\2\0", b"\3\0"):
        raise UnreadableError(f"{told}, which is no array that NumPy wrote")
    begin = 10 if content[6] == 1 else 12
    length = int.from_bytes(content[8:begin], "little")
    header = _HEADER.fullmatch(content[begin : begin + length].decode("latin-1")) if length <= MOST_HEADER else None
    if header is None:
        raise UnreadableError(f"{told}, whose header cannot be read")
    if not _KIND.fullmatch(header["kind"]):
        raise UnreadableError(f"{told} of the type {header['kind']}: only numbers and text are read")
    lengths = [part.strip() for part in header["shape"].split(",") if part.strip()]
    if len(lengths) > 8 or not all(part.isdigit() and len(part) <= 9 for part in lengths):
        raise UnreadableError(f"{told} of the shape ({shown(header['shape'])[1:-1]}), which is too large")
    shape, kind = tuple(map(int, lengths)), np.dtype(header["kind"])
    if math.prod(shape) > MOST_ENTRIES:
        raise UnreadableError(f"{told} of the shape {shape}, which is too large")
    body = content[begin + length :]
    if len(body) != math.prod(shape) * kind.itemsize:
        raise UnreadableError(f"{told} of the shape {shape}, whose numbers are not all there or too many")
    # NumPy takes any four bytes for a character, at which Python fails later, far from the file.
    points = np.dtype("u4").newbyteorder(kind.byteorder)
    if kind.kind == "U" and (np.frombuffer(body, points) > sys.maxunicode).any():
        raise UnreadableError(f"{told}, whose text holds what is no character")
    return np.frombuffer(body, kind).reshape(shape, order="F" if header["fortran"] == "True" else "C")
