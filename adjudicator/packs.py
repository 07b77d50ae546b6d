"""Rule packs: folders of rule files and rule cards, layered by `pack.yaml`.

A pack extends others; a later pack may replace a rule by reference. Everything a ruling needs of a set
of packs is one `Loaded` value, compiled once and kept in the user's cache folder by content.
"""

import os
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

import msgspec

from .cards import Card, read_cards
from .contraries import armed_by, contrary_of
from .errors import RuleError, SituationError, UsageError, did_you_mean
from .grammar import Grammar, Names, fold
from .program import CTerm, Rule
from .replacing import Replaced
from .shapes import Pattern, opposite, shape_of
from .terms import Atom
from .vocabulary import Vocabulary
from .yamltext import Document, read

if TYPE_CHECKING:
    from pathlib import Path

    from .cache import RuleFile
    from .compile import Unit

HERE = os.path.dirname(os.path.realpath(__file__))
_DECODER = msgspec.msgpack.Decoder(Rule)
ASIDE = ("facts", "cases")
PACK_KEYS = ["name", "version", "title", "extends", "sources", "replaces", "readings", "shared"]


class Pack(msgspec.Struct):
    """What `pack.yaml` says: a name, a version (a date), what it extends, its sources by authority.

    A `shared` pack is only there for others to build on, and rulings do not name it.
    """

    name: str
    version: str
    extends: list[str] = []
    sources: list[str] = []
    title: str = ""
    folder: str = ""
    replaces: list[str] = []
    readings: dict[str, str] = {}
    shared: bool = False


class Loaded(msgspec.Struct, dict=True):
    """A set of packs ready for rulings; `packs` in the order in which they were laid.

    `packed` is the rules as MessagePack, one after the other, and `ends` where each of them ends: a ruling unpacks
    only those that it needs.
    """

    packs: list[Pack]
    vocabulary: Vocabulary
    ends: list[int]
    consts: dict[str, CTerm]
    cards: list[Card]
    datasheets: list[str]
    contrary: dict[str, list[str]] = {}
    armed: list[tuple[str, list[str]]] = []
    key: str = ""

    @cached_property
    def packed(self) -> "bytes | RuleFile":
        """The rules as MessagePack, one after the other."""
        from .cache import RuleFile

        return RuleFile(self.key)

    @cached_property
    def rules(self) -> list[Rule]:
        """All rules, in the order of their files."""
        return [self.rule(place) for place in range(len(self.ends))]

    @cached_property
    def _unpacked(self) -> dict[int, Rule]:
        return {}

    def rule(self, place: int) -> Rule:
        """The rule at a place, the same object every time."""
        if place not in self._unpacked:
            start = self.ends[place - 1] if place else 0
            try:
                self._unpacked[place] = _DECODER.decode(self.packed[start:self.ends[place]])
            except (OSError, msgspec.MsgspecError):  # what was kept is damaged or gone
                self.__dict__["packed"] = load([pack.folder for pack in self.packs]).packed
                self._unpacked[place] = _DECODER.decode(self.packed[start:self.ends[place]])
        return self._unpacked[place]

    def contradictions(self, given: set[str]) -> list[Pattern]:
        """The patterns of the contradictions that can arise where facts of these predicates are given."""
        found = dict.fromkeys(functor for functor, needs in self.armed if not needs or not given.isdisjoint(needs))
        return [("contradiction", ((functor, (None,) * int(arity)),)) for functor, _, arity in
                (key.partition("/") for key in found)]

    def contraries(self, atom: Atom) -> list[Pattern]:
        """The pattern of what would contradict a stated fact, where a rule can derive it."""
        name, args = opposite(atom[0]), atom[1]
        functors = self.contrary.get(f"{name}/{len(args)}", [])
        if not args or "" in functors:
            return [(name, (None,) * len(args))] if functors else []
        first = shape_of(args[0], 1)
        known = isinstance(first, tuple) and first[0] in functors
        return [(name, (first, *(None,) * (len(args) - 1)))] if known else []

    @property
    def main(self) -> Pack:
        return self.packs[-1]

    @cached_property
    def names(self) -> Names:
        """The names that the packs give: of cards and of keywords."""
        names = Names()
        for card in self.cards:
            names.add(card.kind, card.name, card.ref)
            names.add("card", card.name, card.ref)
        for decl in self.vocabulary.terms.values():
            if decl.type == "keyword" and decl.sentences:
                names.add("keyword", decl.sentences[0], decl.sentences[0].upper())
        return names

    @cached_property
    def sharing(self) -> list[tuple[str, list[Card]]]:
        """The cards of a kind (or of any, as `card`) that share a name."""
        found: dict[tuple[str, str], list[Card]] = {}
        for card in self.cards:
            name = fold(card.name)
            found.setdefault((card.kind, name), []).append(card)
            found.setdefault(("card", name), []).append(card)
        return [(kind, cards) for (kind, _), cards in found.items() if len(cards) > 1]

    def card_facts(self, day: str) -> list[Atom]:
        """The facts of the cards in force on a day (the newest, where it is empty)."""
        return [fact for card in self.cards if in_force(card.since, card.until, day) for fact in card.atoms()]

    def stamp(self) -> str:
        """The packs that a ruling names, with their versions: all but the kernel and what is only shared."""
        shown = [p for p in self.packs if p.extends and not p.shared] or self.packs
        return ", ".join(f"{p.name} {p.version}".strip() for p in shown)


