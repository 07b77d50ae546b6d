"""The scalars of each type as JSON Schema: phrases to complete from, and patterns of all that is read.

A pattern is a regular expression as JSON Schema has them, without flags, so letters stand in both cases.
"""

from __future__ import annotations

import re
from typing import Any

from .grammar import VALUE_TYPES
from .packs import Loaded
from .templates import expand, printed
from .vocabulary import Decl, type_of

Schema = dict[str, Any]
FIGURE = r'^\s*([-−–]?\d{1,4}["+]?|\d{0,2}[Dd]\d{1,2}(\+\d{1,2})?|[-−–*]|[Nn]/[Aa]|[Mm][Ee][Ll][Ee][Ee])\s*$'
MANY = 12_000
"""The longest pattern that is written out, in characters; a longer one lets every text pass."""
DEPTH = 2
"""How deep a phrase inside a phrase is written out."""

_VALUES = {
    "number": r"-?\d{1,6}|zero|one|two|three|four|five|six|seven|eight|nine|ten",
    "delta": r"[+\-−–]?\d{1,3}",
    "threshold": r"\d\+",
    "inches": r"\d{1,4}(\.\d{1,2})?\s*(\"|″|“|”|[Ii][Nn]([Cc][Hh]([Ee][Ss])?)?)?",
    "dice": r"\d{1,2}(((\s*,\s*)|(\s+and\s+)|\s+)\d{1,2})*",
    "roll": r"\d{0,2}[Dd]\d{1,2}(\s*\+\s*\d{1,2})?",
    "text": r"[\"“”″][^\"]*[\"“”″]",
    "day": r"\d{4}-\d{2}-\d{2}",
}


class Types:
    """The scalars of each type: what the grammar reads where a value of the type is wanted."""

    def __init__(self, loaded: Loaded, phrases: dict[str, list[Decl]]) -> None:
        self.vocabulary = loaded.vocabulary
        self.phrases = phrases
        self.cards: dict[str, list[str]] = {}
        for card in loaded.cards:
            for kind in (card.kind, "card"):
                self.cards.setdefault(kind, []).append(card.name)
        self.keywords = [decl.sentences[0] for decl in self.vocabulary.terms.values()
                         if decl.type == "keyword" and not decl.args and decl.sentences]

    def parts(self, kind: str) -> list[str]:
        """The type and those whose values it takes."""
        found = [kind]
        for part in found:
            decl = self.vocabulary.types.get(part)
            found.extend(of for of in (decl.of if decl is not None else ()) if of not in found)
        return found

    def is_open(self, kind: str) -> bool:
        """Whether any text may be a value: a name that a situation or another card gives, or a free text."""
        for part in self.parts(kind):
            decl = self.vocabulary.types.get(part)
            if decl is not None and (decl.names or decl.free or part in self.vocabulary.card_kinds() or part == "card"):
                return True
            if part in ("component", "model", "kind", "weapon") or part.endswith("_list"):
                return True
        return False

    def has_scalars(self, kind: str) -> bool:
        return self.is_open(kind) or any(part in VALUE_TYPES or part in self.phrases for part in self.parts(kind))

    def scalar(self, kind: str) -> Schema:
        """The schema of a scalar: the printed forms to complete from, and the patterns of all readable ones."""
        if kind == "value":
            return {"type": ["integer", "string"], "pattern": FIGURE}
        if kind in VALUE_TYPES:
            return {"type": ["integer", "number", "string"], "pattern": f"^\\s*({_VALUES[kind]})\\s*$"}
        printed_forms, named = self.completions(kind)
        noun = self.vocabulary.types[kind].noun if kind in self.vocabulary.types else kind.replace("_", " ")
        options: list[Schema] = [{"enum": printed_forms}] if printed_forms else []
        if self.is_open(kind):
            options.append({"type": ["string", "integer", "number"], "minLength": 1})
        else:
            pattern = self.pattern(kind, DEPTH)
            options.append({"type": ["string", "integer", "number"], "pattern": f"^\\s*{pattern}\\s*$"})
        told = [*named, *printed_forms]
        return {"anyOf": options, "title": noun, "description": f"{noun}: {'; '.join(told[:40])}" if told else noun}

    def completions(self, kind: str) -> tuple[list[str], list[str]]:
        """The forms that are complete as they stand, and those with arguments, in the printed form."""
        whole: dict[str, None] = {}
        open_ones: dict[str, None] = {}
        for part in self.parts(kind):
            for name in [*self.cards.get(part, ()), *(self.keywords if part == "keyword" else ())]:
                whole.setdefault(name)
            for decl in self.phrases.get(part, ()):
                pieces = printed(decl.sentences[0]) if decl.sentences else []
                text = "".join(piece if what == "text" else f"<{type_of(piece).replace('_', ' ')}>"
                               for what, piece in pieces)
                (open_ones if decl.args else whole).setdefault(text)
        return list(whole), list(open_ones)

    def pattern(self, kind: str, depth: int) -> str:
        """A regular expression for every text that is a value of the type (or for more than that)."""
        if kind in VALUE_TYPES:
            return f"({_VALUES[kind]})"
        if self.is_open(kind) or depth < 0:
            return ".+"
        options = dict.fromkeys(
            self._template(reading, depth)
            for part in self.parts(kind) for decl in self.phrases.get(part, ()) for sentence in decl.sentences
            for reading in expand(sentence))
        found = f"({'|'.join(options)})" if options else ".+"
        return found if len(found) <= MANY else ".+"

    def _template(self, reading: list[tuple[str, str]], depth: int) -> str:
        out: list[str] = []
        before = ""
        for what, text in reading:
            glue = r"\s+" if what == "word" and before[-1:].isalnum() and text[:1].isalnum() else r"\s*"
            out.append((glue if out else "") + (caseless(text) if what == "word" else
                                                self.pattern(type_of(text), depth - 1)))
            before = text if what == "word" else ""
        return "".join(out)


_ALIKE = {"'": "['’‘]", '"': '["“”″]', "-": "[-−–]"}


def caseless(text: str) -> str:
    """A pattern for the text in any letter case and with any kind of quotes."""
    out = []
    for char in text:
        if char.isalpha() and char.lower() != char.upper() and len(char.upper()) == 1:
            out.append(f"[{char.upper()}{char.lower()}]")
        elif char == " ":
            out.append(r"\s+")
        else:
            out.append(_ALIKE.get(char) or re.sub(r"([\\^$.|?*+()\[\]{}/])", r"\\\1", char))
    return "".join(out)
