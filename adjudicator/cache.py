"""Compiled packs in the user's cache folder, keyed by the content of their files.

MessagePack, never pickle. A cache that is missing, damaged or cannot be written only costs time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from . import packs
from .packs import Loaded
from .terms import Term

FORMAT = "3"
COMPILERS = ("compile", "program", "vocabulary", "blocks", "cards", "records", "packs", "grammar", "sentences",
             "templates", "slicing", "shapes", "narrowing")
KEPT = 14 * 86400
"""How long something stays in the cache after it was written, in seconds."""


def folder() -> Path:
    """Where compiled packs are kept: `JUDGE_CACHE`, or the user's cache folder."""
    own = os.environ.get("JUDGE_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/.cache")
    return Path(base) / "judge"


def key_of(names: list[str]) -> tuple[str, list[packs.Pack]]:
    """A digest of everything that a compiled set of packs depends on, and its packs."""
    import hashlib

    laid = packs.layers(names)
    digest = hashlib.blake2b(FORMAT.encode(), digest_size=16)
    for module in COMPILERS:
        digest.update((packs.HERE / f"{module}.py").read_bytes())
    for pack in laid:
        digest.update(pack.folder.encode())
        for path in [Path(pack.folder) / "pack.yaml", *packs.files_of(pack)]:
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest(), laid


def load_cached(names: list[str]) -> Loaded:
    """`packs.load`, from the cache where it has these very files."""
    key, laid = key_of(names)
    path = folder() / f"{key}.msgpack"
    try:
        loaded = msgspec.msgpack.decode(path.read_bytes(), type=Loaded)
        loaded.datasheets = packs.datasheet_refs(laid)
        loaded.key = key
        for card in loaded.cards:
            card.facts = [(name, tuple(as_term(arg) for arg in args)) for name, args in card.facts]
        return loaded
    except (OSError, msgspec.MsgspecError):
        pass
    loaded = packs.load(names)
    loaded.key = key
    _forget_old()
    _write(path, msgspec.msgpack.encode(loaded))
    return loaded


def as_term(value: Any) -> Term:
    """A term again: MessagePack has arrays where terms have tuples."""
    return tuple(as_term(part) for part in value) if isinstance(value, (list, tuple)) else value


T = TypeVar("T")


def kept(loaded: Loaded, what: str, kind: type[T], make: Callable[[], T]) -> T:
    """Something worked out from compiled packs, from the cache where it is there; else made and kept."""
    if not loaded.key:
        return make()
    import hashlib

    name = hashlib.blake2b(what.encode(), digest_size=12).hexdigest()
    path = folder() / f"{loaded.key}-{name}.msgpack"
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError):
        made = make()
        _write(path, msgspec.msgpack.encode(made))
        return made


def _forget_old() -> None:
    """Remove what has not been written for two weeks, so that the folder does not grow for ever."""
    import time

    try:
        for path in folder().glob("*.msgpack"):
            if path.stat().st_mtime < time.time() - KEPT:
                path.unlink()
    except OSError:
        pass


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_suffix(f".{os.getpid()}")
        temporary.write_bytes(data)
        os.replace(temporary, path)
    except OSError:
        pass