def in_force(since: str, until: str, day: str) -> bool:
    """Whether something with these dates holds on a day; the newest version where no day is given."""
    if not day:
        return not until
    return (not since or since <= day) and (not until or day < until)


def _beside(name: str) -> str:
    """A folder of this installation: in the package, or in the source tree."""
    inside = os.path.join(HERE, name)
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(HERE), name)


def rules_folder() -> "Path":
    """Where the packs of this installation are: beside the package, or in the source tree."""
    from pathlib import Path

    return Path(_beside("rules"))


def facts_folder() -> "Path":
    """Where the datasheets and disputes of this installation are."""
    from pathlib import Path

    return Path(_beside("facts"))


def available() -> "dict[str, Path]":
    """The packs that come with the judge, by name."""
    return {p.parent.name: p.parent for p in sorted(rules_folder().glob("*/pack.yaml"))}


def games() -> list[str]:
    """The packs that come with the judge and that no other of them builds on."""
    packs = {name: read_pack(folder) for name, folder in available().items()}
    below = {other for pack in packs.values() for other in pack.extends}
    return [name for name in packs if name not in below]


def find(name: str) -> "Path":
    """The folder of a pack: a name of `available()`, or a path with a `pack.yaml` in it.

    Raises `UsageError` with the nearest name.
    """
    from pathlib import Path

    known = available()
    if name in known:
        return known[name]
    path = Path(name)
    if ("/" in name or path.is_dir()) and (path / "pack.yaml").is_file():
        return path
    if ("/" in name or path.is_dir()):
        raise UsageError(f"there is no pack in {name}", hint="a pack is a folder with a pack.yaml in it")
    raise UsageError(f"there is no pack {name!r}", hint=did_you_mean(name, list(known), f"known: {', '.join(known)}"))


def read_pack(folder: "Path") -> Pack:
    """What a `pack.yaml` says. Raises `SituationError` with the place of what is wrong."""
    document = Document(read(folder / "pack.yaml"), str(folder / "pack.yaml"))
    if document.root is None:
        raise SituationError("this pack.yaml is empty", document.at(1, 1))
    pack = Pack(folder.name, "", folder=str(folder))
    for key, value in document.items(document.root, "a pack"):
        if key.value in ("name", "version", "title"):
            setattr(pack, key.value, document.scalar(value, key.value))
        elif key.value in ("extends", "sources", "replaces"):
            setattr(pack, key.value, [document.scalar(v, key.value) for v in document.list(value, key.value)])
        elif key.value == "shared":
            pack.shared = document.scalar(value, "shared") == "true"
        elif key.value == "readings":
            pack.readings = {str(k.value): document.scalar(v, "a reading")
                             for k, v in document.items(value, "readings")}
        else:
            raise document.unknown(key, PACK_KEYS, "a pack")
    return pack


def layers(names: list[str]) -> list[Pack]:
    """The packs that the named ones need, each after what it extends. Raises `UsageError` on a circle."""
    from pathlib import Path

    order: list[Pack] = []

    def visit(name: str, path: tuple[str, ...], base: "Path | None") -> None:
        folder = Path(os.path.normpath(base / name)) if base and name.startswith(".") else find(name)
        pack = read_pack(folder)
        if any(p.folder == pack.folder for p in order):
            return
        if pack.folder in path:
            raise UsageError(f"the pack {pack.name} extends itself")
        for other in pack.extends:
            visit(other, (*path, pack.folder), folder)
        if any(p.name == pack.name for p in order):
            raise UsageError(f"two packs are called {pack.name}", hint=f"one is in {pack.folder}; give it another name")
        order.append(pack)

    for name in names:
        visit(name, (), None)
    return order


