"""The judge: rules on questions about situations.

    judge = Judge()
    situation = judge.situation_from_file("dispute.yaml")
    ruling = judge.rule(situation, "can alpha act?")
"""

from __future__ import annotations

from collections.abc import Iterable

from .errors import SituationError, Span
from .grammar import Grammar
from .hearing import Hearing
from .packs import Loaded, in_force
from .part import Part, program_text
from .ruling import Ruling
from .shapes import Pattern
from .situation import Situation, header, open_file
from .slicing import Goals, Slice, Slicer
from .solve import Solved
from .terms import Atom
from .yamltext import Document, Node, is_sequence


class Judge:
    """Rules on questions. Loaded packs are kept, so that a second ruling costs only the ruling.

    `packs` are used instead of those that a situation names; `as_of` (an ISO day) instead of its date.
    """

    def __init__(self, packs: list[str] | None = None, as_of: str = "") -> None:
        self.packs = packs or []
        self.as_of = as_of
        self._loaded: dict[tuple[str, ...], tuple[Loaded, Grammar]] = {}
        self._slicers: dict[tuple[tuple[str, ...], str], Slicer] = {}
        self._parts: dict[tuple[int, str, Goals], Part] = {}

    # Loading ----------------------------------------------------------------------------------

    def load(self, names: list[str]) -> tuple[Loaded, Grammar]:
        """The packs by name, compiled (from the cache where it has them), with their grammar."""
        key = tuple(names)
        if key not in self._loaded:
            from .cache import load_cached

            loaded = load_cached(names)
            self._loaded[key] = (loaded, Grammar(loaded.vocabulary))
        return self._loaded[key]

    def situation(self, document: Document, node: Node | None = None, lenient: bool = False) -> Situation:
        """The situation of a document (or of one of its nodes).

        Raises `SituationError`; where `lenient`, what the packs do not know is left out and listed in
        the situation's `ignored`.
        """
        root = node if node is not None else document.root
        if root is None:
            raise SituationError(f"{document.file} is empty", document.at(1, 1))
        names = self.packs or header(document, root)
        loaded, grammar = self.load(names)
        situation = Situation(loaded, grammar, document.file, lenient)
        situation.read(document, root)
        return situation

    def situations_from_file(self, path: str) -> list[Situation]:
        """The situations of a file that holds one or a list of them."""
        document = open_file(path)
        root = document.root
        assert root is not None
        nodes = document.list(root, "situations") if is_sequence(root) else [root]
        return [self.situation(document, node) for node in nodes]

    def situation_from_file(self, path: str) -> Situation:
        """The first situation of a file."""
        return self.situations_from_file(path)[0]

    def situation_from_text(self, text: str, file: str = "situation") -> Situation:
        """The situation that a YAML text describes."""
        return self.situation(Document(text, file))

    # Ruling -----------------------------------------------------------------------------------

    def slicer(self, loaded: Loaded, day: str) -> Slicer:
        """The rules in force on a day (the newest, where it is empty), ready to be sliced."""
        key = (tuple(p.folder + p.version for p in loaded.packs), day)
        if key not in self._slicers:
            places = [i for i, rule in enumerate(loaded.rules) if in_force(rule.since, rule.until, day)]
            self._slicers[key] = Slicer(
                loaded.rules, loaded.consts, places, loaded.card_facts(day), loaded.vocabulary)
        return self._slicers[key]

    def program(self, loaded: Loaded, day: str) -> str:
        """The ASP text of the packs as of a day, whole."""
        return program_text((rule.text for rule in self.slicer(loaded, day).in_force), loaded)

    def part(self, situation: Situation, day: str, goals: Goals) -> Part:
        """What the goals depend on; kept for the next question of this shape."""
        loaded = situation.loaded
        key = (id(loaded), day, goals)
        if key not in self._parts:
            from .cache import kept

            cut = kept(loaded, f"{day}{goals}", Slice, lambda: self.slicer(loaded, day).reach(goals))
            self._parts[key] = Part(loaded, cut)
        return self._parts[key]

    def model_of(self, situation: Situation, goals: list[Pattern], more: Iterable[Atom] = ()) -> Solved:
        """The model of what some goals depend on, for a situation (and more facts) without a question."""
        day = self.day(situation)
        part = self.part(situation, day, Goals(tuple(goals)))
        return part.solve([*situation.atoms(), *more])

    def day(self, situation: Situation) -> str:
        return self.as_of or situation.date

    def rule(self, situation: Situation, question: str, span: Span | None = None, changes: bool = True) -> Ruling:
        """The ruling on a question.

        Raises `SituationError` for a question that is not understood and for a situation that
        contradicts itself.
        """
        hearing, ruling = self.hear(situation, question, span)
        if changes:
            self.find_changes(hearing, ruling)
        return ruling

    def hear(self, situation: Situation, question: str, span: Span | None = None) -> tuple[Hearing, Ruling]:
        """The ruling on a question before anything is known of what would change it, and its hearing."""
        hearing = Hearing(self, situation, situation.ask(question, span), question.strip(), ())
        ruling = hearing.ruling(0)
        hearing.contested(ruling)
        ruling.unread = hearing.unread()
        return hearing, ruling

    def find_changes(self, hearing: Hearing, ruling: Ruling) -> None:
        """Add to a ruling what would change it."""
        if ruling.verdict in ("yes", "no", "value") and not ruling.changes:
            from .change import find_changes

            find_changes(hearing, ruling)

    def rule_all(self, situation: Situation) -> list[Ruling]:
        """The rulings on every question that the situation asks."""
        if not situation.asks:
            raise SituationError(f"{situation.file} asks nothing", hint="add a line ask: ... with a question")
        return [self.rule(situation, question, span) for question, span in situation.asks]
