"""Commands about the last ruling: why, why not, what would change it, what if."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adjudicator import Draft, Judge, JudgeError, Ruling, label, parting

from .commands import command
from .tree import ALL, TWO, at, branch, tree

if TYPE_CHECKING:
    from .session import Session

_PLACE = re.compile(r"\d+(?:\.\d+)*")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@command("why [full|PLACE|QUESTION]", "reasons", completes="why question", asks=True)
def why(session: Session, rest: str) -> None:
    """Tell the reasons of the last ruling: two levels of them, all, or one branch.

    why            two levels, each reason with its place
    why full       every step
    why 2.1        the reason at that place with all that is below it
    why can alpha act?    rules on a question and tells the reasons at once
    """
    bare = rest.rstrip("?").strip()
    if bare and bare != "full" and not _PLACE.fullmatch(bare):
        session.hearing, session.ruling = session.hear(rest)
    _, ruling = session.last()
    if _PLACE.fullmatch(bare):
        session.say(at(branch(ruling, bare), bare, session.width))
        return
    _reasons(session, ruling, ALL if bare == "full" else TWO)


def _reasons(session: Session, ruling: Ruling, levels: int) -> None:
    cited = f"  [{', '.join(ruling.citations)}]" if ruling.citations else ""
    lines = [f"{label(ruling.verdict, ruling.value)} {ruling.answer}{cited}",
             *tree(ruling.because, session.width, levels)]
    if ruling.assumptions:
        lines.append(f"Assumed: {'; '.join(a.text for a in ruling.assumptions)}.")
    session.say(lines)


@command("why not [QUESTION|SENTENCE]", "reasons", completes="question fact", asks=True)
def why_not(session: Session, rest: str) -> None:
    """Tell what stands in the way: of what was asked last, or of a question or a fact.

    why not can alpha act?
    why not alpha moved
    """
    if rest:
        session.hearing, session.ruling = session.hear(_question(session, rest))
    _, ruling = session.last()
    if ruling.verdict == "yes":
        session.say(f"but it is so. {label(ruling.verdict)} {ruling.answer}")
        session.say(tree(ruling.because, session.width, TWO))
    else:
        _reasons(session, ruling, TWO)


def _question(session: Session, text: str) -> str:
    """The question that a text asks, where it is a fact: whether it is so."""
    situation = session.situation
    if situation.grammar.reads(text, situation.names, question=True) or not situation.grammar.reads(
            text, situation.names):
        return text
    return situation.question_of(situation.grammar.read_fact(text, situation.names))


@command("what if [not] SENTENCE", "reasons", completes="fact", asks=True)
def what_if(session: Session, rest: str) -> None:
    """Rule on the last question with a fact and without it, and tell what turned. The situation stays as it is.

    what if beta moved
    what if not alpha moved
    """
    _, before = session.last()
    rest = rest.rstrip("?").strip()
    if not rest:
        raise JudgeError("what if what?", hint="what if SENTENCE")
    draft = session.draft
    if rest.startswith("not "):
        gone = session.stating(rest.removeprefix("not "))
        if not gone:
            raise JudgeError(f"that was not stated: {rest.removeprefix('not ')}", hint="facts tells what was")
        other = draft.without_facts(*gone)
    else:
        other = draft.without_facts(*session.stating(rest, opposite=True)).with_facts(rest)
    _, here = session.hear(before.question)
    _, there = session.hear(before.question, session.read(other))
    session.say([f"now:      {_told(here)}", f"what if:  {_told(there)}", *_parting(here, there)])


def _told(ruling: Ruling) -> str:
    cited = f"  [{', '.join(ruling.citations)}]" if ruling.citations else ""
    return f"{label(ruling.verdict, ruling.value)} {ruling.answer}{cited}"


def _parting(here: Ruling, there: Ruling) -> list[str]:
    if (here.verdict, here.value, here.answer) == (there.verdict, there.value, there.answer):
        return ["the ruling is the same"]
    parts = parting([here, there])
    return ["they part at:", *(f"  {who}  {text or 'nothing more'}" for who, text in zip(
        ("now:    ", "what if:"), parts, strict=True))] if parts else []


@command("change", "reasons")
def change(session: Session, rest: str) -> None:
    """Tell the smallest sets of facts that would turn the last ruling."""
    _, ruling = session.last()
    session.find_changes()
    if not ruling.changes:
        session.say("no change of up to three facts turns it")
    session.say([f"{n:3}  {' and '.join(c.facts)}: {c.answer or label(c.verdict).rstrip(':')}"
                 for n, c in enumerate(ruling.changes, start=1)]) if ruling.changes else None


@command("compare PACK|DATE [PACK|DATE]", "reasons", completes="pack day")
def compare(session: Session, rest: str) -> None:
    """Rule on the last question under another pack or as of another day, beside the present one.

    compare wh40k-10e
    compare 2026-01-01 2026-10-01
    """
    words = rest.split()
    if not 1 <= len(words) <= 2:
        raise JudgeError("compare with what?", hint="compare PACK or compare DATE, one or two of them")
    _, ruling = session.last()
    draft = session.draft
    judges = [] if len(words) == 2 else [("now", _judge(session, draft, ""))]
    judges.extend((word, _judge(session, draft, word)) for word in words)
    found = session.work(lambda: draft.compared(judges, ruling.question))
    lines = []
    for side in found.sides:
        lines.append(f"{side.label}:  {_told(side.ruling)}  {side.ruling.packs}")
        lines.extend(f"  means nothing there: {what}" for what in side.ignored)
    if found.differs and any(found.parts):
        lines.append("they part at:")
        lines.extend(f"  {side.label}:  {part or 'nothing more'}" for side, part in zip(
            found.sides, found.parts, strict=True))
    session.say([*lines, *([] if found.differs else ["the rulings agree"])])


def _judge(session: Session, draft: Draft, word: str) -> Judge:
    packs = session.judge.packs or draft.packs
    if not word:
        return Judge(packs, session.judge.as_of or str(draft.head.get("date", "")))
    if _DAY.fullmatch(word):
        return Judge(packs, word)
    judge = Judge([word], session.judge.as_of or str(draft.head.get("date", "")))
    judge.load([word])
    return judge


