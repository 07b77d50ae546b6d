"""What may come next on a line: commands and what follows them, or the words of a sentence.

`suggestions` is a pure function of text, cursor and session.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from adjudicator import Suggestion, available, complete

from .commands import commands, find

if TYPE_CHECKING:
    from .session import Session

MAX = 60


def suggestions(text: str, cursor: int, session: Session) -> list[Suggestion]:
    """What may stand at the cursor, the likeliest first. The last line of a text counts."""
    begin = text.rfind("\n", 0, cursor) + 1
    line = text[begin:cursor]
    lead = len(line) - len(line.lstrip())
    found = list(_of_commands(line[lead:], session))
    if not _is_certain(line, session):
        found.extend(complete(line, len(line), session.situation))
    seen: dict[tuple[str, int], Suggestion] = {}
    for one in found:
        seen.setdefault((one.text, one.start), one)
    return [Suggestion(s.text, s.start + begin, s.about) for s in list(seen.values())[:MAX]]


def _is_certain(line: str, session: Session) -> bool:
    """Whether the line is a command for certain, so that no sentence is looked for."""
    found = find(line.lstrip())
    return found is not None and not found[0].asks and (bool(found[1]) or line.endswith(" "))


def _of_commands(line: str, session: Session) -> Iterator[Suggestion]:
    lead = 0
    found = find(line)
    if found is not None and (found[1] or line.endswith(" ")):
        command, rest = found
        start = len(line) - len(rest) if rest else len(line)
        for kind in command.completes:
            for one in KINDS[kind](rest, session):
                yield Suggestion(one.text, start + one.start, one.about)
    typed = line.casefold()
    for name, command in commands().items():
        if name.startswith(typed) and name != typed and typed:
            yield Suggestion(name, lead, command.summary)


def _named(texts: Iterable[tuple[str, str]], typed: str) -> Iterator[Suggestion]:
    """The texts that begin with, or hold, what is typed."""
    low = typed.casefold()
    rest = []
    for text, about in texts:
        if text.casefold().startswith(low):
            yield Suggestion(text, 0, about)
        elif low and low in f"{text} {about}".casefold():
            rest.append(Suggestion(text, 0, about))
    yield from rest


def _names(kind: str) -> Callable[[str, Session], Iterator[Suggestion]]:
    return lambda typed, session: _named(((n, kind) for n in session.situation.names.known(kind)), typed)


def _words(*words: str) -> Callable[[str, Session], Iterator[Suggestion]]:
    return lambda typed, session: _named(((word, "") for word in words), typed)


def _sentence(typed: str, session: Session) -> Iterator[Suggestion]:
    bare = typed.removeprefix("not ")
    for one in complete(bare, len(bare), session.situation):
        yield Suggestion(one.text, one.start + len(typed) - len(bare), one.about)


def _stated(typed: str, session: Session) -> Iterator[Suggestion]:
    return _named(((fact, f"fact {n}") for n, fact in enumerate(session.draft.facts, start=1)), typed)


def _drop(typed: str, session: Session) -> Iterator[Suggestion]:
    units = ((f"unit {name}", "take it off the table") for name in session.draft.units)
    return _named([("all", "every fact"), ("choices", "every choice that was made"), *units], typed)


def _unit_line(typed: str, session: Session) -> Iterator[Suggestion]:
    """`NAME: COUNT DATASHEET for SIDE`: whatever is next."""
    _, colon, rest = typed.partition(":")
    if not colon:
        return
    word = rest.rpartition(" ")[2]
    place = len(typed) - len(word)
    before = rest[: len(rest) - len(word)].split()
    if before and before[-1] == "for":
        found: Iterator[Suggestion] = _names("side")(word, session)
    elif before and (len(before) > 1 or not before[0].isdigit()):
        found = _named([("for", "whose it is")], word)
    else:
        found = _named(((ref, "datasheet") for ref in session.situation.loaded.datasheets), word)
    for one in found:
        yield Suggestion(one.text, place, one.about)


def _file(typed: str, session: Session) -> Iterator[Suggestion]:
    for word in ("case ", "over "):
        if typed.startswith(word):
            for one in _file(typed[len(word):], session):
                yield Suggestion(one.text, one.start + len(word), one.about)
            return
    folder, _, start = typed.rpartition("/")
    where = os.path.expanduser(folder + "/" if "/" in typed else ".")
    try:
        names = sorted(os.listdir(where))
    except OSError:
        return
    for name in names:
        path = os.path.join(where, name)
        if name.startswith(start) and (not name.startswith(".") or start.startswith(".")) and (
                os.path.isdir(path) or name.endswith((".yaml", ".yml", ".md"))):
            yield Suggestion(name + ("/" if os.path.isdir(path) else ""), len(typed) - len(start), "")


def _refs(typed: str, session: Session) -> Iterator[Suggestion]:
    return _named(((ref, r.title) for ref, r in sorted(session.situation.loaded.vocabulary.rules.items())), typed)


def _topics(typed: str, session: Session) -> Iterator[Suggestion]:
    from .helping import TOPICS

    return _named([*TOPICS.items(), *((c.name, c.summary) for c in commands().values())], typed)


def _places(typed: str, session: Session) -> Iterator[Suggestion]:
    ruling = session.ruling
    found = [("full", "every step")]
    if ruling is not None:
        for number, reason in enumerate(ruling.because, start=1):
            found.append((str(number), reason.text))
            found.extend((f"{number}.{n}", child.text) for n, child in enumerate(reason.children, start=1))
    return _named(found, typed)


def _assumptions(typed: str, session: Session) -> Iterator[Suggestion]:
    if session.ruling is None:
        return iter(())
    found = [(f"{word}{n}", a.text) for word in ("", "not ") for n, a in enumerate(session.ruling.assumptions, start=1)]
    return _named(found, typed)


def _options(typed: str, session: Session) -> Iterator[Suggestion]:
    branches = session.ruling.branches if session.ruling is not None else []
    return _named(((str(n), b.option) for n, b in enumerate(branches, start=1)), typed)


def _packs(typed: str, session: Session) -> Iterator[Suggestion]:
    word = typed.rpartition(" ")[2]
    for one in _named(((name, "pack") for name in available()), word):
        yield Suggestion(one.text, len(typed) - len(word), one.about)


KINDS: dict[str, Callable[[str, Session], Iterator[Suggestion]]] = {
    "fact": _sentence, "question": _sentence, "stated": _stated, "drop": _drop, "unit": _names("unit"),
    "side": _names("side"), "unit-line": _unit_line, "file": _file, "ref": _refs, "topic": _topics, "why": _places,
    "assume": _assumptions, "choose": _options, "save": _words("case ", "over "), "reset": _words("facts"),
    "day": _words("today"), "pack": _packs,
}
"""What a command may name under `completes`: from what is typed behind it to suggestions."""
