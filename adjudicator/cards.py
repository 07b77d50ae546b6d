"""Rule cards: YAML for rules that come by the hundred in one shape.

The first key of a card is its kind and its value the name; `ref`, `source`, `summary`, `status`,
`since`, `until` and `asp` belong to every card; all other keys are those that the vocabulary declares
for the kind, walked by `records`.
"""

import msgspec
import yaml

from .errors import RuleError, SituationError
from .grammar import Grammar, Names
from .records import Records
from .terms import Atom, as_atoms
from .vocabulary import RuleDecl, Vocabulary
from .yamltext import Document, Node, is_sequence

COMMON = frozenset({"ref", "source", "summary", "status", "since", "until", "asp"})


class Card(msgspec.Struct):
    """A rule card: where it stands and what it says about itself."""

    ref: str
    kind: str
    name: str
    summary: str
    pack: str
    file: str
    line: int
    asp: str = ""
    asp_row: int = 0
    status: str = "encoded"
    reason: str = ""
    since: str = ""
    until: str = ""
    facts: list[Atom] = []

    def atoms(self) -> list[Atom]:
        """Its facts, also where they come from the cache."""
        return as_atoms(self.facts)


def read_cards(texts: list[tuple[str, str, str]], grammar: Grammar, vocabulary: Vocabulary) -> list[Card]:
    """The cards of the texts (text, file, pack), each with the facts that it becomes.

    Each card is declared as a rule in `vocabulary`. Raises `RuleError` for a key that no kind declares.
    """
    from .blocks import declare_rule

    cards: list[Card] = []
    names = Names()
    found: list[tuple[Card, Document, Node]] = []
    for text, file, pack in texts:
        document = Document(text, file)
        if document.root is None:
            continue
        for node in document.list(document.root, "cards") if is_sequence(document.root) else [document.root]:
            card = _card(document, node, file, pack, vocabulary.card_kinds())
            declare_rule(
                RuleDecl(card.ref, card.name, card.summary, card.status, card.reason, card.since, card.until,
                         pack, file, card.line),
                vocabulary, document.span(node),
            )
            names.add(card.kind, card.name, card.ref)
            names.add("card", card.name, card.ref)
            found.append((card, document, node))
    for card, document, node in found:
        _facts(card, document, node, grammar, names)
        cards.append(card)
    return cards


def _card(document: Document, node: Node, file: str, pack: str, kinds: list[str]) -> Card:
    if not isinstance(node, yaml.MappingNode) or not node.value:
        raise RuleError("a card is a mapping that opens with its kind and name", document.span(node))
    (key, name), *_ = node.value
    kind = str(key.value).replace(" ", "_")
    if kind not in kinds:
        raise RuleError(f"there is no kind of card {key.value!r}", document.span(key),
                        f"known: {', '.join(sorted(k.replace('_', ' ') for k in kinds))}")
    texts = {}
    for field in COMMON:
        value = document.get(node, field)
        if value is not None:
            texts[field] = document.scalar(value, field)
    for field in ("ref", "summary"):
        if not texts.get(field):
            raise RuleError(f"this card has no {field}", document.span(key))
    ref = texts["ref"]
    status, _, reason = texts.get("status", "encoded").partition(" ")
    asp = document.get(node, "asp")
    if asp is not None and getattr(asp, "style", None) == "|":  # as it stands in the file, so that columns are right
        first = document.lines[asp.start_mark.line + 1] if asp.start_mark.line + 1 < len(document.lines) else ""
        indent = " " * (len(first) - len(first.lstrip(" ")))
        texts["asp"] = "".join(indent + line for line in texts["asp"].splitlines(keepends=True))
    return Card(ref, kind, document.scalar(name, "a name"), texts["summary"].strip(), pack, file,
                node.start_mark.line + 1, texts.get("asp", ""), asp.start_mark.line + 2 if asp else 0,
                status, reason.strip(), texts.get("since", ""), texts.get("until", ""))


def _facts(card: Card, document: Document, node: Node, grammar: Grammar, names: Names) -> None:
    """Fill in what the keys of a card become; its values may name other cards."""
    records = Records(grammar, names, document)
    try:
        records.walk(card.kind, card.ref, node, COMMON | {card.kind.replace("_", " ")})
    except SituationError as error:
        raise RuleError(error.message, error.span, error.hint) from None
    card.facts = [("card", (card.ref, (card.kind,))), ("card_name", (card.ref, card.name)),
                  *(atom for atom, _ in records.facts)]
    if card.status == "not-modelled":
        card.facts.append(("card_unmodelled", (card.ref, card.reason or "the source gives no text")))

