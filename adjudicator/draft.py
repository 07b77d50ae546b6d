"""A draft: what a situation says, as a value that can be edited, read as a situation and saved.

A `Situation` is read once and never changes. A `Draft` is the text behind it: units, moment and facts as
a person wrote them. Each edit makes another draft, so that an undo is only the draft before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import yaml

from .errors import SituationError
from .packs import available, facts_folder
from .records import single_pair
from .situation import Situation, Statement, document_from, open_file
from .terms import Atom
from .yamltext import Document, Node, is_mapping, is_sequence

if TYPE_CHECKING:
    from .compare import Comparison
    from .judge import Judge

Value = Any
"""A text, a list of values or a mapping of texts to values; every scalar is the text that was written."""
ASIDE = ("facts", "ask", "expect", "name", "title")
WIDTH = 110


class _Dumper(yaml.SafeDumper):
    """Writes every scalar as it was written: here `3+`, `yes` and `10` are texts and need no quotes."""

    yaml_implicit_resolvers: dict[str, Any] = {}

    def ignore_aliases(self, data: Any) -> bool:
        return True


@dataclass(frozen=True)
class Chosen:
    """An open choice that was made: the atom for the judge, and how it is said."""

    atom: Atom
    said: str


@dataclass(frozen=True)
class Draft:
    """The text of a situation: `head` holds its keys but the facts, in their order; never changed in place."""

    head: Mapping[str, Value]
    facts: tuple[str, ...] = ()
    chosen: tuple[Chosen, ...] = ()
    asks: tuple[str, ...] = field(default=(), compare=False)

    # Reading ----------------------------------------------------------------------------------

    @staticmethod
    def of(situation: Situation) -> Draft:
        """The draft of a situation that was read from a text, with the facts that were added since."""
        if situation.source is None:
            raise SituationError("this situation has no text of its own", hint="read it from a file or a text")
        draft = _read(*situation.source)
        draft = draft if draft.packs else draft.having("pack", situation.loaded.main.name)
        return replace(draft, facts=_once(tuple(s.sentence for s in situation.statements if s.sentence)))

    @staticmethod
    def from_text(text: str, file: str = "situation") -> Draft:
        """The draft of a YAML text with one situation. Raises `SituationError` where it is none."""
        return _read(document_from(text, file))

    @staticmethod
    def all_from_file(path: str) -> list[tuple[str, Draft]]:
        """The drafts of a file with one situation or a list of them, each with its name."""
        document = open_file(path)
        root = document.root
        nodes = document.list(root, "situations") if root is not None and is_sequence(root) else [root]
        return [(_name(document, node), _read(document, node)) for node in nodes]

    def situation(self, judge: Judge, file: str = "situation") -> Situation:
        """The situation that the draft describes. Raises `SituationError` for what is wrong in it."""
        return self.stated_in(self.base(judge, file))

    def base(self, judge: Judge, file: str = "situation") -> Situation:
        """The situation without its facts: units, sides, the moment."""
        return judge.situation(document_from(self.head_text(), file))

    def stated_in(self, base: Situation) -> Situation:
        """The situation whose units and moment have been read before."""
        situation = base.with_facts(list(self.facts))
        situation.statements.extend(Statement(c.atom) for c in self.chosen)
        return situation

    @property
    def packs(self) -> list[str]:
        return _texts(self.head.get("pack", []))

    @property
    def sides(self) -> list[str]:
        return _texts(self.head.get("sides", []))

    @property
    def units(self) -> dict[str, Value]:
        return dict(self.head.get("units") or {})

    @property
    def now(self) -> dict[str, str]:
        return dict(self.head.get("now") or {})

    def compared(self, judges: list[tuple[str, Judge]], question: str) -> Comparison:
        """The rulings of several judges on one question, each judge with its label."""
        from .compare import compare

        document = document_from(self.text(), "situation")
        assert document.root is not None
        return compare(document, document.root, judges, question)[0]

    # Editing ----------------------------------------------------------------------------------

    def having(self, key: str, value: Value) -> Draft:
        """The draft with a key of its head set, or without it where the value is empty."""
        head = {k: v for k, v in self.head.items() if k != key or value}
        if value:
            head[key] = value
        return replace(self, head=head)

    def merged(self, other: Draft) -> Draft:
        """The draft with everything that another one says besides: its units and facts added, its moment taken."""
        head = dict(self.head)
        for key, value in other.head.items():
            old = head.get(key)
            if isinstance(value, Mapping) and isinstance(old, Mapping):
                head[key] = {**old, **value}
            elif key == "sides" or (isinstance(value, list) and isinstance(old, list)):
                head[key] = _joined(old, value)
            else:
                head[key] = value
        return replace(self, head=head, facts=_once((*self.facts, *other.facts)),
                       chosen=_once((*self.chosen, *other.chosen)))

    def with_unit(self, name: str, value: Mapping[str, Value]) -> Draft:
        """The draft with a unit (in place of the one of that name); its side is added where it is new."""
        side = str(value.get("side", ""))
        draft = self.having("units", {**self.units, name: dict(value)})
        return draft if not side or side in self.sides else draft.having("sides", _joined(self.head.get("sides"),
                                                                                           [side]))

    def without_unit(self, name: str) -> Draft:
        return self.having("units", {k: v for k, v in self.units.items() if k != name})

    def with_facts(self, *sentences: str) -> Draft:
        return replace(self, facts=_once((*self.facts, *sentences)))

    def without_facts(self, *sentences: str) -> Draft:
        return replace(self, facts=tuple(s for s in self.facts if s not in sentences))

    # Writing ----------------------------------------------------------------------------------

    def head_text(self) -> str:
        """Everything but the facts, as YAML."""
        return "".join(_dump(key, value) for key, value in self.head.items())

    def text(self, name: str = "", ask: str = "", expect: Mapping[str, Value] | None = None) -> str:
        """The whole as YAML that can be read again; as a case where a question and its ruling are given."""
        parts = [_dump("name", name) if name else "", self.head_text()]
        if self.facts:
            parts.append(_dump("facts", list(self.facts), flow=False))
        parts.extend(f"# chosen, which a file cannot say: {c.said}\n" for c in self.chosen)
        if ask:
            parts.append(_dump("ask", ask))
        elif self.asks:
            parts.append(_dump("ask", list(self.asks), flow=False))
        if expect is not None:
            parts.append(_dump("expect", expect))
        return "".join(parts)


def usual_pack() -> str:
    """The pack for a situation that names none yet: of those with datasheets of their own, the last by name."""
    known = available()
    return ([name for name in known if (facts_folder() / name).is_dir()] or list(known))[-1]


def _read(document: Document, node: Node | None = None) -> Draft:
    """The draft of a document, or of one situation in it. Raises `SituationError` where it is no mapping."""
    root = node if node is not None else document.root
    if root is None or not is_mapping(root):
        raise SituationError("a situation is a mapping with pack, sides, units and facts",
                             document.span(root) if root is not None else None)
    found = {str(key.value): value for key, value in root.value}
    facts = [_sentence(document, n) for n in document.list(found["facts"], "facts")] if "facts" in found else []
    asks = [_sentence(document, n) for n in document.list(found["ask"], "ask")] if "ask" in found else []
    head = {key: _value(value) for key, value in found.items() if key not in ASIDE}
    return Draft(head, tuple(facts), asks=tuple(asks))


def _name(document: Document, node: Node | None) -> str:
    found = [document.get(node, key) for key in ("name", "title")] if node is not None else []
    return next((document.scalar(n, "a name") for n in found if n is not None), "")


def _sentence(document: Document, node: Node) -> str:
    if single_pair(node):
        key, value = node.value[0]
        return f"{key.value}: {value.value}"
    return document.scalar(node, "a sentence").strip()


def _value(node: Node) -> Value:
    if is_mapping(node):
        return {str(key.value): _value(value) for key, value in node.value}
    if is_sequence(node):
        return [_value(item) for item in node.value]
    return str(node.value)


def _dump(key: str, value: Value, flow: bool | None = None) -> str:
    style = False if isinstance(value, str) else flow
    text: str = yaml.dump({key: value}, Dumper=_Dumper, default_flow_style=style, sort_keys=False, allow_unicode=True,
                          width=WIDTH)
    return text


def _texts(value: Value) -> list[str]:
    return [value] if isinstance(value, str) and value else [str(item) for item in value]


def _one(items: list[str]) -> Value:
    return items[0] if len(items) == 1 else items


def _joined(old: Value, more: Value) -> Value:
    """Two lists as one; a mapping of names stays one."""
    if isinstance(old, Mapping) or (isinstance(more, Mapping) and not old):
        extra = more if isinstance(more, Mapping) else dict.fromkeys(more, "")
        return {**(old or {}), **{k: v for k, v in extra.items() if k not in (old or {})}}
    if isinstance(more, Mapping):
        return {**dict.fromkeys(_texts(old), ""), **more}
    return list(dict.fromkeys([*_texts(old or []), *_texts(more)]))


def _once(items: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(items))
