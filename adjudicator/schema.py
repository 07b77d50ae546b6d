"""JSON Schemas (draft 2020-12) for cards, situations, cases and datasheets, out of the vocabulary.

An editor completes and checks with them what the judge would read: keys by kind of record, effect verbs
with their fields, phrases in all their readable forms, values as patterns. A schema never refuses what the
judge accepts; what it cannot know (the names of a situation, which sentences hold together) it lets pass.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .cards import COMMON
from .cases import KEYS as EXPECTED
from .packs import Loaded, available
from .ruling import VERDICTS
from .schema_types import FIGURE, Schema, Types, caseless
from .templates import printed
from .vocabulary import Decl, Vocabulary, type_of

DRAFT = "https://json-schema.org/draft/2020-12/schema"
NAMES = ("cards", "situation", "case", "datasheet", "pack")
TITLES = {
    "cards": "Rule cards", "situation": "Situations", "case": "Cases", "datasheet": "Datasheets", "pack": "pack.yaml",
}
DAY = r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$"


def schema(loaded: Loaded, name: str = "") -> Schema:
    """The schema of that name (one of `NAMES`); without a name the one for any of these files but pack.yaml."""
    writer = Writer(loaded)
    roots = {
        "cards": writer.cards, "situation": lambda: writer.file("situation"), "case": lambda: writer.file("case"),
        "datasheet": writer.datasheet, "pack": writer.pack,
    }
    if name:
        root = roots[name]()
        title = TITLES[name]
    else:
        root = {"anyOf": [roots[part]() for part in ("cards", "case", "situation", "datasheet")]}
        title = "Files of the judge"
    return {"$schema": DRAFT, "title": f"{title} ({loaded.stamp()})", **root, "$defs": writer.definitions()}


class Writer:
    """Writes the schemas of one set of packs; what is used more than once stands under `$defs`."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded
        self.vocabulary: Vocabulary = loaded.vocabulary
        self.phrases: dict[str, list[Decl]] = {}
        for decl in self.vocabulary.terms.values():
            if decl.role in ("term", "event") and not (decl.type == "keyword" and not decl.args):
                self.phrases.setdefault(decl.type, []).append(decl)
        self._defs: dict[str, Schema] = {}
        self.types = Types(loaded, self.phrases)

    def definitions(self) -> dict[str, Schema]:
        return dict(sorted(self._defs.items()))

    def ref(self, name: str, make: Any) -> Schema:
        """A reference to a definition, which is made where it does not exist yet."""
        if name not in self._defs:
            self._defs[name] = {}
            self._defs[name] = make()
        return {"$ref": f"#/$defs/{name}"}

    # Values -----------------------------------------------------------------------------------

    def value(self, kind: str) -> Schema:
        """A scalar that is read as a value of a type."""
        return self.ref(f"{kind} value", lambda: self.types.scalar(kind))

    def key(self, decl: Decl) -> Schema:
        """The value under a key: one, or a list of them; a record where the type has keys of its own."""
        kind = decl.types[-1]
        record = kind == "effect" or bool(self.vocabulary.keys(kind))
        item = {"anyOf": [self.record(kind), *([self.value(kind)] if self.types.has_scalars(kind) else [])]} if (
            record) else self.value(kind)
        return _described(_some(item), decl.doc)

    def record(self, kind: str) -> Schema:
        """A mapping with the keys of a kind of record."""
        def make() -> Schema:
            properties = self.properties(kind)
            more = {"minProperties": 1} if kind == "effect" else {}
            return {"type": "object", "properties": properties, "additionalProperties": False, **more}

        return self.ref(f"{kind} record", make)

    def properties(self, kind: str) -> dict[str, Schema]:
        found = {key: self.key(decl) for key, decl in sorted(self.vocabulary.keys(kind).items())}
        if kind == "effect":
            for verb, decl in sorted(self.vocabulary.verbs().items()):
                found.setdefault(verb, self.verb(decl))
        return found

    def verb(self, decl: Decl) -> Schema:
        """An effect verb: its fields, or the value that stands for its only one."""
        if decl.fields and decl.fields[0][0] == "":
            return _described(_some(self.value(decl.types[1])), decl.doc)
        properties = {field.removesuffix("?"): self.value(type_of(arg)) for field, arg in decl.fields}
        needed = [field for field, _ in decl.fields if not field.endswith("?")]
        return _described({"type": "object", "properties": properties, "required": needed,
                           "additionalProperties": False}, decl.doc)

    # Files ------------------------------------------------------------------------------------

    def cards(self) -> Schema:
        """A file of rule cards: one, or a list."""
        kinds = [self.ref(f"{kind} card", lambda kind=kind: self.card(kind)) for kind in self.vocabulary.card_kinds()]
        return _one_or_list({"anyOf": kinds} if kinds else {"type": "object"})

    def card(self, kind: str) -> Schema:
        opening = kind.replace("_", " ")
        texts: dict[str, Schema] = {
            "ref": _text("How rulings cite it: the faction and the name, with a stroke between."),
            "source": _text("Where it was published."),
            "summary": _text("What it does, in a line or two of our own words."),
            "status": {"type": "string", "pattern": r"^(encoded|partial|not-modelled)( .*)?$",
                       "description": "encoded, partial REASON or not-modelled REASON."},
            "since": _day("The first day on which it holds."),
            "until": _day("The first day on which it no longer holds."),
            "asp": _text("Rules of its own, where no verb says what it does."),
        }
        assert texts.keys() == COMMON
        return {
            "type": "object", "title": opening, "required": [opening, "ref", "summary"], "additionalProperties": False,
            "properties": {opening: _text("Its name; the first key of a card is its kind."), **texts,
                           **self.properties(kind)},
        }

    def file(self, name: str) -> Schema:
        """A file of situations or cases: one, or a list."""
        return _one_or_list(self.ref(name, lambda: self.situation(name == "case")))

    def situation(self, is_case: bool) -> Schema:
        types = self.vocabulary.types
        named = {decl.names: decl.name for decl in types.values() if decl.names and decl.name not in ("side", "unit")}
        facts = {"defaultSnippets": self.snippets(questions=False)}
        asks = {"defaultSnippets": self.snippets(questions=True)}
        properties: dict[str, Schema] = {
            "name": _text("What the situation or case is called."),
            "title": _text("What the situation is called."),
            "note": _text("For readers; the judge does not read it."),
            "source": _text("Where the question comes from."),
            "pack": _some({"anyOf": [{"enum": list(available())}, {"type": "string"}]}),
            "date": _day("The day as of which it is ruled."),
            "now": {**self.record("now"), "description": "The moment of the game."},
            "sides": {"anyOf": [_mapping(_or_empty(self.record("side"))), *_names()]},
            "units": _mapping(self.ref("unit", self.unit)),
            "facts": _described(_some(_sentence(facts)), "What happened and how things stand, a sentence each."),
            "readings": {"type": "object", "additionalProperties": False, "properties": {
                decl.name: {"enum": [option.name for option in decl.options], "description": decl.title}
                for decl in self.vocabulary.readings.values()}},
            "ask": _described(_some(_sentence(asks)), "The question, or a list of questions."),
            "expect": self.ref("expect", self.expect),
        }
        properties |= self.properties("situation")
        for key, kind in named.items():
            properties[key] = {"anyOf": [_mapping(_or_empty(self.record(kind))), *_names()]}
        return {"type": "object", "properties": properties, "additionalProperties": False,
                "required": ["pack", "ask", "expect"] if is_case else ["pack"]}

    def snippets(self, questions: bool) -> list[Schema]:
        """The sentences of the vocabulary, for editors that offer snippets."""
        found: dict[str, Schema] = {}
        for decl in [*self.vocabulary.predicates.values(), *self.vocabulary.terms.values()]:
            told = decl.sentences if decl.role in (("question",) if questions else ("fact", "event")) else []
            if questions and decl.role in ("fact", "event"):
                told = decl.asks
            for sentence in told[:1]:
                parts = printed(sentence)
                label = "".join(text if what == "text" else type_of(text).replace("_", " ") for what, text in parts)
                slots = iter(range(1, 99))
                body = "".join(text if what == "text" else f"${{{next(slots)}:{type_of(text).replace('_', ' ')}}}"
                               for what, text in parts)
                found.setdefault(label, {"label": label, "body": body, **_doc(decl.doc)})
        return [found[label] for label in sorted(found)]

    def expect(self) -> Schema:
        texts = _some({"type": ["string", "number"]})
        properties: dict[str, Schema] = {
            "verdict": {"enum": list(VERDICTS)}, "value": {"type": ["string", "number"]}, "answer": {"type": "string"},
            "cites": _described(texts, "References that must be among the citations; [] where there are none."),
            "not_cites": texts, "assumes": texts,
        }
        assert properties.keys() == set(EXPECTED)
        return {"type": "object", "properties": properties, "required": ["verdict", "cites"],
                "additionalProperties": False}

    # Units ------------------------------------------------------------------------------------

    def unit(self) -> Schema:
        sheets = {"anyOf": [{"enum": self.loaded.datasheets}, {"type": "string"}]} if self.loaded.datasheets else (
            {"type": "string"})
        models = {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": r"^\d{1,4}$"},
                            _mapping(self.ref("kind of model", self.kind))]}
        return {"type": "object", "required": ["side"], "additionalProperties": False,
                "properties": {"side": _text("Whose unit it is."), "datasheet": sheets, "models": models,
                               **self.outfit(), **self.properties("unit")},
                "patternProperties": self.figures()}

    def kind(self) -> Schema:
        count: Schema = {"type": ["integer", "string"], "pattern": r"^\d{1,4}(-\d{1,4})?$"}
        return {"anyOf": [count, {"type": "object", "additionalProperties": False,
                                  "properties": {"count": count, **self.outfit()},
                                  "patternProperties": self.figures()}]}

    def outfit(self) -> dict[str, Schema]:
        """Weapons, keywords and abilities, of a unit or of a kind of model."""
        return {
            "weapons": {"anyOf": [_mapping(self.ref("weapon record", self.weapon)), *_names()]},
            "keywords": _some(self.value("keyword")),
            "abilities": _some(self.value("ability")),
        }

    def weapon(self) -> Schema:
        return {"type": "object", "additionalProperties": False, "patternProperties": self.figures(),
                "properties": {"abilities": _some(self.value("weapon_ability")), **self.properties("weapon")}}

    def figures(self) -> dict[str, Schema]:
        """The characteristics, by their names in any letter case."""
        figure = self.ref("figure", lambda: {"type": ["integer", "string"], "pattern": FIGURE})
        names = [decl.sentences[0] for decl in self.vocabulary.terms.values()
                 if decl.type == "characteristic" and decl.sentences]
        return {f"^{caseless(name)}$": figure for name in names}

    def datasheet(self) -> Schema:
        texts = {key: _text("") for key in ("datasheet", "ref", "source", "summary", "points")}
        figures = {"patternProperties": self.figures()}
        return {"type": "object", "required": ["datasheet"], "additionalProperties": False, **figures,
                "properties": {**texts, **self.outfit(), "models": _mapping(self.ref("kind of model", self.kind)),
                               **self.properties("unit")}}

    def pack(self) -> Schema:
        readings = {decl.name: {"enum": [option.name for option in decl.options]}
                    for decl in self.vocabulary.readings.values()}
        return {"type": "object", "required": ["version", "extends"], "additionalProperties": False, "properties": {
            "name": _text("The name that rulings print; the folder's where it has none."),
            "version": _text("A date, such as 2026-12-05."),
            "title": _text("What it is, in a line."),
            "extends": _some({"anyOf": [{"enum": list(available())}, {"type": "string"}]}),
            "sources": _some(_text("")),
            "replaces": _described(_some(_text("")), "References of rules that it states anew; after a colon the "
                                                     "form of a head, where only rules with such a head are meant."),
            "readings": {"type": "object", "properties": readings, "additionalProperties": True},
            "shared": _described({"enum": [True, "true"]}, "Only for other packs to build on; rulings do not name it."),
        }}


