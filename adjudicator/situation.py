"""A situation: who is on the table, what happened and how things stand, read from sentences.

A situation is immutable once read; `with_facts` makes another one. Everything it says is a list of
`Statement`s, each an atom with the sentence and the place it came from, so that an explanation or an
error can point at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from .cards import Card
from .errors import SituationError, Span
from .grammar import Grammar, Reading
from .packs import Loaded, datasheet
from .records import Records, single_pair
from .roster import Roster
from .terms import Atom, Term, atom_text
from .yamltext import Document, Node, is_mapping, is_scalar, read

TOP_KEYS = frozenset({"name", "title", "note", "source", "pack", "date", "now", "sides", "units", "facts", "readings",
                      "ask", "expect"})


class Statement(msgspec.Struct, frozen=True):
    """One stated atom; `sentence` is empty for what the structure of a situation says."""

    atom: Atom
    sentence: str = ""
    span: Span | None = None


class Situation:
    """The facts of one situation under one set of packs."""

    def __init__(self, loaded: Loaded, grammar: Grammar, file: str = "situation", lenient: bool = False) -> None:
        self.loaded = loaded
        self.ignored: list[str] | None = [] if lenient else None
        self.grammar = grammar
        self.file = file
        self.date = ""
        self.title = ""
        self.names = loaded.names.copy()
        self.statements: list[Statement] = []
        self._atoms: list[Atom] | None = None
        self.asks: list[tuple[str, Span | None]] = []
        self.expect: tuple[Document, Node] | None = None
        self.source: tuple[Document, Node] | None = None
        self.aliases: dict[str, str] = {}
        self.chosen_readings: dict[str, str] = {}

    def readings(self) -> dict[str, str]:
        """The option of every contested reading: the situation's, else a pack's, else the default."""
        chosen = {name: decl.default() for name, decl in self.loaded.vocabulary.readings.items()}
        for pack in self.loaded.packs:
            chosen.update({k: v for k, v in pack.readings.items() if k in chosen})
        chosen.update(self.chosen_readings)
        return chosen

    # Building ---------------------------------------------------------------------------------

    def _settle_shared_names(self, stated: list[Atom]) -> None:
        """Let a name that several cards share mean the one whose keys say what a side or the situation says."""
        values: dict[str, set[Term]] = {}
        for name, args in stated:
            values.setdefault(name, set()).add(args[-1])

        def fitness(card: Card) -> int:
            asked = self.loaded.vocabulary.settling(card.kind)
            return sum(1 if args[-1] in values.get(asked[name], ()) else -1
                       for name, args in card.atoms() if name in asked)

        for kind, cards in self.loaded.sharing:
            best = min(cards, key=lambda card: (-fitness(card), card.ref))
            self.names.add(kind, best.name, best.ref)

    def read(self, document: Document, node: Node) -> None:
        """Take in a whole situation. Raises `SituationError` with the place of what is wrong."""
        self.source = (document, node)
        records = Records(self.grammar, self.names, document, self.ignored)
        found = {key.value: (key, value) for key, value in document.items(node, "a situation")}
        named = {kind.names: kind.name for kind in self.loaded.vocabulary.types.values() if kind.names}
        own = records.keys("situation")
        for key, (key_node, _) in found.items():
            if key not in TOP_KEYS and key not in named and key not in own:
                if self.ignored is not None:
                    self.ignored.append(key)
                    continue
                raise document.unknown(key_node, [*TOP_KEYS, *named, *own], "a situation")
        for key in ("title", "name"):
            if key in found:
                self.title = document.scalar(found[key][1], key)
        if "date" in found:
            self.date = _day(document, found["date"][1])
        sides = self._sides(records, found["sides"][1]) if "sides" in found else []
        for key, kind in named.items():
            if key in found and key not in ("sides", "units"):
                self._named(records, kind, found[key][1])
        if "now" in found:
            records.walk("now", ("now",), found["now"][1])
        for key in own.keys() & found.keys():
            records.value(own[key], ("situation",), found[key][1])
        self._settle_shared_names([atom for atom, _ in records.facts])
        roster = Roster(records, self.names, lambda ref: datasheet(self.loaded, ref, self.ignored is not None))
        if "units" in found:
            for key_node, value in document.items(found["units"][1], "units"):
                self._check_name(document, key_node)
                roster.unit(str(key_node.value), value, sides)
        self.statements.extend(Statement(atom, "", document.span(n)) for atom, n in records.facts)
        for kind in ("keyword",):
            for (pred, args), _ in records.facts:
                if pred == kind:
                    self.names.add(kind, str(args[-1]), args[-1])
        if "facts" in found:
            self.state_all([(_sentence(document, n), document.span(n))
                            for n in document.list(found["facts"][1], "facts")])
        else:
            self.state_all([])
        if "readings" in found:
            self._readings(document, found["readings"][1])
        if "ask" in found:
            self.asks = [(_sentence(document, n), document.span(n)) for n in document.list(found["ask"][1], "ask")]
        if "expect" in found:
            self.expect = (document, found["expect"][1])

    def _sides(self, records: Records, node: Node) -> list[str]:
        document = records.document
        names = []
        entries = (document.items(node, "sides") if is_mapping(node)
                   else ((item, None) for item in document.list(node, "sides")))
        for index, (key, value) in enumerate(entries, start=1):
            self._check_name(document, key)
            name = document.scalar(key, "a side")
            self.names.add("side", name, name)
            records.emit("side", (name, index), key)
            names.append(name)
            if value is not None and not (is_scalar(value) and not value.value):
                records.walk("side", name, value)
        return names

    def _named(self, records: Records, kind: str, node: Node) -> None:
        document = records.document
        decl = self.loaded.vocabulary.predicate(kind, 1)
        entries = (document.items(node, kind) if is_mapping(node)
                   else ((item, None) for item in document.list(node, kind)))
        for key, value in entries:
            self._check_name(document, key)
            name = document.scalar(key, "a name")
            noun = self.loaded.vocabulary.types[kind].noun
            self.names.add(kind, name, name)
            self.names.add(kind, f"{noun} {name}", name, also=True)
            if decl is not None:
                records.emit(kind, (name,), key)
            if value is not None and is_mapping(value):
                records.walk(kind, name, value)

    def _readings(self, document: Document, node: Node) -> None:
        known = self.loaded.vocabulary.readings
        for key, value in document.items(node, "readings"):
            if key.value not in known:
                raise document.unknown(key, list(known), "readings")
            options = [o.name for o in known[key.value].options]
            if document.scalar(value, "an option") not in options:
                raise SituationError(f"the reading {key.value} has no option {value.value}", document.span(value),
                                     f"its options are {', '.join(options)}")
            self.chosen_readings[key.value] = value.value

    def _check_name(self, document: Document, node: Node) -> None:
        name = document.scalar(node, "a name")
        if not name.strip() or len(name) > 80 or not name.isprintable():
            raise SituationError("a name has 1 to 80 printable characters", document.span(node))

    def state_all(self, sentences: list[tuple[str, Span | None]]) -> None:
        """Add facts by sentence; what joins units is read first, so that both names mean the whole."""
        self._atoms = None
        readings: list[tuple[Reading, str, Span | None]] = []
        for sentence, span in sentences:
            try:
                readings.append((self.grammar.read_fact(sentence, self.names, span), sentence, span))
            except SituationError:
                if self.ignored is None:
                    raise
                self.ignored.append(sentence)
        for reading, _, span in readings:
            if reading.decl.joins and reading.positive:
                self._join(reading.atom[1], span)
        self.statements = [s for s in self.statements if s.atom[0] != "part_of"]
        for name in self.names.terms.get("component", {}).values():
            whole = self._whole(str(name))
            self.names.terms["unit"][_folded(str(name))] = whole
            self.statements.append(Statement(("part_of", (name, whole))))
        for reading, sentence, span in readings:
            if self.aliases and not reading.decl.joins:
                reading = self.grammar.read_fact(sentence, self.names, span)
            self._state(reading, sentence, span)
        self._contradictions()

    def _join(self, args: tuple[Term, ...], span: Span | None) -> None:
        part, whole = str(args[0]), str(args[1])
        if self._whole(whole) == part or part == whole:
            raise SituationError(f"{part} cannot be joined to itself", span)
        if self.aliases.get(part, whole) != whole:
            raise SituationError(f"{part} is already joined to {self.aliases[part]}", span)
        self.aliases[part] = whole

    def _whole(self, name: str) -> str:
        seen = set()
        while name in self.aliases and name not in seen:
            seen.add(name)
            name = self.aliases[name]
        return name

    def _state(self, reading: Reading, sentence: str, span: Span | None) -> None:
        name, args = reading.atom
        if reading.decl.role == "event":
            atom: Atom = ("happened", ((name, *args), reading.time or ("this_turn",)))
        else:
            atom = (name, args)
        if not reading.positive:
            atom = (f"-{atom[0]}", atom[1])
        self.statements.append(Statement(atom, sentence.strip(), span))

    def _contradictions(self) -> None:
        by_atom = {s.atom: s for s in self.statements}
        for atom, statement in by_atom.items():
            other = by_atom.get((f"-{atom[0]}", atom[1]))
            if other is not None:
                line = f" (line {statement.span.line})" if statement.span else ""
                raise SituationError(f"both {statement.sentence!r}{line} and {other.sentence!r} are stated",
                                     other.span, "keep the one that is true")

    # Using ------------------------------------------------------------------------------------

    def with_facts(self, sentences: list[str], without: list[str] | None = None) -> Situation:
        """Another situation with facts added, and stated facts left out, by their sentences."""
        other = Situation(self.loaded, self.grammar, self.file)
        other.date, other.title, other.names = self.date, self.title, self.names.copy()
        other.source = self.source
        other.aliases = dict(self.aliases)
        other.chosen_readings = dict(self.chosen_readings)
        gone = {_folded(s) for s in without or ()}
        other.statements = [s for s in self.statements if _folded(s.sentence) not in gone or not s.sentence]
        other.state_all([(s, None) for s in sentences])
        return other

    def atoms(self) -> list[Atom]:
        """All stated atoms without repetition, in an order that does not depend on the order of statement."""
        if self._atoms is None:
            found = {s.atom for s in self.statements}
            found.update(list(_lists(found)))
            self._atoms = sorted(found, key=atom_text)
        return self._atoms

    def ask(self, question: str, span: Span | None = None) -> Reading:
        """Read a question about this situation. Raises `SituationError` where it is not understood."""
        return self.grammar.read_question(question, self.names, span)

    def say(self, reading: Reading, positive: bool = True) -> str:
        """A fact that was read as its sentence, or as its negative."""
        from .saying import Sayer

        sayer = Sayer(self.loaded.vocabulary, self.names)
        if reading.decl.role != "event":
            return sayer.atom(reading.atom, not positive)
        told = sayer.term((reading.atom[0], *reading.atom[1]), "event", not positive)
        return told if reading.time is None else f"{told} {sayer.term(reading.time, 'time')}"

    def question_of(self, reading: Reading) -> str:
        """The question whether a fact is so. Raises `SituationError` where the vocabulary has none."""
        from .saying import Sayer, parts_of

        decl = reading.decl
        if not decl.asks:
            raise SituationError(f"no question asks whether this is so: {self.say(reading)}")
        parts = parts_of(decl.asks[0], dict(zip(decl.args, decl.types, strict=True)))
        env = dict(zip(decl.args, reading.atom[1], strict=True))
        return Sayer(self.loaded.vocabulary, self.names).line(parts, env)

    def source_of(self, atom: Atom) -> Statement | None:
        """The statement of an atom, where it was stated."""
        return next((s for s in self.statements if s.atom == atom), None)


def _lists(atoms: set[Atom]) -> Iterator[Atom]:
    for _, args in atoms:
        for arg in args:
            yield from _list_facts(arg)


def _list_facts(term: Term) -> Iterator[Atom]:
    if isinstance(term, tuple) and term:
        if term[0] == "list":
            yield "list_length", (term, len(term) - 1)
            for index, item in enumerate(term[1:], start=1):
                yield "list_item", (term, index, item)
        for item in term[1:]:
            yield from _list_facts(item)


def list_facts(term: Term) -> list[Atom]:
    """The atoms that give the items of every list in a term."""
    return list(_list_facts(term))


def _folded(text: str) -> str:
    from .grammar import fold

    return fold(text)


def _sentence(document: Document, node: Node) -> str:
    if single_pair(node):
        key, value = node.value[0]
        return f"{key.value}: {value.value}"
    return document.scalar(node, "a sentence")


def _day(document: Document, node: Node) -> str:
    text = document.scalar(node, "a date")
    if not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", text):
        raise SituationError(f"{text!r} is no date", document.span(node), "write it as 2026-10-03")
    return text


def open_file(path: str) -> Document:
    """The document of a situation file. Raises `SituationError` where it is missing, empty or not YAML."""
    return document_from(read(path), path)


def document_from(text: str, file: str) -> Document:
    """The document of a situation text. Raises `SituationError` where it is empty or not YAML."""
    document = Document(text, file)
    if document.root is None:
        raise SituationError(f"{file} is empty", document.at(1, 1), "a situation has pack, sides, units and facts")
    return document


def header(document: Document, node: Node) -> list[str]:
    """The packs that a situation names. Raises `SituationError` where it names none."""
    if not is_mapping(node):
        raise SituationError("a situation is a mapping with pack, sides, units and facts", document.span(node))
    value = document.get(node, "pack")
    names = [document.scalar(item, "a pack") for item in document.list(value, "pack")] if value is not None else []
    if not names:
        from .packs import available

        raise SituationError("the situation names no pack", document.span(node),
                             f"add a line pack: ... with one of {', '.join(available())}")
    return names
