"""The units of a situation: datasheets, figures in place, models and weapons, as facts.

The shape is the same in every wargame: a unit belongs to a side, has models of one or more kinds, each
with printed characteristics; weapons with theirs; keywords and abilities, of the unit or of a kind.
What the characteristics are called is the vocabulary's matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .errors import SituationError, did_you_mean
from .grammar import Names
from .records import Records
from .terms import Term
from .yamltext import Document, Node, is_mapping, is_scalar

ALL: Term = ("all",)
UNIT_KEYS = frozenset({"side", "datasheet", "models", "weapons", "keywords", "abilities"})
KIND_KEYS = frozenset({"count", "weapons", "keywords", "abilities"})
SHEET_KEYS = frozenset({"datasheet", "ref", "source", "summary", "points"})
MAX_MODELS = 200

Find = Callable[[str], Document]


class Roster:
    """Reads the `units` of one document; `find` gives the document of a datasheet by reference."""

    def __init__(self, records: Records, names: Names, find: Find) -> None:
        self.records = records
        self.names = names
        self.find = find
        self.known = {
            decl.sentences[0].casefold(): decl.name
            for decl in records.vocabulary.terms.values() if decl.type == "characteristic"
        }
        self._first = 0
        self.counts: dict[tuple[str, str], int] = {}
        self.kinds: dict[str, dict[str, tuple[int, int]]] = {}

    def unit(self, name: str, node: Node, sides: list[str]) -> None:
        """All facts of one unit. Raises `SituationError` for a key, a side or a figure that is wrong."""
        document = self.records.document
        records = self.records
        self._first = len(records.facts)  # all facts of this unit stand from here on
        records.emit("component", (name,), node)
        own = self._split(document, node, UNIT_KEYS, "unit")
        if "side" not in own:
            raise SituationError(f"{name} has no side", document.span(node),
                                 f"add side: {sides[0] if sides else 'red'}")
        side = document.scalar(own["side"], "a side")
        if side not in sides:
            raise SituationError(f"there is no side {side!r}", document.span(own["side"]),
                                 did_you_mean(side, sides, f"the situation has {', '.join(sides) or 'no sides'}"))
        records.emit("side_of", (name, side), own["side"])
        self.kinds[name] = {}
        if "datasheet" in own:
            self._sheet(name, own["datasheet"])
        for key in ("weapons", "keywords", "abilities"):
            if key in own:
                self._shared(records, name, ALL, key, own[key])
        base = own.get("__figures__")
        if base is not None:
            for key, value in base.value:
                self._figure(records, name, ALL, key, value)
        self._models(records, name, own.get("models"), node)
        records.walk("unit", name, node, UNIT_KEYS | {k.value for k, _ in (base.value if base is not None else ())})
        self._finish(name, node)

    def _split(self, document: Document, node: Node, keys: frozenset[str], what: str) -> dict[str, Node]:
        """The values under `keys`; characteristics together under `__figures__`."""
        import yaml

        found: dict[str, Node] = {}
        figures = []
        for key, value in document.items(node, f"a {what}"):
            if key.value in keys:
                found[key.value] = value
            elif str(key.value).casefold() in self.known:
                figures.append((key, value))
        if figures:
            found["__figures__"] = yaml.MappingNode(node.tag, figures, node.start_mark, node.end_mark)
        return found

    def _sheet(self, name: str, node: Node) -> None:
        document = self.records.document
        ref = document.scalar(node, "a datasheet")
        try:
            sheet = self.find(ref)
        except SituationError:
            raise
        except Exception as error:
            hint = getattr(error, "hint", "")
            raise SituationError(getattr(error, "message", str(error)), document.span(node), hint) from None
        inner = Records(self.records.grammar, self.names, sheet, self.records.ignored)
        self.records.emit("datasheet_of", (name, ref), node)
        root = sheet.root
        if root is None:
            raise SituationError(f"the datasheet {ref} is empty", document.span(node))
        parts = self._split(sheet, root, SHEET_KEYS | UNIT_KEYS, "datasheet")
        for key in ("weapons", "keywords", "abilities"):
            if key in parts:
                self._shared(inner, name, ALL, key, parts[key])
        if "models" in parts:
            for kind, value in sheet.items(parts["models"], "models"):
                self._kind(inner, name, str(kind.value), value)
        inner.walk("unit", name, root, SHEET_KEYS | UNIT_KEYS)
        self.records.facts.extend((atom, node) for atom, _ in inner.facts)

    def _shared(self, records: Records, name: str, kind: Term, key: str, node: Node) -> None:
        document = records.document
        if key == "weapons":
            if is_mapping(node):
                for weapon, value in document.items(node, "weapons"):
                    self._weapon(records, name, str(weapon.value), value)
            else:
                for item in document.list(node, "weapons"):
                    self._carry(records, name, kind, item)
        elif key == "keywords":
            for item in document.list(node, "keywords"):
                records.emit("keyword", (name, kind, records.term(item, "keyword")), item)
        else:
            for item in document.list(node, "abilities"):
                records.emit("ability", (name, kind, records.term(item, "ability")), item)

    def _carry(self, records: Records, name: str, kind: Term, item: Node) -> None:
        weapon = records.document.scalar(item, "a weapon").lower()
        records.emit("carries", (name, kind, weapon), item)

    def _weapon(self, records: Records, name: str, weapon: str, node: Node) -> None:
        document, bare = records.document, weapon.lower()
        records.emit("weapon", (name, bare), node)
        self._name_weapon(weapon)
        for key, value in document.items(node, "a weapon"):
            if key.value == "abilities":
                for item in document.list(value, "abilities"):
                    records.emit("weapon_ability", (name, bare, records.term(item, "weapon_ability")), item)
            elif str(key.value).casefold() in self.known:
                figure = records.term(value, "value")
                records.emit("weapon_printed", (name, bare, (self.known[str(key.value).casefold()],), figure), value)
            elif key.value in records.keys("weapon"):
                records.value(records.keys("weapon")[key.value], (("weapon", name, bare)), value)
            elif records.ignored is not None:
                records.ignored.append(str(key.value))
            else:
                raise document.unknown(key, ["abilities", *self._characteristics()], f"the weapon {weapon}")

    def _name_weapon(self, weapon: str) -> None:
        bare = weapon.lower()
        self.names.add("weapon", bare, bare)
        self.names.add("weapon", f"{bare}s", bare, also=True)

    def _characteristics(self) -> list[str]:
        return [d.sentences[0] for d in self.records.vocabulary.terms.values() if d.type == "characteristic"]

    def _models(self, records: Records, name: str, node: Node | None, unit: Node) -> None:
        document = records.document
        kinds = self.kinds[name]
        if node is None or is_scalar(node):
            text = document.scalar(node, "models") if node is not None else ""
            if text and not re.fullmatch(r"\d{1,4}", text):
                raise SituationError(f"{text!r} is no number of models", document.span(node or unit),
                                     "write models: 10, or models: {trooper: 9, leader: 1}")
            if not kinds:
                kinds["model"] = (1, MAX_MODELS)
            self._share(name, int(text) if text else None, node or unit)
            return
        named: dict[str, Node] = {}
        for key, value in document.items(node, "models"):
            kind = str(key.value).lower()
            if kind in named:
                raise SituationError(f"the models {key.value} stand twice", document.span(key),
                                     "capitals make no other kind of model")
            named[kind] = value
        for kind, value in named.items():
            self._kind(records, name, kind, value, override=True)
        for kind in kinds:
            if kind not in named:
                kinds[kind] = (0, 0)
        for kind in named:
            low, _ = kinds[kind]
            kinds[kind] = (low, low)

    def _kind(self, records: Records, name: str, kind: str, node: Node, override: bool = False) -> None:
        document, term = records.document, kind.lower()
        if is_scalar(node):
            records_count = self._count(document, node)
            self.kinds[name][term] = records_count
            return
        parts = self._split(document, node, KIND_KEYS, "kind of model")
        for key, _ in document.items(node, "a kind of model"):
            if key.value not in KIND_KEYS and str(key.value).casefold() not in self.known:
                if records.ignored is not None:
                    records.ignored.append(str(key.value))
                    continue
                raise document.unknown(key, [*KIND_KEYS, *self._characteristics()], f"the model {kind}")
        low_high = self._count(document, parts["count"]) if "count" in parts else (1, 1)
        self.kinds[name][term] = low_high
        for key, value in parts["__figures__"].value if "__figures__" in parts else ():
            self._figure(records, name, term, key, value)
        for shared in ("weapons", "keywords", "abilities"):
            if shared in parts:
                self._shared(records, name, term, shared, parts[shared])

    def _figure(self, records: Records, name: str, kind: Term, key: Node, value: Node) -> None:
        characteristic = (self.known[str(key.value).casefold()],)
        figure = records.term(value, "value")
        facts = records.facts if records is self.records else self.records.facts
        for i in range(self._first, len(facts)):
            (pred, args), _ = facts[i]
            if pred == "printed" and args[0] == name and args[2] == characteristic and kind in (args[1], ALL):
                facts[i] = (("printed", (name, args[1], characteristic, figure)), value)
                if args[1] == kind:
                    return
        records.emit("printed", (name, kind, characteristic, figure), value)

    def _count(self, document: Document, node: Node) -> tuple[int, int]:
        text = document.scalar(node, "a number of models")
        found = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?", text)
        if not found:
            raise SituationError(f"{text!r} is no number of models", document.span(node), "write 9 or 9-19")
        low = int(found.group(1))
        return low, int(found.group(2) or low)

    def _share(self, name: str, total: int | None, node: Node) -> None:
        """Share a total over the kinds: fixed kinds first, the rest to the kinds with a range."""
        kinds = self.kinds[name]
        if total is None:
            for kind, (low, _) in kinds.items():
                kinds[kind] = (low, low)
            return
        left = total - sum(low for low, _ in kinds.values())
        for kind, (low, high) in sorted(kinds.items(), key=lambda item: item[1][0] - item[1][1]):
            more = max(0, min(left, high - low))
            kinds[kind] = (low + more, low + more)
            left -= more
        if left:
            least = sum(low for low, _ in kinds.values()) if left > 0 else total - left
            raise SituationError(f"{name} cannot have {total} models", self.records.document.span(node),
                                 f"its datasheet has at {'most' if left > 0 else 'least'} {least}")

    def _finish(self, name: str, node: Node) -> None:
        """Facts and names of the models that were counted."""
        kinds = {kind: count for kind, (count, _) in self.kinds[name].items() if count}
        total = sum(kinds.values())
        if not 0 < total <= MAX_MODELS:
            raise SituationError(f"{name} has {total} models", self.records.document.span(node),
                                 f"a unit has 1 to {MAX_MODELS}")
        self.names.add("unit", name, name)
        self.names.add("component", name, name)
        for kind, count in kinds.items():
            self.records.emit("models", (name, kind, count), node)
            self.counts[name, kind] = count
            self.names.add("kind", f"{kind}s of {name}", ("kind", name, kind))
            self.names.add("kind", f"{kind} of {name}", ("kind", name, kind), also=True)
            for index in range(1, count + 1):
                model: Term = ("m", name, kind, index)
                if total == 1:
                    self.names.add("model", name, model)
                if count == 1:
                    self.names.add("model", f"{kind} of {name}", model, also=total == 1)
                self.names.add("model", f"{kind} {index} of {name}", model, also=count == 1)
