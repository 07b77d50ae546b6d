"""Commands for what is on the table: units and facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adjudicator import Draft, JudgeError, did_you_mean

from .commands import command

if TYPE_CHECKING:
    from .session import Session

_UNIT = re.compile(r"(?P<count>\d{1,3})?\s*(?P<sheet>[^\s,]*?)\s*(?:\bfor\s+(?P<side>[^,]+?))?\s*(?P<more>,.*)?$", re.I)
PLAIN = ("model", "models", "")


@command("unit NAME: COUNT DATASHEET for SIDE", "the table", completes="unit-line")
def unit(session: Session, rest: str) -> None:
    """Put a unit on the table, or replace the one of that name.

    unit alpha: 10 guards/archers for red
    unit alpha: 10 archers for red          a datasheet by the last part of its name, where only one has it
    unit beta: 5 models for blue, W 2, keywords FOOT HERO
    unit beta: {side: blue, models: {boss: 1, guard: {count: 4, W: 2}}}    as a file writes it
    """
    name, colon, line = rest.partition(":")
    name = name.strip()
    if not colon or not name:
        raise JudgeError("a unit has a name and what it is", hint="write: unit NAME: 10 DATASHEET for SIDE")
    if line.strip().startswith("{"):
        value = Draft.from_text(f"units: {{{_quoted(name)}: {line.strip()}}}", "the line").units[name]
    else:
        value = _unit(session, name, line.strip())
    session.change(session.draft.with_unit(name, value))
    session.say(_about(session, name))


def _quoted(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def _unit(session: Session, name: str, line: str) -> dict[str, object]:
    found = _UNIT.match(line)
    if found is None or not line:
        raise JudgeError(f"this is no unit: {line!r}", hint="write: unit NAME: 10 DATASHEET for SIDE")
    sides = session.draft.sides
    side = found["side"] or (sides[0] if len(sides) == 1 else "")
    if not side:
        raise JudgeError(f"whose is {name}?", hint="end with: for SIDE" + (f" ({' or '.join(sides)})" if sides else ""))
    value: dict[str, object] = {"side": side}
    if found["sheet"].casefold() not in PLAIN:
        value["datasheet"] = _sheet(session, found["sheet"])
    if found["count"]:
        value["models"] = found["count"]
    for part in filter(None, (p.strip() for p in (found["more"] or "").split(","))):
        key, _, said = part.partition(" ")
        value[key] = said.split() if key in ("keywords", "abilities") else said
    return value


def _sheet(session: Session, name: str) -> str:
    known = session.situation.loaded.datasheets
    if name in known:
        return name
    ending = [ref for ref in known if ref.rpartition("/")[2] == name.casefold()]
    if len(ending) == 1:
        return ending[0]
    if ending:
        raise JudgeError(f"more than one datasheet is called {name}", hint=f"write {' or '.join(ending)}")
    short = {ref.rpartition("/")[2]: ref for ref in known}
    raise JudgeError(f"there is no datasheet {name!r}", hint=did_you_mean(
        name, [*known, *short], f"known: {', '.join(known[:8])}" if known else "the pack has none"))


@command("units", "the table")
def units(session: Session, rest: str) -> None:
    """Tell the units on the table, by side."""
    names = list(session.draft.units)
    session.say([_about(session, name) for name in sorted(names, key=lambda n: _side(session, n))] or ["no units yet"])


def _side(session: Session, name: str) -> int:
    side = str(session.draft.units[name].get("side", ""))
    return session.draft.sides.index(side) if side in session.draft.sides else 0


def _about(session: Session, name: str) -> str:
    value = session.draft.units[name]
    counts = [s.atom[1] for s in session.situation.statements if s.atom[0] == "models" and s.atom[1][0] == name]
    total = sum(n for _, _, n in counts if isinstance(n, int))
    kinds = ", ".join(f"{n} {kind}" for _, kind, n in counts) if len(counts) > 1 else ""
    sheet = f", {value['datasheet']}" if value.get("datasheet") else ""
    return f"{name} ({value['side']}{sheet}): {total} {'model' if total == 1 else 'models'}" + (
        f", {kinds}" if kinds else "")


@command("facts", "the table")
def facts(session: Session, rest: str) -> None:
    """Tell what was stated, with the numbers that `drop` takes."""
    draft = session.draft
    lines = [session.moment.told(session.situation)] if session.draft.now else []
    lines.extend(f"{number:3}  {sentence}" for number, sentence in enumerate(draft.facts, start=1))
    lines.extend(f"  *  chosen: {c.said}" for c in draft.chosen)
    session.say(lines or ["nothing has been stated"])


@command("not SENTENCE", "the table", completes="stated fact")
def not_(session: Session, rest: str) -> None:
    """Take back a fact that was stated; it is then as if nobody had said it.

    not alpha moved

    To state that something is not so, say that: alpha did not move.
    """
    found = session.stating(rest)
    if not found:
        raise JudgeError(f"that was not stated: {rest}", hint=did_you_mean(rest, list(session.draft.facts),
                                                                           "facts tells what was"))
    _drop(session, found)


@command("drop NUMBER|SENTENCE|unit NAME|choices|all", "the table", completes="stated drop")
def drop(session: Session, rest: str) -> None:
    """Take back a fact by its number or its words, a unit, every choice that was made, or all facts.

    drop 3
    drop 2-4
    drop alpha moved
    drop unit alpha
    """
    draft = session.draft
    numbers = re.fullmatch(r"(\d+)(?:\s*-\s*(\d+))?", rest)
    if numbers:
        first, last = int(numbers[1]), int(numbers[2] or numbers[1])
        if not 1 <= first <= last <= len(draft.facts):
            raise JudgeError(f"there is no fact {rest}", hint=f"facts are numbered 1 to {len(draft.facts)}"
                             if draft.facts else "nothing has been stated")
        _drop(session, list(draft.facts[first - 1:last]))
    elif rest == "all":
        _drop(session, list(draft.facts))
    elif rest == "choices":
        from dataclasses import replace

        session.change(replace(draft, chosen=()))
        session.say("no choice is made")
    elif rest.startswith("unit ") or rest in draft.units:
        _drop_unit(session, rest.removeprefix("unit ").strip())
    elif rest in draft.facts:
        _drop(session, [rest])
    elif rest:
        not_(session, rest)
    else:
        raise JudgeError("drop what?", hint="drop 3, drop unit NAME or drop all")


def _drop(session: Session, sentences: list[str]) -> None:
    session.change(session.draft.without_facts(*sentences))
    session.say([f"taken back: {sentence}" for sentence in sentences] or ["nothing to take back"])


def _drop_unit(session: Session, name: str) -> None:
    """Without the unit, and without the facts that then say nothing."""
    if name not in session.draft.units:
        raise JudgeError(f"there is no unit {name!r}", hint=did_you_mean(name, list(session.draft.units)))
    draft = session.draft.without_unit(name)
    bare = session.read(draft.without_facts(*draft.facts))
    gone = [s for s in draft.facts if not bare.grammar.reads(s, bare.names)]
    session.change(draft.without_facts(*gone))
    session.say([f"taken off the table: {name}", *(f"taken back: {sentence}" for sentence in gone)])
