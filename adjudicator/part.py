"""The part of the loaded packs that some goals depend on: its rules, and the program of a set of facts."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from .liveness import Live, Liveness
from .packs import Loaded
from .program import CLiteral, Rule, term_text
from .rulebase import RuleBase
from .slicing import Slice
from .solve import CardFacts, Solved, solve
from .terms import Atom, Signature, Term


class SlicedRules(RuleBase):
    """The rules of a slice, unpacked when they are asked for."""

    def __init__(self, loaded: Loaded, cut: Slice) -> None:
        super().__init__([], loaded.consts, loaded.vocabulary)
        del self.__dict__["rules"]
        self._loaded = loaded
        self._cut = cut
        self._place: dict[int, int] = {}
        self._cyclic = set(cut.cyclic)

    @cached_property
    def rules(self) -> list[Rule]:  # type: ignore[override]
        """All rules of the slice."""
        return [self._rule(index) for index in self._cut.rules]

    def _rule(self, index: int) -> Rule:
        rule = self._loaded.rule(index)
        self._place[id(rule)] = index
        return rule

    def place(self, rule: Rule) -> int:
        """The index of a rule that was given out."""
        return self._place[id(rule)]

    def deriving(self, name: str, arity: int) -> list[Rule]:
        """The rules with such a head."""
        key = (name, arity)
        if key not in self._heads:
            self._heads[key] = [self._rule(index) for index in self._cut.heads.get(f"{name}/{arity}", ())]
        return self._heads[key]

    def asking(self, name: str, arity: int) -> dict[str, list[tuple[Rule, list[CLiteral]]]]:
        """For each text in the first argument of a predicate: the rules that ask for it, and their other literals."""
        if (name, arity) == ("reading", 2) and (name, arity) not in self._asking:
            self._asking[name, arity] = self.asking_of([self._rule(i) for i in self._cut.asking], name, arity)
        return super().asking(name, arity)


class Part:
    """A slice of the packs with everything that can be worked out before there are facts."""

    def __init__(self, loaded: Loaded, cut: Slice) -> None:
        self.loaded = loaded
        self.cut = cut
        self.used = cut.used
        self.base = SlicedRules(loaded, cut)
        self._texts = dict(zip(cut.rules, cut.texts, strict=True))
        self._liveness = Liveness(cut)
        self.cards = CardFacts(cut.facts, cut.fact_texts)

    def program(self, atoms: Iterable[Atom]) -> tuple[str, set[Signature]]:
        """The program that decides the goals with these facts, cards among it, and the predicates that it reads."""
        live = self._liveness.rules(atoms, told=False)
        return self.text(live) + self.cards.text(live.cards), live.read()

    def live(self, atoms: Iterable[Atom]) -> Live:
        """What can fire with these facts."""
        return self._liveness.rules(atoms)

    def text(self, live: Live) -> str:
        """The program of the rules that can fire."""
        return program_text([self._texts[i] for i in sorted(live.rules)], self.loaded)

    def missing(self, live: Live, rule: Rule, args: tuple[Term, ...]) -> list[int]:
        """Which literals of a rule that is to derive an atom nothing makes true, by their places in its body."""
        places = live.missing(self.base.place(rule), args)
        if not places:
            return []
        positive = [i for i, literal in enumerate(rule.body) if literal[0] == "p" and not literal[1]]
        return [positive[place] for place in places]

    def solve(self, atoms: list[Atom], live: Live | None = None) -> Solved:
        """The model of this part with these facts."""
        live = live or self.live(atoms)
        program = self.text(live) + self.cards.text(live.cards)
        return solve(program, atoms, live.derived, live.read(), self.cards)


def program_text(rules: Iterable[str], loaded: Loaded) -> str:
    """The texts of rules, and the constants, as one program."""
    lines = [f"#const {name}={term_text(value)}." for name, value in sorted(loaded.consts.items())]
    return "\n".join([*lines, *rules]) + "\n"
