"""The situation of a running session in a file, so that a crash does not lose it.

Each session has a file named by its process, which goes when the session ends as it should; one whose
process is gone is a session that was lost.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from .config import state_folder

if TYPE_CHECKING:
    from adjudicator import Draft

HOUR = 3600


def own() -> Path:
    """The file of this session."""
    return state_folder() / f"autosave-{os.getpid()}.yaml"


def keep(draft: Draft) -> None:
    """Write the situation down. A folder that cannot be written is no reason to stop."""
    try:
        own().parent.mkdir(parents=True, exist_ok=True)
        _replace(own(), draft.text())
    except OSError:
        pass


def end() -> None:
    """The session ended as it should."""
    own().unlink(missing_ok=True)


def lost() -> list[Path]:
    """The files of sessions that did not end as they should, oldest first."""
    found = [path for path in state_folder().glob("autosave-*.yaml") if path != own() and not _alive(path)]
    return sorted(found, key=lambda path: path.stat().st_mtime)


def take(path: Path) -> str:
    """The text of a lost session, which is then no longer lost."""
    text = path.read_text(encoding="utf-8")
    path.unlink(missing_ok=True)
    return text


def _alive(path: Path) -> bool:
    number = path.stem.rpartition("-")[2]
    if not number.isdigit():
        return False
    if sys.platform == "win32":  # no signal asks there whether a process lives
        return time.time() - path.stat().st_mtime < HOUR
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def write(path: str | Path, text: str) -> None:
    """Write a file whole or not at all. Raises `UsageError` where it cannot be written."""
    try:
        _replace(Path(path), text)
    except OSError as error:
        from adjudicator import UsageError

        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


def _replace(target: Path, text: str) -> None:
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, target)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
