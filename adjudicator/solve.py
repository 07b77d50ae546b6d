"""Grounding and solving with clingo, and the model that comes out.

The program of a pack set is normal and stratified, so gringo decides it while grounding and there is
exactly one stable model; `Solved` reads the atoms of a predicate only when someone asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable

import clingo

from .errors import RuleError
from .terms import NEGATIVE, Atom, Term, atom_text, term_of


class Solved:
    """The one model of a program. Keeps its `clingo.Control`, whose atoms it reads lazily."""

    def __init__(self, control: clingo.Control, symbols: list[clingo.Symbol]) -> None:
        self.control = control
        self._symbols = symbols
        self._true: set[clingo.Symbol] | None = None
        self._extensions: dict[tuple[str, int], list[tuple[Term, ...]]] = {}
        self._sets: dict[tuple[str, int], set[tuple[Term, ...]]] = {}

    def extension(self, name: str, arity: int) -> list[tuple[Term, ...]]:
        """The argument tuples of the true atoms of a predicate, in clingo's order of symbols."""
        key = (name, arity)
        if key not in self._extensions:
            called = NEGATIVE + name[1:] if name.startswith("-") else name
            symbols = [atom.symbol for atom in self.control.symbolic_atoms.by_signature(called, arity)
                       if atom.is_fact or self._chosen(atom.symbol)]
            symbols.sort()
            self._extensions[key] = [tuple(map(term_of, symbol.arguments)) for symbol in symbols]
        return self._extensions[key]

    def _chosen(self, symbol: clingo.Symbol) -> bool:
        if self._true is None:
            self._true = set(self._symbols)
        return symbol in self._true

    def holds(self, atom: Atom) -> bool:
        """Whether a ground atom is in the model."""
        name, args = atom
        key = (name, len(args))
        if key not in self._sets:
            self._sets[key] = set(self.extension(name, len(args)))
        return args in self._sets[key]

    def signatures(self) -> list[tuple[str, int]]:
        """All predicates of the ground program, negatives with their leading sign."""
        found = []
        for name, arity, _ in self.control.symbolic_atoms.signatures:
            found.append((f"-{name[len(NEGATIVE):]}" if name.startswith(NEGATIVE) else name, arity))
        return sorted(found)


def facts_text(atoms: Iterable[Atom]) -> str:
    """Facts as a program text; every name in it is a quoted string."""
    return "".join(f"{atom_text(atom)}.\n" for atom in atoms)


def solve(program: str, atoms: Iterable[Atom]) -> Solved:
    """Ground and solve a program with facts. Raises `RuleError` where clingo refuses it."""
    messages: list[str] = []
    control = clingo.Control(["--warn=no-atom-undefined"], logger=lambda _, message: messages.append(message))
    try:
        control.add("base", [], program)
        control.add("base", [], facts_text(atoms))
        control.ground([("base", [])])
    except RuntimeError as error:
        raise RuleError(f"clingo refuses the program: {(messages or [str(error)])[0].strip()}") from None
    with control.solve(yield_=True) as handle:
        model = handle.model()
        if model is None:
            raise RuleError("the program has no model", hint="no rule may forbid a situation: derive a breach instead")
        symbols = list(model.symbols(atoms=True))
    return Solved(control, symbols)
