"""`judge rules`: the rules of the packs with their status and the cases that assert them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click
import msgspec

from .cases import Case, case_files, load_cases, own_suite, shown_path
from .cli import print_json, say
from .errors import UsageError, did_you_mean
from .packs import Loaded, available, in_force, read_pack
from .render import WIDTH, wrapped
from .vocabulary import RuleDecl

if TYPE_CHECKING:
    from .judge import Judge
    from .terms import Atom, Term


class Listed(msgspec.Struct):
    """A rule of a pack in the version of a day, the packs that it was loaded with, and the cases that assert it."""

    rule: RuleDecl
    loaded: Loaded
    cases: list[Case] = []
    others: list[RuleDecl] = []

    def row(self) -> dict[str, object]:
        """The rule as `judge rules --json` lists it."""
        return {"pack": self.rule.pack, "ref": self.rule.ref, "title": self.rule.title, "status": self.rule.status,
                "cases": len(self.cases)}

    def to_dict(self, asp: bool) -> dict[str, object]:
        """The rule as `judge rules REF --json` tells it: its row, and what there is to know about it."""
        rule = self.rule
        told: dict[str, object] = {**self.row(), "summary": rule.summary, "reason": rule.reason, "since": rule.since,
                                   "until": rule.until, "file": rule.file, "line": rule.line,
                                   "asserted_by": [{"name": c.name, "file": c.file} for c in self.cases]}
        return {**told, "asp": "\n".join(program(self))} if asp else told


def list_rules(judge: Judge, ref: str, asp: bool, as_json: bool, color: bool) -> None:
    """Print the rules of the judge's packs (of every game where it has none), or those that `ref` names."""
    if asp and not ref:
        raise UsageError("--asp needs the reference of a rule", hint='such as: judge rules 09.06 --asp')
    listed = list(rules_of(judge))
    found = [one for one in listed if one.rule.ref == ref]
    below = [one for one in listed if one.rule.ref.startswith((f"{ref}.", f"{ref}/"))] if ref else listed
    if not found and not below:
        known = list(dict.fromkeys(one.rule.ref for one in listed))
        raise UsageError(f"there is no rule {ref!r}", hint=_nearest(ref, known, listed))
    _count(found or below)
    if as_json:
        print_json([one.to_dict(asp) for one in found] if found else [one.row() for one in below])
    elif found:
        for one in found:
            for line in program(one) if asp else about(one, color):
                say(line)
    else:
        for line in table(below, color):
            say(line)


def _nearest(ref: str, known: list[str], listed: list[Listed]) -> str:
    titled = [one for one in listed if one.rule.title.casefold() == ref.casefold()]
    return f"did you mean {titled[0].rule.ref}?" if titled else did_you_mean(ref, known, "judge rules lists them all")


def rules_of(judge: Judge) -> Iterator[Listed]:
    """Every rule of the packs, by pack and reference."""
    seen: set[tuple[str, str]] = set()
    for names in [judge.packs] if judge.packs else [[name] for name in _games()]:
        loaded, _ = judge.load(names)
        place = {pack.name: i for i, pack in enumerate(loaded.packs)}
        for rule in sorted(loaded.vocabulary.rules.values(), key=lambda r: (place.get(r.pack, 99), r.ref)):
            if (rule.pack, rule.ref) not in seen:
                seen.add((rule.pack, rule.ref))
                versions = [rule, *rule.older]
                now = next((one for one in versions if in_force(one.since, one.until, judge.as_of)), rule)
                yield Listed(now, loaded, [], [one for one in versions if one is not now])


def _games() -> list[str]:
    """The packs that come with the judge, without those that others only build on."""
    packs = {name: read_pack(folder) for name, folder in available().items()}
    below = {other for pack in packs.values() for other in pack.extends}
    return [name for name in packs if name not in below]


