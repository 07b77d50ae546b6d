"""The registry of commands: each is declared once, with its usage, its help and what completes it.

    @command("drop NUMBER|SENTENCE|all", "the table", completes="stated")
    def drop(session: Session, rest: str) -> None:
        \"\"\"Take a stated fact back.

        More about it, shown by `help drop`.
        \"\"\"

The dispatch of a line, `help`, the completion and the reference in `docs/` all read the registry.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .session import Session

GROUPS = ("the table", "the moment", "reasons", "the books", "the session")
MODULES = ("table", "dice", "choosing", "moment", "reasons", "books", "files", "helping")
_REGISTRY: dict[str, Command] = {}

Action = Callable[["Session", str], None]


@dataclass(frozen=True)
class Command:
    """A command: `name` is what is typed, `completes` the kinds of suggestion for what follows it."""

    name: str
    usage: str
    group: str
    summary: str
    details: str
    run: Action
    completes: tuple[str, ...] = ()
    asks: bool = False


def command(usage: str, group: str, completes: str = "", asks: bool = False) -> Callable[[Action], Action]:
    """Declare a command by its usage; its docstring is its help.

    `completes` names what may follow, `asks` says that it reads like a question.
    """
    def declare(action: Action) -> Action:
        summary, _, details = inspect.cleandoc(action.__doc__ or "").partition("\n")
        name = re.match(r"[a-z]+(?: [a-z]+)*(?![^ ])", usage)
        assert name is not None, usage
        assert group in GROUPS, usage
        assert summary, usage
        _REGISTRY[name.group(0)] = Command(name.group(0), usage, group, summary, details.strip(), action,
                                           tuple(completes.split()), asks)
        return action

    return declare


def commands() -> dict[str, Command]:
    """Every command by its name, in the order of the groups."""
    for module in MODULES:
        import_module(f".{module}", __package__)
    return dict(sorted(_REGISTRY.items(), key=lambda item: GROUPS.index(item[1].group)))


def find(line: str) -> tuple[Command, str] | None:
    """The command that a line begins with (the longest such name), and the rest of the line."""
    known = commands()
    words = line.split()
    for count in (3, 2, 1):
        name = " ".join(words[:count]).casefold().rstrip("?")
        if len(words) >= count and name in known:
            rest = line.split(None, count)
            return known[name], rest[count] if len(rest) > count else ""
    return None