# Small schemas ------------------------------------------------------------------------------------


def _some(item: Schema) -> Schema:
    """One value or a list of them; an empty value is an empty list."""
    return {"anyOf": [item, {"type": "array", "items": item}, {"type": "null"}]}


def _or_empty(item: Schema) -> Schema:
    return {"anyOf": [item, {"type": "null"}]}


def _one_or_list(item: Schema) -> Schema:
    return {"anyOf": [item, {"type": "array", "items": item}]}


def _mapping(item: Schema) -> Schema:
    return {"type": "object", "additionalProperties": item}


def _names() -> Iterable[Schema]:
    scalar: Schema = {"type": ["string", "number", "null"]}
    return [{"type": "array", "items": scalar}, scalar]


def _sentence(more: Schema) -> Schema:
    """A sentence; one with a colon in it is read by YAML as a mapping of one pair."""
    pair = {"type": "object", "minProperties": 1, "maxProperties": 1,
            "additionalProperties": {"type": ["string", "number", "null"]}}
    return {"anyOf": [{"type": "string", **more}, pair]}


def _text(doc: str) -> Schema:
    return {"type": ["string", "number"], **_doc(doc)}


def _day(doc: str) -> Schema:
    return {"type": "string", "pattern": DAY, **_doc(doc)}


def _doc(doc: str) -> Schema:
    return {"description": doc} if doc else {}


def _described(item: Schema, doc: str) -> Schema:
    return {**item, **_doc(doc)}