def _count(listed: list[Listed]) -> None:
    """Give every rule the cases of the judge's own suite that assert it."""
    suite = own_suite()
    by_ref: dict[str, list[Case]] = {}
    for path in case_files([suite]) if suite is not None and any(suite.rglob("*.yaml")) else []:
        for case in load_cases(shown_path(path)):
            for ref in dict.fromkeys(case.expect.cites):
                by_ref.setdefault(ref, []).append(case)
    for one in listed:
        under = {pack.name for pack in one.loaded.packs}
        one.cases = [case for case in by_ref.get(one.rule.ref, ()) if under.issuperset(case.packs())]


# Text -------------------------------------------------------------------------------------------


def table(listed: list[Listed], color: bool) -> Iterator[str]:
    """The list by pack: reference, title, status where it is not simply encoded, and how many cases assert it."""
    widest = max(len(one.rule.ref) for one in listed)
    pack = ""
    for one in listed:
        rule = one.rule
        if rule.pack != pack:
            if pack:
                yield ""
            pack = rule.pack
            inside = [other for other in listed if other.rule.pack == pack]
            yield _strong(f"{_stamp(one)}: {_count_text(inside)}", color)
        left = f"  {rule.ref.ljust(widest)}  {rule.title}"
        number = len(one.cases)
        right = ", ".join([*([rule.status] if rule.status != "encoded" else []),
                           "no case" if not number else "1 case" if number == 1 else f"{number} cases"])
        yield f"{left}  {right.rjust(WIDTH - len(left) - 2)}"


def _stamp(one: Listed) -> str:
    return next((f"{p.name} {p.version}" for p in one.loaded.packs if p.name == one.rule.pack), one.rule.pack)


def _count_text(inside: list[Listed]) -> str:
    parts = []
    for status in ("encoded", "partial", "not-modelled"):
        number = sum(one.rule.status == status for one in inside)
        if number:
            parts.append(f"{number} {status}")
    return ", ".join(parts)


def about(one: Listed, color: bool) -> Iterator[str]:
    """One rule: title, summary, pack, status, dates and cases."""
    rule = one.rule
    yield _strong(f"{rule.ref}  {rule.title}", color)
    yield from wrapped(rule.summary, WIDTH, "  ", "  ")
    yield f"  pack: {_stamp(one)} ({rule.file}, line {rule.line})"
    yield f"  status: {rule.status}{f' ({rule.reason})' if rule.reason else ''}"
    if rule.since or rule.until:
        yield f"  in force: {_days(rule)}"
    for other in sorted(one.others, key=lambda version: version.since):
        yield f"  another version: {_days(other)} ({other.file}, line {other.line})"
    yield f"  cases: {len(one.cases) or 'none'}"
    for case in one.cases:
        yield f"    {case.name}  ({case.file}:{case.line})"


def _days(rule: RuleDecl) -> str:
    return " ".join(f"{word} {day}" for word, day in (("since", rule.since), ("until", rule.until)) if day)


def _strong(text: str, color: bool) -> str:
    return click.style(text, bold=True) if color else text


def program(one: Listed) -> Iterator[str]:
    """What a rule becomes: its rules as clingo sees them, each below its line, and the facts of a card."""
    from .terms import atom_text

    ref = one.rule.ref
    yield f"% {ref} {one.rule.title}"
    for rule in one.loaded.rules:
        if rule.ref == ref:
            dates = " ".join(f"{word} {day}" for word, day in (("since", rule.since), ("until", rule.until)) if day)
            yield f"% {rule.file}:{rule.row}{f' {dates}' if dates else ''}{f' {rule.line}' if rule.line else ''}"
            yield rule.text
    for atom in one.loaded.card_facts(""):
        if _is_about(atom, ref):
            yield f"{atom_text(atom)}."


def _is_about(atom: Atom, ref: str) -> bool:
    """Whether an atom says something of a card or of a record inside it (the owner comes first)."""
    owner: Term = atom[1][0] if atom[1] else ()
    while isinstance(owner, tuple) and len(owner) > 1:
        owner = owner[1]
    return owner == ref
