"""What is wrong or left over in packs, beyond what keeps them from loading: codes, places, a line each.

A line `% lint: J302 the reason` (in YAML: `# lint: ...`) right above a place lets that finding pass.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import msgspec

from .cards import Card, read_cards
from .compile import Unit, check, compile_text
from .errors import ErrorGroup, JudgeError, Span
from .grammar import Grammar
from .lint_source import lets_pass, place_of
from .packs import Pack, card_unit, cite_as_stated, files_of, layers
from .program import Rule
from .replacing import Replaced
from .vocabulary import Vocabulary
from .yamltext import read

CODES = {
    "J001": "a file cannot be read as it stands",
    "J002": "pack.yaml says no version, or what it replaces does not exist",
    "J101": "a rule uses a predicate that is not declared",
    "J102": "a predicate is declared and nothing uses it",
    "J103": "a term is declared and no rule, card, datasheet or case uses it",
    "J104": "a rule uses a term that nothing declares and nothing else mentions",
    "J105": "a key or an effect verb is declared and no rule reads it",
    "J106": "a question is declared and no rule answers it",
    "J107": "rules read a predicate that nothing states or derives",
    "J108": "an argument has a type that is not declared",
    "J201": "a rule has no reference",
    "J202": "a rule or a card has no summary",
    "J203": "no case asserts a rule or a card that is encoded",
    "J204": "a rule is declared as encoded and nothing is derived by its reference",
    "J301": "a variable stands once in its rule",
    "J302": "something depends on its own absence",
    "J303": "nothing gives a variable its values",
    "J401": "two declarations have the same sentence",
    "J402": "a sentence can be read in more than one way",
    "J403": "a sentence cannot be read back as it is printed",
    "J501": "a key of a record is shadowed by another",
    "J502": "two cards of a kind have the same name",
}
_BY_MESSAGE = (
    (r"is not declared$|arguments here$", "J101"), (r"has no reference$", "J201"), (r"has no summary$", "J202"),
    (r"is unsafe:", "J303"), (r"^the pack .* replaces", "J002"),
)

class Finding(msgspec.Struct, frozen=True):
    """One thing that was found: its code, where, what, and what would be right."""

    code: str
    file: str
    line: int
    column: int
    message: str
    hint: str = ""

    def show(self) -> str:
        """As compilers tell it: file, line and column, code and message."""
        return f"{self.file}:{self.line}:{self.column}: {self.code} {self.message}" + (
            f"\n  {self.hint}" if self.hint else "")


class Evidence(msgspec.Struct):
    """What cases and situations show to be in use: the references that cases assert, and the words of all of them.

    `asserted` is None where there are no cases to tell by.
    """

    asserted: set[str] | None = None
    words: str = ""


def lint(games: list[list[str]], wanted: set[str] | None = None, evidence: Evidence | None = None) -> list[Finding]:
    """The findings in the packs of these games (each a list of packs that are ruled under together).

    `wanted` names the packs whose files are told of (all, where it is None). What is left over in a pack that
    several games share must be left over in each of them.
    """
    runs = [Linter(names, evidence or Evidence()) for names in games]
    found: dict[Finding, None] = {}
    for run in runs:
        for finding in run.findings():
            sharing = [other for other in runs if other.has(finding.file)]
            if all(finding in other.found for other in sharing) and not run.passes(finding):
                found.setdefault(finding)
    packs = {pack.folder: pack.name for run in runs for pack in run.packs}
    told = [f for f in found if wanted is None or any(
        name in wanted and Path(f.file).is_relative_to(folder) for folder, name in packs.items())]
    return sorted((msgspec.structs.replace(f, file=shown(f.file)) for f in told),
                  key=lambda f: (f.file, f.line, f.column, f.code, f.message))


def shown(path: str) -> str:
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


class Linter:
    """Lints the packs that are ruled under together."""

    def __init__(self, names: list[str], evidence: Evidence) -> None:
        self.packs: list[Pack] = layers(names)
        self.evidence = evidence
        self.errors: list[Finding] = []
        self.vocabulary = Vocabulary()
        self.units: list[Unit] = []
        self.rules: list[Rule] = []
        self.cards: list[Card] = []
        self._texts: dict[str, list[str]] = {}
        self._found: set[Finding] | None = None
        self._load()

    @property
    def found(self) -> set[Finding]:
        if self._found is None:
            from .lint_checks import Checks

            self._found = set(self.errors)
            if not any(error.code in ("J001", "J101") for error in self.errors):
                consts = {name for unit in self.units for name in unit.consts}
                self._found.update(
                    Checks(self.packs, self.vocabulary, self.rules, consts, self.cards, self.evidence).findings())
        return self._found

    def findings(self) -> list[Finding]:
        return sorted(self.found, key=lambda f: (f.file, f.line, f.column, f.code, f.message))

    def has(self, file: str) -> bool:
        """Whether the file is one of these packs."""
        return any(Path(file).is_relative_to(pack.folder) for pack in self.packs)

    def passes(self, finding: Finding) -> bool:
        """Whether the lines right above the place let the finding pass, with a reason."""
        if finding.file not in self._texts:
            try:
                self._texts[finding.file] = Path(finding.file).read_text(encoding="utf-8").split("\n")
            except (OSError, UnicodeDecodeError):
                self._texts[finding.file] = []
        return lets_pass(self._texts[finding.file], finding.line, finding.code)

    # Loading ----------------------------------------------------------------------------------

    def _load(self) -> None:
        """Compile what can be compiled; every error is a finding."""
        texts: list[tuple[str, str, str]] = []
        for pack in self.packs:
            for path in files_of(pack):
                called = f"{pack.name}/{path.relative_to(pack.folder).as_posix()}"
                try:
                    text = read(path)
                    if path.suffix == ".lp":
                        self.units.append(compile_text(text, called, pack.name, self.vocabulary))
                    else:
                        texts.append((text, called, pack.name))
                except JudgeError as error:
                    self._error(error, str(path))
        try:
            self.cards = read_cards(texts, Grammar(self.vocabulary), self.vocabulary)
        except JudgeError as error:
            self._error(error, "")
        for card in self.cards:
            if card.asp:
                self._card_rules(card)
        try:
            check(self.units, self.vocabulary, {p.name for p in self.packs if not p.extends})
        except JudgeError as error:
            self._error(error, "")
        self.rules = [rule for unit in self.units for rule in unit.rules]
        cite_as_stated(self.rules, self.vocabulary)
        try:
            Replaced(self.packs).check(self.rules, self.cards)
        except JudgeError as error:
            self._error(error, str(Path(self.packs[-1].folder) / "pack.yaml"))

    def _card_rules(self, card: Card) -> None:
        try:
            self.units.append(card_unit(card, self.vocabulary))
        except JudgeError as error:
            self._error(error, place_of(self.packs, card.file))

    def _error(self, error: JudgeError, path: str) -> None:
        for one in error.errors if isinstance(error, ErrorGroup) else [error]:
            code = next((code for pattern, code in _BY_MESSAGE if re.search(pattern, one.message)), "J001")
            span = one.span or Span(path, 1, 1)
            file = place_of(self.packs, span.file) if span.file else path
            self.errors.append(Finding(code, file if os.path.exists(file) else path, span.line, span.column,
                                       one.message, one.hint))
