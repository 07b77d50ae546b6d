"""Commands for the rules: what may be done now, one rule, its cases, the pack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudicator import JudgeError, UsageError, available, case_files, did_you_mean, load_cases, own_suite, wrapped
from adjudicator import possibilities as possibilities_of

from .commands import command

if TYPE_CHECKING:
    from .session import Session

SIDE, UNIT = "side", "unit"
MAX_NAMED = 8


@command("can UNIT|SIDE", "the books", completes="unit side", asks=True)
def can(session: Session, rest: str) -> None:
    """Tell what a unit (or a side) may do now, and what stands in the way of the rest."""
    name = rest.rstrip("?").strip()
    names = session.situation.names
    kind = next((k for k in (UNIT, SIDE) if name.casefold() in {n.casefold() for n in names.known(k)}), "")
    if not kind:
        session.ask(f"can {name}?")
        return
    found = session.work(lambda: possibilities_of(session.judge, session.situation, name, kind))
    lines = [f"{name} can {action}" for action in _grouped(found.actions)]
    refused = [f"{name} cannot {a.action}: {a.reason}  [{a.ref}]"
               for a in found.actions if not a.allowed and a.ref]
    lines.extend(f"{name} can do nothing now" for _ in range(not lines))
    lines.extend(f"not gone through: {template}" for template in found.unasked)
    session.say([row for line in [*lines, *refused] for row in wrapped(line, session.width, "", "    ")])


@command("uses SIDE", "the books", completes="side")
def uses(session: Session, rest: str) -> None:
    """Tell which cards a side may use now, and on what."""
    name = rest.rstrip("?").strip()
    vocabulary = session.situation.loaded.vocabulary
    cards = {"card", *vocabulary.card_kinds()}
    of_cards = {decl.sentences[0] for decl in vocabulary.terms.values()
                if decl.type == "action" and decl.sentences and cards & set(decl.types)}
    found = session.work(lambda: possibilities_of(session.judge, session.situation, name, SIDE))
    session.say([f"{name} can {action}" for action in _grouped([a for a in found.actions if a.template in of_cards])]
                or [f"{name} can use nothing now"])
    session.say([f"not gone through: {t}" for t in found.unasked if t in of_cards]) if found.unasked else None


def _grouped(actions: list[object]) -> list[str]:
    """The allowed actions; many of one kind are shortened."""
    by_template: dict[str, list[str]] = {}
    for action in actions:
        if action.allowed:  # type: ignore[attr-defined]
            by_template.setdefault(action.template, []).append(action.action)  # type: ignore[attr-defined]
    lines: list[str] = []
    for said in by_template.values():
        lines.extend(said[:MAX_NAMED])
        if len(said) > MAX_NAMED:
            lines.append(f"... and {len(said) - MAX_NAMED} more of that kind")
    return lines


@command("rule REF", "the books", completes="ref")
def rule(session: Session, rest: str) -> None:
    """Tell a rule by its number or its name: its summary, its pack, how far it is encoded.

    rule 09.06
    """
    rules = session.situation.loaded.vocabulary.rules
    found = rules.get(rest) or next((r for r in rules.values() if r.title.casefold() == rest.casefold()), None)
    below = [r for ref, r in sorted(rules.items()) if rest and ref.startswith((f"{rest}.", f"{rest}/"))]
    if found is None and not below:
        raise JudgeError(f"there is no rule {rest!r}", hint=did_you_mean(
            rest, [*rules, *(r.title for r in rules.values())], "rules are named as rulings cite them, such as "
            + next(iter(sorted(rules)), "REF")))
    lines = []
    for one in [found] if found is not None else below:
        dates = "".join(f", {word} {day}" for word, day in (("since", one.since), ("until", one.until)) if day)
        status = one.status if one.status == "encoded" else f"{one.status}: {one.reason}"
        lines.append(f"{one.ref}  {one.title}  ({one.pack}{dates}; {status})")
        lines.extend(wrapped(one.summary, session.width, "  ", "  "))
    session.say(lines)


@command("cases REF", "the books", completes="ref")
def cases(session: Session, rest: str) -> None:
    """Tell the cases of the suite that assert a rule."""
    suite = own_suite()
    if suite is None:
        raise UsageError("there are no cases with this installation")
    if not rest:
        raise JudgeError("the cases of which rule?", hint="cases REF")
    found = session.work(lambda: [case for path in case_files([suite]) for case in load_cases(path)
                                  if rest in case.expect.cites])
    session.say([f"{case.expect.verdict}: {case.name}  ({case.file.rpartition('/')[2]}:{case.line})" for case in found]
                or [f"no case asserts {rest}"])


@command("pack [PACK...]", "the books", completes="pack")
def pack(session: Session, rest: str) -> None:
    """Rule under another pack (or several); alone, tell which there are."""
    if not rest:
        here = session.situation.loaded.stamp()
        session.say([f"ruling under {here}", f"there are {', '.join(available())}"])
        return
    if session.judge.packs:
        raise UsageError("the pack was fixed when the judge was started", hint="start it without --pack")
    words = rest.split()
    session.change(session.draft.having("pack", words[0] if len(words) == 1 else words))
    session.say(f"ruling under {session.situation.loaded.stamp()}")
