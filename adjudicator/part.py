"""The part of the loaded packs that some goals depend on: its rules, and the program of a set of facts."""

from __future__ import annotations

from collections.abc import Iterable

from .packs import Loaded
from .program import Rule, term_text
from .rulebase import RuleBase
from .slicing import Liveness, Slice
from .solve import Signature, Solved, solve
from .terms import Atom


class Part:
    """A slice of the packs with everything that can be worked out before there are facts."""

    def __init__(self, loaded: Loaded, rules: list[Rule], cut: Slice) -> None:
        self.loaded = loaded
        self.cut = cut
        self.used = cut.used
        self.base = RuleBase([rules[i] for i in cut.rules], loaded.consts, loaded.vocabulary)
        self._place = {rule: i for i, rule in enumerate(cut.rules)}
        self._liveness = Liveness(cut)

    def relevant(self, atoms: Iterable[Atom]) -> list[Atom]:
        """The atoms whose predicates occur in this part."""
        return [atom for atom in atoms if f"{atom[0]}/{len(atom[1])}" in self.used]

    def program(self, atoms: Iterable[Atom]) -> tuple[str, set[Signature]]:
        """The rules that can fire with these facts, as text, and the predicates that they derive."""
        live = self._liveness.rules(atoms)
        rules = [self.base.rules[self._place[i]] for i in sorted(live)]
        return program_text(rules, self.loaded), {(rule.name, len(rule.args)) for rule in rules}

    def solve(self, atoms: list[Atom]) -> Solved:
        """The model of this part with these facts."""
        program, derived = self.program(atoms)
        return solve(program, atoms, derived)


def program_text(rules: list[Rule], loaded: Loaded) -> str:
    """Rules and constants as one program."""
    lines = [f"#const {name}={term_text(value)}." for name, value in sorted(loaded.consts.items())]
    return "\n".join([*lines, *(rule.text for rule in rules)]) + "\n"
