"""What `judge lint` looks for in packs that can be read: names, references, variables, cycles, sentences, keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from .cards import Card
from .errors import did_you_mean
from .grammar import VALUE_TYPES, Grammar
from .lint import Evidence, Finding
from .lint_cycles import cycles
from .lint_sentences import confusions
from .lint_source import Source, Statement, lets_pass, place_of, sources
from .packs import Pack, facts_folder
from .program import Rule
from .templates import printed
from .terms import Atom, Term
from .vocabulary import Decl, Vocabulary

_PYTHON = frozenset({
    "ask/1", "holds/1", "answer/2", "item/2", "before/3", "chooser/2", "result/3", "open/3", "option/2", "unmodelled/3",
    "contradiction/1", "reading/2", "happened/2", "happened_in/2", "usual_phase/2", "now_phase/1", "phase/2", "need/2",
    "turn_place/2",
})
"""The predicates that the judge itself reads."""
_BUILT_IN = {"list", "dice", "is", "all", "none", "melee", "m", "kind"}
"""The terms that the judge itself makes."""


class Checks:
    """The checks over packs that are ruled under together."""

    def __init__(
        self, packs: list[Pack], vocabulary: Vocabulary, rules: list[Rule], consts: set[str], cards: list[Card],
        evidence: Evidence,
    ) -> None:
        self.packs = packs
        self.vocabulary = vocabulary
        self.rules = rules
        self.consts = consts
        self.cards = cards
        self.evidence = evidence
        self.sources: list[Source] = sources(packs, cards)
        self.use = Uses(self.sources)
        self._lines: list[str] | None = None

    def findings(self) -> Iterator[Finding]:
        yield from self._packs()
        yield from self._predicates()
        yield from self._terms()
        yield from self._unknown_terms()
        yield from self._rules_of_the_game()
        yield from self._variables()
        yield from self._cycles()
        yield from self._sentences()
        yield from self._keys()
        yield from self._card_names()

    def _at(self, decl: Decl, code: str, message: str, hint: str = "") -> Finding:
        return Finding(code, place_of(self.packs, decl.file), decl.line, 1, message, hint)

    def _packs(self) -> Iterator[Finding]:
        for pack in self.packs:
            if not pack.version:
                yield Finding("J002", str(Path(pack.folder) / "pack.yaml"), 1, 1,
                              f"the pack {pack.name} has no version", "a version is a date: version: 2026-12-05")

    def _predicates(self) -> Iterator[Finding]:
        times = {decl.name for decl in self.vocabulary.terms.values() if decl.type == "time"}
        for decl in self.vocabulary.predicates.values():
            name = decl.signature
            read_by_rules = name in self.use.bodies
            if name in _PYTHON or (decl.name in times and decl.arity == 1):
                continue
            if decl.verb or decl.keys:
                if not read_by_rules:
                    what = f"the effect verb {decl.verb}" if decl.verb else (
                        f"the key {decl.keys[0][1]} of a {decl.keys[0][0].replace('_', ' ')}")
                    yield self._at(decl, "J105", f"no rule reads {what} ({name})")
            elif decl.role == "input":
                pass
            elif not read_by_rules and not (decl.role == "derived" and decl.asks):
                what = "stating it changes no ruling" if decl.role == "fact" else "no rule reads it"
                if not (decl.role == "fact" and name in self.use.heads):
                    yield self._at(decl, "J102", f"{name} is declared and not used: {what}")
            if read_by_rules and name not in self.use.heads and name not in self.use.hooks and not (
                decl.role in ("fact", "input") or decl.verb or decl.keys or decl.name in self._emitted()
            ):
                yield self._at(decl, "J107", f"rules read {name}, but nothing states or derives it",
                               "#defined says that other packs may derive it")
            for kind in dict.fromkeys(decl.types):
                if decl.role in ("fact", "event", "question") and not self._type_known(kind):
                    yield self._at(decl, "J108", f"{name} has an argument of the type {kind}, which is not declared",
                                   did_you_mean(kind, [*self.vocabulary.types, *VALUE_TYPES]))

    def _type_known(self, kind: str) -> bool:
        bare = kind.removesuffix("_list")
        return bool({kind, bare} & {"event", "time", "value", "dice", *self.vocabulary.types, *VALUE_TYPES}) or any(
            decl.type in (kind, bare) for decl in self.vocabulary.terms.values())

    def _emitted(self) -> set[str]:
        return {name for card in self.cards for name, _ in card.facts} | {
            decl.name for decl in self.vocabulary.predicates.values() if decl.role == "input"} | {
            decl.name for decl in self.vocabulary.types.values()}

    def _terms(self) -> Iterator[Finding]:
        on_cards = set(self._on_cards())
        for decl in self.vocabulary.terms.values():
            name = decl.signature
            if name in self.use.terms or name in on_cards or (not decl.args and decl.name in self.use.exact):
                continue
            if decl.role == "question":
                yield self._at(decl, "J106", f"no rule answers the question {decl.sentences[0]!r}")
            elif decl.role == "event":
                yield self._at(decl, "J102", f"the event {name} is declared and no rule asks for it")
            elif not self._is_free(decl.type) and not self._is_said(decl):
                yield self._at(decl, "J103", f"the {decl.type.replace('_', ' ')} {name} is declared and never used")

    def _unknown_terms(self) -> Iterator[Finding]:
        declared = {decl.signature for decl in self.vocabulary.terms.values()} | {
            decl.signature for decl in self.vocabulary.predicates.values()}
        known = declared | set(self._on_cards())
        names = sorted({signature.partition("/")[0] for signature in declared})
        for source in self.sources:
            for statement in source.statements:
                for use in statement.terms:
                    if (not use.head and self.use.terms[use.signature] == 1 and use.signature not in known
                            and use.name not in self.consts | _BUILT_IN):
                        yield Finding("J104", source.path, use.line, use.column,
                                      f"{use.signature} is not declared and stands nowhere else",
                                      did_you_mean(use.name, names))

    def _on_cards(self) -> Iterator[str]:
        """The terms in the facts of cards, and those that `@stated` names."""
        for card in self.cards:
            for _, args in card.facts:
                for arg in args:
                    yield from _functors(arg)
        for decl in self.vocabulary.predicates.values():
            yield from (f"{word}/0" for word in re.findall(r"[a-z_]\w*", decl.stated))

    def _is_free(self, kind: str) -> bool:
        """Whether any text is a value of the type, so that its terms are only there to be spelt."""
        declared = self.vocabulary.types.get(kind)
        return declared is not None and bool(declared.free)

    def _is_said(self, decl: Decl) -> bool:
        """Whether a line of a case, a situation or a datasheet has the words of a term."""
        if self._lines is None:
            folders = [Path(pack.folder) / "facts" for pack in self.packs]
            folders += [facts_folder() / pack.name for pack in self.packs]
            texts = [path.read_text(encoding="utf-8") for folder in folders for path in sorted(folder.rglob("*.yaml"))]
            self._lines = "\n".join([self.evidence.words, *texts, *sorted(self.use.exact)]).casefold().splitlines()
        for sentence in decl.sentences:
            words = [text.strip().casefold() for what, text in printed(sentence) if what == "text" and text.strip()]
            if any(all(word in line for word in words) for line in self._lines):
                return True
        return False

    def _rules_of_the_game(self) -> Iterator[Finding]:
        derived = {rule.ref for rule in self.rules} | {card.ref for card in self.cards} | self.use.exact
        derived |= {ref for decl in self.vocabulary.rules.values() for ref in decl.states}
        for top in self.vocabulary.rules.values():
            place = place_of(self.packs, top.file)
            if not top.summary.strip():
                yield Finding("J202", place, top.line, 1, f"{top.ref} has no summary")
            if top.status == "not-modelled":
                continue
            if top.status == "encoded" and top.ref not in derived and not top.states:
                yield Finding("J204", place, top.line, 1, f"{top.ref} {top.title} is declared as encoded, but nothing "
                              "is derived by its reference", "give it @status partial or not-modelled, with the reason")
            elif self.evidence.asserted is not None and top.ref not in self.evidence.asserted:
                yield Finding("J203", place, top.line, 1, f"no case asserts {top.ref} {top.title}")

    def _variables(self) -> Iterator[Finding]:
        for source in self.sources:
            for statement in source.statements:
                for name, places in statement.variables.items():
                    if len(places) == 1 and name not in statement.told and not name.startswith("_"):
                        line, column = places[0]
                        yield Finding("J301", source.path, line, column,
                                      f"the variable {name} stands once in this rule",
                                      "write _ (or a name that begins with it) where its value does not matter")

    def _cycles(self) -> Iterator[Finding]:
        """Cycles through negation; a rule that is let pass is left out, so that other ways round are still found."""
        lines = {source.shown: source.lines for source in self.sources if source.path.endswith(".lp")}
        taken = [rule for rule in self.rules if not lets_pass(lines.get(rule.file, []), rule.row, "J302")]
        for cycle in cycles(taken, self.vocabulary):
            first = cycle.rules[0]
            around = " needs ".join([*cycle.names, cycle.names[0]])
            hint = "; ".join(dict.fromkeys(f"{name} at {rule.file}:{rule.row}"
                                           for name, rule in zip(cycle.names, cycle.rules, strict=True)))
            yield Finding("J302", place_of(self.packs, first.file), first.row, 1,
                          f"{cycle.names[0]} depends on its own absence: {around}", hint)

    def _sentences(self) -> Iterator[Finding]:
        grammar = Grammar(self.vocabulary)
        by_signature = {decl.signature: decl for decl in [*self.vocabulary.predicates.values(),
                                                          *self.vocabulary.terms.values()]}
        read = self._read_types()
        same: set[frozenset[str]] = set()
        for pair in grammar.clashes:
            same.add(frozenset(pair))
            one, other = (by_signature[name] for name in pair)
            if "term" in (one.role, other.role) and not {one.type, other.type} & read:
                continue
            yield self._at(other, "J401", f"{other.signature} has a sentence that is one of {one.signature} too",
                           f"the other is declared at {place(one)}")
        for confusion in confusions(grammar):
            decl = confusion.decl
            if not confusion.others:
                if decl.role != "derived":
                    yield self._at(decl, "J403", f"{confusion.text!r} cannot be read back as {decl.signature}")
            elif not any(frozenset((decl.signature, other.signature)) in same for other in confusion.others):
                others = ", ".join(f"{other.signature} ({place(other)})" for other in confusion.others)
                yield self._at(decl, "J402", f"{confusion.text!r} can be read as {decl.signature} and as {others}")

    def _read_types(self) -> set[str]:
        """The types whose phrases a person can write: in a sentence, a question or a record."""
        found: set[str] = set()
        for decl in [*self.vocabulary.predicates.values(), *self.vocabulary.terms.values()]:
            if decl.role in ("fact", "event", "question") or decl.asks or decl.keys or decl.verb:
                found.update(kind.removesuffix("_list") for kind in decl.types)
        todo = list(found)
        while todo:
            kind = todo.pop()
            declared = self.vocabulary.types.get(kind)
            below = {*(declared.of if declared is not None else ())} | {
                inner for decl in self.vocabulary.terms.values() if decl.type == kind for inner in decl.types}
            todo.extend(below - found)
            found |= below
        return found

    def _keys(self) -> Iterator[Finding]:
        taken: dict[tuple[str, str], Decl] = {}
        kinds = self.vocabulary.card_kinds()
        for decl in self.vocabulary.predicates.values():
            for kind, key in decl.keys:
                wide = {"*": [], "card": kinds}.get(kind, [kind])
                for one in {kind, *wide}:
                    other = taken.setdefault((one, key), decl)
                    if other is not decl and "" not in (one, key):
                        yield self._at(decl, "J501", f"the key {key} of a {one.replace('_', ' ')} is declared twice",
                                       f"{other.signature} at {place(other)} has it too")
                        break
        verbs: dict[str, Decl] = {}
        for decl in self.vocabulary.predicates.values():
            if not decl.verb:
                continue
            shadow = taken.get(("effect", decl.verb)) or verbs.get(decl.verb)
            if shadow is not None:
                yield self._at(decl, "J501", f"the effect verb {decl.verb} is shadowed",
                               f"{shadow.signature} at {place(shadow)} comes first")
            verbs.setdefault(decl.verb, decl)

    def _settled(self, card: Card) -> list[Atom]:
        """What tells a card from others of its name: the facts of keys that a side or the situation has too."""
        settling = self.vocabulary.settling(card.kind)
        return sorted((name, args[1:]) for name, args in card.facts if name in settling)

    def _card_names(self) -> Iterator[Finding]:
        names: dict[tuple[str, str], Card] = {}
        for card in self.cards:
            other_card = names.setdefault((card.kind, card.name.casefold()), card)
            if other_card is not card and other_card.ref != card.ref and (
                self._settled(card) == self._settled(other_card)
            ):
                yield Finding("J502", place_of(self.packs, card.file), card.line, 1,
                              f"{card.name} is the name of {other_card.ref} too",
                              f"that stands at {other_card.file}:{other_card.line}")


def place(decl: Decl) -> str:
    return f"{decl.file}:{decl.line}"


class Uses:
    """Which names the rules use: predicates by where they stand, terms with how often, and texts."""

    def __init__(self, files: Iterable[Source]) -> None:
        self.bodies: set[str] = set()
        self.heads: set[str] = set()
        self.hooks: set[str] = set()
        self.terms: dict[str, int] = {}
        self.exact: set[str] = set()
        for source in files:
            self.hooks |= source.hooks
            for statement in source.statements:
                self._add(statement)

    def _add(self, statement: Statement) -> None:
        for use in statement.predicates:
            (self.heads if use.head else self.bodies).add(use.signature)
        for use in statement.terms:
            self.terms[use.signature] = self.terms.get(use.signature, 0) + 1
        self.exact.update(statement.strings)


def _functors(term: Term) -> Iterator[str]:
    if isinstance(term, tuple) and term:
        yield f"{term[0]}/{len(term) - 1}"
        for part in term[1:]:
            yield from _functors(part)
