"""Compiled packs in the user's cache folder, keyed by the content of their files.

Reading and digesting all files costs more than a ruling, so an index remembers with which sizes and times
of change they gave which key; it is believed while all of these are the same.
MessagePack, never pickle. A cache that is missing, damaged or cannot be written only costs time.
"""

import os
import time
import zlib
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from . import packs
from .packs import Loaded

FORMAT = "10"
COMPILERS = ("compile", "program", "vocabulary", "blocks", "cards", "records", "packs", "grammar", "sentences",
             "templates", "slicing", "shapes", "narrowing", "rulebase",
             "contraries", "replacing")
KEPT = 14 * 86400
"""How long something stays in the cache after it was written, in seconds."""
SETTLED = 2_000_000_000
"""How old the last change must be for the index to believe in times, in nanoseconds."""


class Index(msgspec.Struct, array_like=True):
    """Which key the files of some packs gave, with the size and time of change of each (of folders, the time)."""

    names: list[str]
    key: str
    datasheets: list[str]
    files: list[tuple[str, int, int]]
    folders: list[tuple[str, int]]

    def holds(self) -> bool:
        """Whether no file was changed, added or taken away."""
        try:
            for path, size, changed in self.files:
                found = os.stat(path)
                if found.st_size != size or found.st_mtime_ns != changed:
                    return False
            return all(os.stat(path).st_mtime_ns == changed for path, changed in self.folders)
        except OSError:
            return False


def folder() -> str:
    """Where compiled packs are kept: `JUDGE_CACHE`, or the user's cache folder."""
    own = os.environ.get("JUDGE_CACHE")
    if own:
        return own
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/.cache")
    return os.path.join(base, "judge")


def _place(name: str) -> str:
    return os.path.join(folder(), f"{name}.msgpack")


def files_behind(laid: list[packs.Pack]) -> list[str]:
    """The files on whose content a compiled set of packs depends."""
    own = [os.path.join(packs.HERE, f"{module}.py") for module in COMPILERS]
    return own + [path for pack in laid for path in (os.path.join(pack.folder, "pack.yaml"),
                                                     *map(str, packs.files_of(pack)))]


def key_of(names: list[str]) -> tuple[str, list[packs.Pack]]:
    """A digest of everything that a compiled set of packs depends on, and its packs."""
    import hashlib

    laid = packs.layers(names)
    digest = hashlib.blake2b(FORMAT.encode(), digest_size=16)
    for pack in laid:
        digest.update(pack.folder.encode() + b"\0")
    for path in files_behind(laid):
        with open(path, "rb") as file:
            digest.update(os.path.basename(path).encode() + b"\0" + file.read() + b"\0")
    return digest.hexdigest(), laid


def indexed(names: list[str]) -> tuple[str, list[str]]:
    """The key of some packs and their datasheets, from the index where it still holds."""
    here = [_folder_now(), packs.HERE, *names]
    place = _place(f"index-{zlib.crc32(chr(0).join(here).encode()):08x}")
    index = _read(place, Index)
    if index is not None and index.names == here and index.holds():
        return index.key, index.datasheets
    key, laid = key_of(names)
    datasheets = packs.datasheet_refs(laid)
    tops = {pack.folder for pack in laid} | {packs.facts_of(pack) for pack in laid}
    within = {sub for top in tops if os.path.isdir(top) for sub, _, _ in os.walk(top)}
    stats = [(path, os.stat(path)) for path in files_behind(laid)]
    folders = [(path, os.stat(path).st_mtime_ns) for path in sorted(within)]
    latest = max(*(found.st_mtime_ns for _, found in stats), *(changed for _, changed in folders))
    if latest < time.time_ns() - SETTLED:
        files = [(path, found.st_size, found.st_mtime_ns) for path, found in stats]
        _write(place, msgspec.msgpack.encode(Index(here, key, datasheets, files, folders)))
    return key, datasheets


def _folder_now() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return ""


def load_cached(names: list[str]) -> Loaded:
    """`packs.load`, from the cache where it has these very files."""
    key, datasheets = indexed(names)
    loaded: Loaded | None = _read(_place(key), Loaded)
    if loaded is None or not _whole(f"{key}-rules", loaded.ends):
        loaded = packs.load(names)
        _forget_old()
        _write(_place(f"{key}-rules"), loaded.packed[0:loaded.ends[-1] if loaded.ends else 0])
        _write(_place(key), msgspec.msgpack.encode(loaded))
    loaded.key, loaded.datasheets = key, datasheets
    return loaded


class RuleFile:
    """The compiled rules of some packs as they were kept, one after the other; a slice of them is read when asked."""

    def __init__(self, key: str) -> None:
        self._file = open(_place(f"{key}-rules"), "rb")  # noqa: SIM115  (it is read as long as the packs are used)

    def __getitem__(self, part: "slice[int, int, None]") -> bytes:
        self._file.seek(part.start)
        return self._file.read(part.stop - part.start)


def _whole(name: str, ends: list[int]) -> bool:
    try:
        return os.stat(_place(name)).st_size == (ends[-1] if ends else 0)
    except OSError:
        return False


T = TypeVar("T")


def kept(loaded: Loaded, what: str, kind: type[T], make: Callable[[], T]) -> T:
    """Something worked out from compiled packs, from the cache where it is there; else made and kept."""
    if not loaded.key:
        return make()
    data = what.encode()
    place = _place(f"{loaded.key}-{zlib.crc32(data):08x}{zlib.adler32(data):08x}")
    found = _read(place, tuple[str, kind])  # type: ignore[valid-type]
    if found is not None and found[0] == what:
        made: T = found[1]
        return made
    made = make()
    _write(place, msgspec.msgpack.encode((what, made)))
    return made


def _forget_old() -> None:
    """Remove what has not been written for two weeks, so that the folder does not grow for ever."""
    try:
        with os.scandir(folder()) as found:
            for entry in found:
                if entry.name.endswith(".msgpack") and entry.stat().st_mtime < time.time() - KEPT:
                    os.unlink(entry.path)
    except OSError:
        pass


def _read(place: str, kind: Any) -> Any:
    """What is kept at a place, or None where nothing is or it is damaged."""
    try:
        with open(place, "rb") as file:
            return msgspec.msgpack.decode(file.read(), type=kind)
    except (OSError, msgspec.MsgspecError):
        return None


def _write(place: str, data: bytes) -> None:
    try:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        temporary = f"{place}.{os.getpid()}"
        with open(temporary, "wb") as file:
            file.write(data)
        os.replace(temporary, place)
    except OSError:
        pass
