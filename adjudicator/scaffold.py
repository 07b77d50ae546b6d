"""Beginnings for authors: a commented card, a case, a pack of one's own.

A card lists everything that cards of its kind can say, out of the vocabulary, as comments: `##` lines are
prose, and a `# ` line is read when its `# ` is taken away.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from .errors import RuleError
from .grammar import Names
from .packs import Loaded, Pack
from .render import wrapped
from .samples import Samples
from .vocabulary import Decl, type_of

WIDE, WIDEST = 44, 118
OPTIONS = 10
SIDES = ("blue", "red")
_PLAIN = re.compile(r"[A-Za-z0-9+-][A-Za-z0-9 .'!/+-]*(?<! )")


def card(loaded: Loaded, kind: str, name: str, ref: str) -> str:
    """A card of a kind with every key and verb that such a card may have, as comments."""
    return "\n".join(CardWriter(loaded, kind, name, ref).lines()) + "\n"


class CardWriter:
    """Writes one commented card."""

    def __init__(self, loaded: Loaded, kind: str, name: str, ref: str) -> None:
        self.vocabulary = loaded.vocabulary
        self.kind, self.name, self.ref = kind, name, ref
        names = Names()
        for one in (kind, "card"):
            names.add(one, name, ref)
        for decl in self.vocabulary.types.values():
            if decl.names or decl.name in ("model", "weapon"):
                names.add(decl.name, f"some {decl.noun}", decl.name)
        self.samples = Samples(self.vocabulary, names)
        self.told: dict[str, str] = {}

    def lines(self) -> Iterator[str]:
        opening = self.kind.replace("_", " ")
        yield f"## {opening[:1].upper()}{opening[1:]}: the first key of a card is its kind, and the value its name."
        yield '## Below stands everything that such a card can say: take the "# " away from what it needs, leave the'
        yield "## rest out. judge rules REF --asp shows what the card becomes."
        yield f"{opening}: {quoted(self.name)}"
        yield f"ref: {self.ref}"
        yield "source: where it was published"
        yield "summary: what it does, in a line or two of our own words"
        today = date.today().isoformat()
        for key, value, doc in (
            ("status", "partial for this reason",
             "encoded (where nothing stands), partial REASON or not-modelled REASON"),
            ("since", today, "the first day on which it holds"),
            ("until", f"{int(today[:4]) + 1}{today[4:]}", "the first day on which it no longer holds"),
        ):
            yield from self._line(f"# {key}: {value}", doc)
        yield ""
        keys = self.vocabulary.keys(self.kind)
        records = [key for key in keys if self._is_record(keys[key].types[-1])]
        for key in sorted(keys, key=lambda key: (key in records, keys[key].types[-1] == "effect")):
            yield from self._key(key, keys[key], "# ", self.kind)
        yield "## Rules of its own, for what no verb says:"
        yield "# asp: |"
        yield "#   % the rules, with %@ lines as in a rule file"

    def _is_record(self, kind: str) -> bool:
        return kind == "effect" or bool(self.vocabulary.keys(kind))

    def _key(self, key: str, decl: Decl, indent: str, owner: str) -> Iterator[str]:
        kind = decl.types[-1]
        if kind == "effect":
            yield from self._line(f"{indent}{key}:", decl.doc)
            yield from self._effects(f"{indent}  ")
        elif self._is_record(kind):
            yield from self._record(key, decl, kind, indent, owner)
        elif not self.samples.of(kind):
            yield from self._prose(f"{key}: {_a(self.samples.noun(kind))}, of which none is declared yet.",
                                   f"##{indent[1:]}")
        else:
            yield from self._line(f"{indent}{key}: {quoted(self.samples.first(kind))}", self._options(kind, decl.doc))

    def _record(self, key: str, decl: Decl, kind: str, indent: str, owner: str) -> Iterator[str]:
        keys = self.vocabulary.keys(kind)
        if kind in self.told:
            first = next(key for key in keys if self.samples.of(keys[key].types[-1]))
            short = f"{{{first}: {quoted(self.samples.first(keys[first].types[-1]))}}}"
            doc = f"{decl.doc} " if decl.doc else ""
            yield from self._line(f"{indent}{key}: {short}", f"{doc}As under {self.told[kind]}.")
            return
        self.told[kind] = key
        yield from self._line(f"{indent}{key}:", decl.doc)
        opened = False
        for inner, inner_decl in keys.items():
            for row in self._key(inner, inner_decl, f"{indent}    ", kind):
                if not opened and not row.startswith("##"):
                    opened = True
                    row = row.replace(f"{indent}    ", f"{indent}  - ", 1)
                yield row

    def _effects(self, indent: str) -> Iterator[str]:
        opened = False
        for verb, decl in self.vocabulary.verbs().items():
            fields = decl.fields if decl.fields[0][0] else [["", decl.args[1]]]
            lacking = [kind for field, arg in fields
                       if not field.endswith("?") and not self.samples.of(kind := type_of(arg))]
            if lacking:
                yield from self._prose(f"{verb}: {_a(self.samples.noun(lacking[0]))}, of which none is declared yet.",
                                       f"##{indent[1:]}")
                continue
            yield from self._verb(verb, decl, fields, indent)
            if not opened:
                opened = True
                for key, inner in self.vocabulary.keys("effect").items():
                    yield from self._key(key, inner, f"{indent}  ", "effect")
        for kind in dict.fromkeys(type_of(arg) for decl in self.vocabulary.verbs().values() for _, arg in decl.fields):
            if len(self.samples.of(kind)) > 1:
                yield from self._prose(self._options(kind, ""), "##   ")

    def _verb(self, verb: str, decl: Decl, fields: list[list[str]], indent: str) -> Iterator[str]:
        if not fields[0][0]:
            kind = type_of(fields[0][1])
            yield from self._line(f"{indent}- {verb}: {quoted(self.samples.first(kind))}",
                                  self._options(kind, decl.doc))
            return
        shown = [(field.removesuffix("?"), type_of(arg)) for field, arg in fields if self.samples.of(type_of(arg))]
        value = ", ".join(f"{field}: {quoted(self.samples.first(kind))}" for field, kind in shown)
        spare = [field.removesuffix("?") for field, _ in fields if field.endswith("?")]
        doc = decl.doc + (f" It needs no {' and no '.join(spare)}." if spare else "")
        yield from self._line(f"{indent}- {verb}: {{{value}}}", doc)

    def _options(self, kind: str, doc: str) -> str:
        options = self.samples.of(kind)
        told = f"{self.samples.noun(kind)}: {'; '.join(options[:OPTIONS])}" if len(options) > 1 else ""
        if len(options) > OPTIONS:
            told += "; and more"
        return f"{doc} {told}".strip() if told else doc or self.samples.noun(kind)

    def _line(self, text: str, doc: str) -> Iterator[str]:
        """A line with what there is to say of it, beside it or, where that is long, above it."""
        beside = f"{text.ljust(WIDE)}  # {doc}" if doc else text
        if len(beside) <= WIDEST:
            yield beside
            return
        yield from self._prose(doc, "##" + " " * (len(text) - len(text.lstrip("# -")) - 1))
        yield text

    def _prose(self, text: str, start: str) -> Iterator[str]:
        yield from wrapped(text, WIDEST, start, f"{start}  ")


def _a(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


# Cases ------------------------------------------------------------------------------------------


def case(loaded: Loaded, packs: list[str], name: str, sentences: bool) -> str:
    """A case that holds as it stands, to be changed; with `sentences` all that can be stated and asked below it."""
    return "\n".join(_case_lines(loaded, packs, name, sentences)) + "\n"


def _case_lines(loaded: Loaded, packs: list[str], name: str, sentences: bool) -> Iterator[str]:
    vocabulary = loaded.vocabulary
    names = Names()
    for side in SIDES:
        names.add("side", side, side)
    for unit in ("squad", "target"):
        names.add("unit", unit, unit)
        names.add("component", unit, unit)
    samples = Samples(vocabulary, names)
    moment = ", ".join(f"{key}: {quoted(samples.first(decl.types[-1]))}" for key, decl in vocabulary.keys("now").items()
                       if samples.of(decl.types[-1]))
    yield "## A case: a situation in the words of a player, one question, the ruling that is right and its rules."
    yield "## judge rule FILE rules on it, judge test FILE holds the ruling against what is expected."
    yield f"- name: {quoted(name)}"
    yield "  source: where the question comes from"
    yield f"  pack: {packs[0] if len(packs) == 1 else '[' + ', '.join(packs) + ']'}"
    yield f"  now: {{{moment}}}"
    yield f"  sides: {{{SIDES[0]}: , {SIDES[1]}: }}"
    yield "  units:"
    yield f"    squad: {{side: {SIDES[0]}, models: 5}}"
    if loaded.datasheets:
        yield f"    # squad: {{side: {SIDES[0]}, datasheet: {loaded.datasheets[0]}}}"
    yield f"    rivals: {{side: {SIDES[1]}, models: 5}}"
    event = next((decl for decl in vocabulary.terms.values()
                  if decl.role == "event" and decl.types == ["unit"] and decl.asks), None)
    fact = samples.filled(event.sentences[0]) if event is not None else "nothing yet"
    ask = samples.filled(event.asks[0]) if event is not None else "what follows?"
    yield "  facts:"
    yield f"    - {quoted(fact)}"
    yield f"  ask: {quoted(ask) if ':' in ask else ask}"
    yield "  expect: {verdict: yes, cites: []}"
    if sentences:
        yield ""
        yield "## What can be stated:"
        yield from _sentences(loaded, samples, questions=False)
        yield "## What can be asked:"
        yield from _sentences(loaded, samples, questions=True)


def _sentences(loaded: Loaded, samples: Samples, questions: bool) -> Iterator[str]:
    found: set[str] = set()
    for decl in [*loaded.vocabulary.predicates.values(), *loaded.vocabulary.terms.values()]:
        if questions and decl.role in ("fact", "event", "derived"):
            found.update(samples.fill(ask) for ask in decl.asks[:1])
        elif decl.role in (("question",) if questions else ("fact", "event")):
            found.add(samples.fill(decl.sentences[0]))
    yield from (f"##   {sentence}" for sentence in sorted(found))


# Packs ------------------------------------------------------------------------------------------


def pack(loaded: Loaded, folder: Path, extends: list[str], replaces: list[str]) -> dict[str, str]:
    """The files of a pack of one's own, by name; rules that it replaces stand in it as they were.

    `replaces` holds references, or `REF: head` for only those rules that derive such an atom. Raises
    `RuleError` for one that does not exist.
    """
    name = folder.resolve().name
    listed = ", ".join(json.dumps(entry) for entry in replaces)
    lines = [
        f"name: {name}",
        f"version: {date.today().isoformat()}",
        f"extends: [{', '.join(extends)}]",
        *([f"replaces: [{listed}]"] if replaces else ['# replaces: ["REF"]  # rules of this reference no longer hold']),
        "sources: [where these rulings are published]",
    ]
    rules = [
        f'%*! rule {name}/1 "What this pack rules"',
        "What it rules differently, in a line of our own words.",
        "*%",
    ]
    for entry in replaces:
        rules.extend(_copied(loaded, entry))
    if not replaces:
        rules += ['% %@ "{U} ..., as the line of the ruling says it"', "% head(U) :- body(U)."]
    return {"pack.yaml": "\n".join(lines) + "\n", "rulings.lp": "\n".join(rules) + "\n"}


def _copied(loaded: Loaded, entry: str) -> Iterator[str]:
    """The rules that an entry of `replaces` takes away, with their lines, to be changed."""
    from .replacing import Replaced

    probe = Pack("", "", replaces=[entry])
    replaced = Replaced([*loaded.packs, probe])
    replaced.check(loaded.rules, loaded.cards)
    found = [rule for rule in loaded.rules if replaced.rule(rule)]
    if not found:
        raise RuleError(f"{entry} is a card", hint="copy the card into the pack and change it; keep its reference")
    seen: set[tuple[str, int]] = set()
    for rule in found:
        if (rule.file, rule.row) not in seen:
            seen.add((rule.file, rule.row))
            yield from _source(loaded, rule.pack, rule.file, rule.row)


def _source(loaded: Loaded, pack_name: str, file: str, row: int) -> Iterator[str]:
    """The text of a rule in its file, with the annotation above it (without its reference)."""
    base = next(Path(p.folder) for p in loaded.packs if p.name == pack_name)
    lines = (base / file.partition("/")[2]).read_text(encoding="utf-8").split("\n")
    above = lines[row - 2] if row > 1 else ""
    if above.startswith("%@"):
        yield re.sub(r'^%@\s+[^\s"{-][^\s"]*\s+"', '%@ "', above)
    for line in lines[row - 1:]:
        yield line
        if re.search(r"\.\s*(%.*)?$", line):
            return


# Text -------------------------------------------------------------------------------------------


def slug(name: str) -> str:
    """A name as it stands in a reference: `The Name!` becomes `the-name`."""
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"['’!]", "", name.casefold())).strip("-") or "name"


def quoted(text: str) -> str:
    """The text as a YAML scalar, in quotes only where it needs them."""
    if _PLAIN.fullmatch(text) and text not in ("-", "+") and not re.match(r"-( |$)", text):
        return text
    if '"' in text and "'" not in text:
        return f"'{text}'"
    return json.dumps(text, ensure_ascii=False)
