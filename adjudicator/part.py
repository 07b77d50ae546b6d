"""The part of the loaded packs that some goals depend on: its rules, and the program of a set of facts."""

from __future__ import annotations

from collections.abc import Iterable

from .packs import Loaded
from .program import Rule, term_text
from .rulebase import RuleBase, predicates_of
from .slicing import Live, Liveness, Slice
from .solve import Signature, Solved, solve
from .terms import Atom, Term


class Part:
    """A slice of the packs with everything that can be worked out before there are facts."""

    def __init__(self, loaded: Loaded, cut: Slice) -> None:
        self.loaded = loaded
        self.cut = cut
        self.used = cut.used
        self.base = RuleBase([loaded.rule(i) for i in cut.rules], loaded.consts, loaded.vocabulary)
        self._index = {id(rule): i for i, rule in zip(cut.rules, self.base.rules, strict=True)}
        self._place = {rule: i for i, rule in enumerate(cut.rules)}
        self._liveness = Liveness(cut)
        self._reads: dict[int, frozenset[Signature]] = {}

    def with_cards(self, atoms: Iterable[Atom]) -> list[Atom]:
        """The atoms, and the facts of the cards on which this part can depend."""
        return [*atoms, *self.cut.facts]

    def program(self, atoms: Iterable[Atom]) -> tuple[str, set[Signature]]:
        """The rules that can fire with these facts, as text, and the predicates that they derive."""
        rules = self.rules(self.live(atoms))
        return program_text(rules, self.loaded), {(rule.name, len(rule.args)) for rule in rules}

    def live(self, atoms: Iterable[Atom]) -> Live:
        """What can fire with these facts."""
        return self._liveness.rules(atoms)

    def rules(self, live: Live) -> list[Rule]:
        """The rules that can fire."""
        return [self.base.rules[self._place[i]] for i in sorted(live.rules)]

    def missing(self, live: Live, rule: Rule, args: tuple[Term, ...]) -> list[int]:
        """Which literals of a rule that is to derive an atom nothing makes true, by their places in its body."""
        places = live.missing(self._index[id(rule)], args)
        if not places:
            return []
        positive = [i for i, literal in enumerate(rule.body) if literal[0] == "p" and not literal[1]]
        return [positive[place] for place in places]

    def read_by(self, rules: list[Rule]) -> set[Signature]:
        """The predicates that the rules read or derive: the facts of others need not be grounded."""
        found: set[Signature] = set()
        for rule in rules:
            if id(rule) not in self._reads:
                uses = {(part[2], len(part[3])) for literal in rule.body for part in predicates_of(literal)}
                self._reads[id(rule)] = frozenset({(rule.name, len(rule.args)), *uses})
            found |= self._reads[id(rule)]
        return found

    def solve(self, atoms: list[Atom], live: Live | None = None) -> Solved:
        """The model of this part with these facts."""
        rules = self.rules(live or self.live(atoms))
        derived = {(rule.name, len(rule.args)) for rule in rules}
        return solve(program_text(rules, self.loaded), atoms, derived, self.read_by(rules))


def program_text(rules: list[Rule], loaded: Loaded) -> str:
    """Rules and constants as one program."""
    lines = [f"#const {name}={term_text(value)}." for name, value in sorted(loaded.consts.items())]
    return "\n".join([*lines, *(rule.text for rule in rules)]) + "\n"