def files_of(pack: Pack) -> "list[Path]":
    """The rule files and card files of a pack, in the order of their paths.

    A pack of one's own may have its datasheets in `facts/` and its cases in `cases/`.
    """
    from pathlib import Path

    found: list[str] = []
    for here, folders, names in os.walk(pack.folder):
        if here == pack.folder:
            folders[:] = [name for name in folders if name not in ASIDE]
        found.extend(os.path.join(here, name) for name in names
                     if name.endswith((".lp", ".yaml")) and name != "pack.yaml")
    return [Path(path) for path in sorted(found, key=lambda path: path.replace(os.sep, "/"))]


def load(names: list[str]) -> Loaded:
    """Compile a set of packs. Raises `RuleError` (or a group of them) for what is wrong in their files."""
    from .compile import check, compile_text

    packs = layers(names)
    vocabulary, units, card_texts = Vocabulary(), [], []
    for pack in packs:
        for path in files_of(pack):
            text = read(path)
            shown = f"{pack.name}/{path.relative_to(pack.folder).as_posix()}"
            if path.suffix == ".lp":
                units.append(compile_text(text, shown, pack.name, vocabulary))
            else:
                card_texts.append((text, shown, pack.name))
    cards = read_cards(card_texts, Grammar(vocabulary), vocabulary)
    for card in cards:
        if card.asp:
            units.append(card_unit(card, vocabulary))
    check(units, vocabulary, {p.name for p in packs if not p.extends})
    rules = [rule for unit in units for rule in unit.rules]
    cite_as_stated(rules, vocabulary)
    replaced = Replaced(packs)
    replaced.check(rules, cards)
    rules = [rule for rule in rules if not replaced.rule(rule)]
    cards = [card for card in cards if not replaced.card(card)]
    consts = {name: value for unit in units for name, value in unit.consts.items()}
    encoded = [msgspec.msgpack.encode(rule) for rule in rules]
    loaded = Loaded(packs, vocabulary, list(accumulate(map(len, encoded))), consts, cards, datasheet_refs(packs),
                    contrary_of(rules, vocabulary), armed_by(rules, vocabulary))
    loaded.__dict__["packed"] = b"".join(encoded)
    return loaded


def cite_as_stated(rules: list[Rule], vocabulary: Vocabulary) -> None:
    """Cite rules of an extended pack by the reference that states them here (`@states`)."""
    called = {name: decl.ref for decl in list(vocabulary.rules.values()) for name in decl.states}
    for rule in rules:
        rule.ref = called.get(rule.ref, rule.ref)
    for name in called:
        vocabulary.rules.pop(name, None)


def card_unit(card: Card, vocabulary: Vocabulary) -> "Unit":
    from .compile import compile_text

    unit = compile_text("\n" * (card.asp_row - 1) + card.asp, card.file, card.pack, vocabulary)
    for rule in unit.rules:
        rule.ref = rule.ref or card.ref
        rule.since, rule.until = card.since, card.until
    return unit


def datasheet_refs(packs: list[Pack]) -> list[str]:
    """The references of all datasheets of these packs."""
    from pathlib import Path

    refs: list[str] = []
    for pack in packs:
        folder = Path(facts_of(pack))
        refs.extend(p.relative_to(folder).with_suffix("").as_posix() for p in folder.rglob("*.yaml"))
    return sorted(refs)


def facts_of(pack: Pack) -> str:
    """The folder of a pack's datasheets."""
    own = os.path.join(pack.folder, "facts")
    return own if os.path.isdir(own) else os.path.join(_beside("facts"), pack.name)


def datasheet(loaded: Loaded, ref: str, elsewhere: bool = False) -> Document:
    """The document of a datasheet. Raises `RuleError` where no pack has it.

    `elsewhere` takes one of another game where these packs have none: so a table is ruled under another edition.
    """
    folders = [facts_of(pack) for pack in reversed(loaded.packs)] if ref in loaded.datasheets else []
    for folder in [*folders, *(map(str, sorted(facts_folder().glob("*"))) if elsewhere else ())]:
        path = os.path.join(folder, *ref.split("/")) + ".yaml"
        if os.path.isfile(path):
            return _document(path, os.stat(path).st_mtime_ns)
    raise RuleError(f"there is no datasheet {ref!r}",
                    hint=did_you_mean(ref, loaded.datasheets, f"known: {', '.join(loaded.datasheets[:8])}"))


@lru_cache(maxsize=64)
def _document(path: str, _changed: int) -> Document:
    """A datasheet's document, read again when the file has changed."""
    return Document(read(path), path)
