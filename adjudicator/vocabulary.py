"""What a person can say to the judge: types, predicates, terms and rules, as the packs declare them."""

import re
from functools import lru_cache

import msgspec


class TypeDecl(msgspec.Struct, omit_defaults=True):
    """A type of argument.

    `names` is the key under which a situation lists names of this type; `of` are the types whose
    values it takes, the first that fits deciding; `free` lets any text of a file be a value, written
    `upper`, `lower` or `same`.
    """

    name: str
    noun: str = ""
    names: str = ""
    doc: str = ""
    of: list[str] = []
    free: str = ""


class RuleDecl(msgspec.Struct, omit_defaults=True):
    """A rule of the game as the packs number it; dates are ISO days, empty where it has none."""

    ref: str
    title: str
    summary: str = ""
    status: str = "encoded"
    reason: str = ""
    since: str = ""
    until: str = ""
    pack: str = ""
    file: str = ""
    line: int = 0
    older: "list[RuleDecl]" = []
    states: list[str] = []

    def on(self, day: str) -> "RuleDecl":
        """The version in force on a day, the newest where none was or no day is given."""
        versions = (self, *self.older)
        return next((one for one in versions if day and (not one.since or one.since <= day)
                     and (not one.until or day < one.until)), self)


class OptionDecl(msgspec.Struct):
    """One way to read a contested text; `basis` is official, event, community or ours."""

    name: str
    text: str
    basis: str
    default: bool = False


class ReadingDecl(msgspec.Struct):
    """A text that can honestly be read in more than one way: the question and its options."""

    name: str
    title: str
    doc: str = ""
    options: list[OptionDecl] = []

    def default(self) -> str:
        return next((o.name for o in self.options if o.default), self.options[0].name)


class Decl(msgspec.Struct, omit_defaults=True):
    """A predicate or a term that is declared: its arguments, role and sentences."""

    name: str
    args: list[str]
    role: str
    sentences: list[str] = []
    negatives: list[str] = []
    asks: list[str] = []
    type: str = ""
    kind: str = ""
    default: bool = False
    stated: str = ""
    joins: bool = False
    quiet: bool = False
    opaque: bool = False
    by: list[str] = []
    needs_ref: bool = True
    keys: list[list[str]] = []
    verb: str = ""
    fields: list[list[str]] = []
    doc: str = ""
    pack: str = ""
    file: str = ""
    line: int = 0

    @property
    def types(self) -> list[str]:
        """The type of each argument: its name without primes and digits, in lower case."""
        return [type_of(arg) for arg in self.args]

    @property
    def arity(self) -> int:
        return len(self.args)

    @property
    def signature(self) -> str:
        return f"{self.name}/{len(self.args)}"


class Vocabulary(msgspec.Struct, dict=True):
    """All declarations of a set of packs."""

    types: dict[str, TypeDecl] = {}
    predicates: dict[str, Decl] = {}
    terms: dict[str, Decl] = {}
    fragments: dict[str, str] = {}
    rules: dict[str, RuleDecl] = {}
    readings: dict[str, ReadingDecl] = {}

    def predicate(self, name: str, arity: int) -> Decl | None:
        return self.predicates.get(f"{name.lstrip('-')}/{arity}")

    def term(self, name: str, arity: int) -> Decl | None:
        return self.terms.get(f"{name}/{arity}")

    def keys(self, kind: str) -> dict[str, Decl]:
        """The predicates that the keys of a kind of record become, by key.

        A key of `card` is one of every kind of card.
        """
        kinds = {kind, "*", *(("card",) if kind in self.card_kinds() else ())}
        return {key[1]: decl for decl in self._keyed for key in decl.keys if key[0] in kinds}

    @property
    def _keyed(self) -> list[Decl]:
        """The predicates with keys; they are sought again where predicates were added."""
        known: tuple[int, list[Decl]] = self.__dict__.get("keyed", (0, []))
        if known[0] != len(self.predicates):
            known = len(self.predicates), [decl for decl in self.predicates.values() if decl.keys]
            self.__dict__["keyed"] = known
        return known[1]

    def card_kinds(self) -> list[str]:
        """The kinds of card: the types whose values the type `card` takes."""
        return self.types["card"].of if "card" in self.types else []

    def card_records(self) -> set[str]:
        """The kinds of record of which rule cards consist: the kinds of card, effects, and what their keys hold."""
        inside: dict[str, set[str]] = {}
        for decl in self._keyed:
            for kind, _ in decl.keys:
                inside.setdefault(kind, set()).add(decl.types[-1])
        found = {"card", "effect", *self.card_kinds()}
        todo = list(found)
        while todo:
            more = {kind for kind in inside.get(todo.pop(), ()) if kind in inside} - found
            found |= more
            todo.extend(more)
        return found

    def settling(self, kind: str) -> dict[str, str]:
        """What tells cards of one name apart: predicates of keys of this kind of card that a side or the
        situation has too, each with the predicate that their key becomes.
        """
        stated = self.keys("side") | self.keys("situation")
        return {decl.name: stated[key].name for key, decl in self.keys(kind).items() if key in stated}

    def verbs(self) -> dict[str, Decl]:
        """The predicates that effect verbs become, by verb."""
        return {decl.verb: decl for decl in self.predicates.values() if decl.verb}


@lru_cache(maxsize=4096)
def type_of(arg: str) -> str:
    """`Unit'` -> `unit`; `WeaponAbility2` -> `weapon_ability`."""
    bare = arg.rstrip("'0123456789")
    return re.sub(r"(?<!^)(?=[A-Z])", "_", bare).lower()
