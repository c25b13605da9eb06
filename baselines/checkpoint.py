"""Files of tensors that are written whole or not at all and read without running anything.

The format is safetensors (8 bytes of length, a JSON header, raw numbers), so that other tools read
it, too.  Nothing in it can be code; what does not fit is refused in one sentence.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outbreak_rl.envs.core.files import write_atomically

Arrays = dict[str, NDArray[Any]]

_DTYPES: dict[str, np.dtype[Any]] = {
    "F64": np.dtype("<f8"), "F32": np.dtype("<f4"), "F16": np.dtype("<f2"), "I64": np.dtype("<i8"),
    "I32": np.dtype("<i4"), "I16": np.dtype("<i2"), "I8": np.dtype("i1"), "U8": np.dtype("u1"), "BOOL": np.dtype("?"),
}  # fmt: skip
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
_MOST_HEADER = 1 << 24
_ABOUT = "outbreak"  # the key of our own JSON in the header's __metadata__
_PICKLE = "that looks like a pickle, which could run code: it is not opened"


class CheckpointError(ValueError):
    """A file that cannot be used: the message says why in one sentence."""


def write(path: str | Path, arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> None:
    """Write arrays and a JSON-able description, atomically; raises OSError where the disk refuses."""
    header: dict[str, Any] = {}
    parts: list[bytes] = []
    at = 0
    for name, array in arrays.items():
        plain = np.ascontiguousarray(array).reshape(np.shape(array))
        data = plain.tobytes()
        header[name] = {
            "dtype": _NAMES[plain.dtype.newbyteorder("<")], "shape": list(plain.shape),
            "data_offsets": [at, at + len(data)],
        }  # fmt: skip
        at += len(data)
        parts.append(data)
    described = json.dumps(about)
    digest = _digest(header, described, b"".join(parts))
    header["__metadata__"] = {_ABOUT: described, "sha256": digest}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    write_atomically(Path(path), len(text).to_bytes(8, "little") + text + b"".join(parts))


def read(path: str | Path) -> tuple[Arrays, dict[str, Any]]:
    """The arrays and the description of a file of `write`; raises CheckpointError for anything else."""
    path = Path(path)
    try:
        content = path.read_bytes()
    except OSError as wrong:
        raise CheckpointError(f"{path} cannot be read: {wrong.strerror}") from None
    header = _header(path, content)
    start = 8 + int.from_bytes(content[:8], "little")
    metadata = header.pop("__metadata__", None)
    if not isinstance(metadata, dict) or not isinstance(metadata.get(_ABOUT), str):
        raise CheckpointError(f"{path} is a safetensors file, but not one of Outbreak's")
    arrays = _arrays(path, header, content, start)
    if _digest(header, metadata[_ABOUT], content[start:]) != metadata.get("sha256"):
        raise CheckpointError(
            f"{path} is corrupt: its content does not have the digest that its header names"
        )
    about = _json(metadata[_ABOUT])
    if not isinstance(about, dict):
        raise CheckpointError(f"{path} is corrupt: its description is not a JSON object")
    return arrays, about


def _digest(entries: dict[str, Any], about: str, numbers: bytes) -> str:
    """Of all that a file says: names and shapes, description, numbers."""
    return hashlib.sha256("\0".join((json.dumps(entries), about, "")).encode() + numbers).hexdigest()


def _json(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _header(path: Path, content: bytes) -> dict[str, Any]:
    size = int.from_bytes(content[:8], "little")
    header = (
        _json(content[8 : 8 + size]) if 2 <= size <= min(_MOST_HEADER, max(0, len(content) - 8)) else None
    )
    if isinstance(header, dict):
        return header
    if content[:2] in (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05") or content[:4] == b"PK\x03\x04":
        raise CheckpointError(f"{path} is not a policy of Outbreak: {_PICKLE}")
    if 8 < len(content) < 8 + size <= 8 + _MOST_HEADER and content[8:9] == b"{":
        raise CheckpointError(f"{path} is cut off: its header alone should have {size} bytes")
    raise CheckpointError(f"{path} is not a file of tensors (safetensors)")


def _arrays(path: Path, header: dict[str, Any], content: bytes, start: int) -> Arrays:
    """The tensors, which must lie one after the other and fill the file exactly."""
    arrays: Arrays = {}
    expected = 0
    for name, entry in header.items():
        found = _entry(entry)
        if found is None:
            raise CheckpointError(f"{path} is corrupt: the header's entry for {name[:60]!r} makes no sense")
        dtype, shape, begin, end = found
        count = 1
        for size in shape:
            count *= size
        if begin != expected or end - begin != count * dtype.itemsize:
            raise CheckpointError(
                f"{path} is corrupt: {name[:60]!r} does not fill the place that its header gives"
            )
        if start + end > len(content):
            raise CheckpointError(f"{path} is cut off: it has {len(content)} bytes, {start + end} are needed")
        arrays[name] = np.frombuffer(content, dtype, count, start + begin).reshape(shape).copy()
        expected = end
    if start + expected != len(content):
        raise CheckpointError(
            f"{path} is corrupt: {len(content) - start - expected} bytes too many stand at its end"
        )
    return arrays


def _entry(entry: Any) -> tuple[np.dtype[Any], list[int], int, int] | None:
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        return None
    dtype: np.dtype[Any] | None = _DTYPES.get(entry["dtype"]) if isinstance(entry["dtype"], str) else None
    numbers = [entry["shape"], entry["data_offsets"]]
    if dtype is None or not all(isinstance(row, list) for row in numbers) or len(entry["data_offsets"]) != 2:
        return None
    if (
        any(type(n) is not int or not 0 <= n < 1 << 40 for row in numbers for n in row)
        or len(entry["shape"]) > 8
    ):
        return None
    begin, end = entry["data_offsets"]
    return dtype, list(entry["shape"]), int(begin), int(end)


# --- the checkpoints of a run ---------------------------------------------------------------------


class Checkpoints:
    """The state of a training run in its folder: one file a process, and which set is the latest.

    A set counts only when ``latest.json`` names it, which is written when all its files are there:
    killed at any moment, a run is left with its last whole set.
    """

    def __init__(self, folder: Path, rank: int = 0, ranks: int = 1) -> None:
        self.folder = folder / "checkpoints"
        self.rank = rank
        self.ranks = ranks

    def _file(self, update: int) -> Path:
        return self.folder / f"update-{update:07d}.{self.rank}.safetensors"

    def write(self, update: int, arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> None:
        """This process's part of a set."""
        write(self._file(update), arrays, {**about, "update": update, "rank": self.rank, "ranks": self.ranks})

    def declare(self, update: int) -> None:
        """The set is whole: name it, then forget older ones but the one before."""
        before = self.latest()
        text = json.dumps({"update": update, "ranks": self.ranks})
        write_atomically(self.folder / "latest.json", text.encode())
        kept = {f"update-{number:07d}" for number in (update, before) if number is not None}
        for old in self.folder.glob("update-*.safetensors"):
            if old.name.split(".")[0] not in kept:
                old.unlink(missing_ok=True)

    def latest(self) -> int | None:
        """The update of the latest whole set, or None."""
        path = self.folder / "latest.json"
        if not path.exists():
            return None
        found = _json(path.read_bytes())
        if not isinstance(found, dict) or type(found.get("update")) is not int:
            raise CheckpointError(f"{path} is corrupt: it must name the latest update")
        if found.get("ranks") != self.ranks:
            raise CheckpointError(
                f"{path} is of a run with {found.get('ranks')} processes, not with {self.ranks}"
            )
        return int(found["update"])

    def read(self) -> tuple[Arrays, dict[str, Any]] | None:
        """This process's part of the latest set, or None where there is none."""
        update = self.latest()
        return None if update is None else read(self._file(update))


def room(folder: Path) -> str:
    """How much room the disk of a folder has, for error messages."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return f"{shutil.disk_usage(folder).free / 1e6:.0f} MB free on the disk of {os.fspath(folder)}"
