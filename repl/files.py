"""Commands for the session: files, what was before, the transcript."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from adjudicator import Draft, JudgeError, UsageError, did_you_mean, label

from .autosave import lost, take, write
from .commands import command

if TYPE_CHECKING:
    from .session import Session

def paste(session: Session, text: str) -> None:
    """Take in a situation or a part of one: a whole one (it names its pack) replaces, a part is added."""
    draft = Draft.from_text(text, "the paste")
    whole = bool(draft.packs) and bool(draft.units)
    session.change(draft if whole else session.draft.merged(draft))
    session.say(f"{len(session.draft.units)} units, {session.count()}")
    for question in draft.asks:
        _ask(session, question)


def _ask(session: Session, question: str) -> None:
    session.say(question)
    session.ask(question)


@command("load FILE [NAME]", "the session", completes="file")
def load(session: Session, rest: str) -> None:
    """Go on from the situation of a file, and rule on what it asks.

    Where a file holds several, NAME is how the one that is meant begins.
    """
    path, name = _path_and_name(rest)
    if not path:
        raise JudgeError("load what?", hint="load FILE")
    found = Draft.all_from_file(path)
    named = [draft for its, draft in found if its.casefold().startswith(name.casefold())]
    if not named:
        raise UsageError(f"no situation of {path} has a name that begins with {name!r}",
                         hint=did_you_mean(name, [its for its, _ in found]))
    session.change(named[0])
    session.hearing = session.ruling = None
    session.say(f"{path}: {session.count()}")
    for question in session.draft.asks:
        _ask(session, question)


def _path_and_name(rest: str) -> tuple[str, str]:
    """A path, which may have blanks in it, and what stands behind it."""
    rest = rest.strip("'\"") if rest[:1] in "'\"" and rest[:1] == rest[-1:] else rest
    if os.path.exists(os.path.expanduser(rest)) or " " not in rest:
        return os.path.expanduser(rest), ""
    path, _, name = rest.partition(" ")
    return os.path.expanduser(path), name.strip()


@command("save [over] FILE | save case FILE [NAME]", "the session", completes="save file")
def save(session: Session, rest: str) -> None:
    """Write the situation to a file, or with the last ruling as a case for the suite.

    save dispute.yaml
    save over dispute.yaml       also where the file exists
    save case cases.yaml who moved may not act      added to the cases of that file
    """
    word, _, more = rest.partition(" ")
    if word == "case" and more:
        _save_case(session, *_path_and_name(more.strip()))
        return
    over, path = (True, more.strip()) if word == "over" and more else (False, rest)
    if not path:
        raise JudgeError("save where?", hint="save FILE")
    path = os.path.expanduser(path)
    if os.path.exists(path) and not over:
        raise UsageError(f"there is a file {path}", hint=f"save over {path}")
    write(path, session.draft.text())
    session.saved = session.place
    session.say(f"saved: {path}")
    if session.draft.chosen:
        session.say("the choices that were made are in it as comments only: a file cannot say them")


def _save_case(session: Session, path: str, name: str) -> None:
    if session.draft.chosen:
        raise JudgeError("a case cannot say the choices that were made", hint="drop choices, then ask again")
    _, last = session.last()
    _, ruling = session.hear(last.question)
    expect: dict[str, object] = {"verdict": ruling.verdict}
    if ruling.value:
        expect["value"] = ruling.value
    expect["cites"] = list(ruling.citations)
    text = session.draft.text(name or ruling.question.rstrip("?"), ruling.question, expect)
    item = "- " + text.replace("\n", "\n  ").rstrip() + "\n"
    before = Path(path).read_text(encoding="utf-8") if os.path.exists(path) else ""
    if before.strip() and not before.lstrip().startswith(("- ", "#")):
        raise UsageError(f"{path} holds no list of cases", hint="name another file")
    write(path, (before.rstrip() + "\n" if before.strip() else "") + item)
    session.say(f"saved as a case: {path} ({label(ruling.verdict, ruling.value)} {', '.join(ruling.citations)})")


@command("undo", "the session")
def undo(session: Session, rest: str) -> None:
    """Go back to how things stood before the last change."""
    session.say(_standing(session) if session.go(-1) else "there is nothing to undo")


@command("redo", "the session")
def redo(session: Session, rest: str) -> None:
    """Do again what `undo` took back."""
    session.say(_standing(session) if session.go(1) else "there is nothing to do again")


def _standing(session: Session) -> str:
    moment = session.moment.told(session.situation)
    return f"{len(session.draft.units)} units, {session.count()}{f'; {moment}' if moment else ''}"


@command("reset [facts]", "the session", completes="reset")
def reset(session: Session, rest: str) -> None:
    """Begin with an empty table under the same pack; `reset facts` keeps units and moment. `undo` brings it back."""
    draft = session.draft
    kept = Draft({"pack": draft.head["pack"]} if "pack" in draft.head else {})
    session.change(Draft(draft.head) if rest == "facts" else kept)
    session.say(_standing(session))


@command("restore", "the session")
def restore(session: Session, rest: str) -> None:
    """Bring back the situation of a session that ended without `quit`."""
    found = lost()
    if not found:
        raise JudgeError("no session was lost")
    session.change(Draft.from_text(take(found[-1]), "the session that was lost"))
    session.say(_standing(session))


@command("log [FILE]", "the session", completes="file")
def log(session: Session, rest: str) -> None:
    """Tell the session so far as Markdown, or write it to a file."""
    text = transcript(session)
    if not rest:
        session.say(text)
        return
    path = os.path.expanduser(rest)
    if os.path.exists(path):
        raise UsageError(f"there is a file {path}", hint="name another one")
    write(path, text)
    session.say(f"written: {path}")


def transcript(session: Session) -> str:
    """The session as Markdown: each line that was said, and its answer."""
    parts = ["# Session", ""]
    for line, answers in session.log:
        if line.split()[0] != "log":
            parts.extend([f"**{line}**" if "\n" not in line else f"```yaml\n{line}\n```", ""])
            parts.extend(["```text", *answers, "```", ""] if answers else [])
    return "\n".join(parts)
