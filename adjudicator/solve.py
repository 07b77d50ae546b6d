"""Grounding and solving with clingo, and the model that comes out.

The program of a pack set is normal and stratified, so gringo decides it while grounding and there is
exactly one stable model; `Solved` reads the atoms of a predicate only when someone asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import clingo

from .errors import RuleError
from .interrupt import stoppable
from .terms import NEGATIVE, Atom, Signature, Term, atom_text, parse, sort_key

LOOKUPS = 16
"""How many atoms of one predicate are asked for singly before the whole of it is read."""


class Solved:
    """The one model of a program. Keeps its `clingo.Control`, whose atoms it reads lazily."""

    def __init__(
        self, control: clingo.Control, handle: clingo.SolveHandle, model: clingo.Model,
        given: Mapping[Signature, list[tuple[Term, ...]]],
    ) -> None:
        self.control = control
        self.handle = handle
        self._model = model
        self._given = given
        self._known = {(name, arity) for name, arity, _ in control.symbolic_atoms.signatures}
        self._extensions: dict[tuple[str, int], list[tuple[Term, ...]]] = {}
        self._looked: dict[tuple[str, int], int] = {}
        self._sets: dict[tuple[str, int], set[tuple[Term, ...]]] = {}

    def extension(self, name: str, arity: int) -> list[tuple[Term, ...]]:
        """The argument tuples of the true atoms of a predicate, in a fixed order."""
        key = (name, arity)
        if key not in self._extensions:
            if key in self._given:
                self._extensions[key] = sorted(set(self._given[key]), key=_tuple_key)
                return self._extensions[key]
            called = NEGATIVE + name[1:] if name.startswith("-") else name
            if (called, arity) not in self._known:
                self._extensions[key] = []
                return []
            symbols = [atom.symbol for atom in self.control.symbolic_atoms.by_signature(called, arity)
                       if self._is_true(atom)]
            found: list[tuple[Term, ...]] = [_args(parse(str(symbol))) for symbol in symbols]
            if len(found) > 1:
                found.sort(key=_tuple_key)
            self._extensions[key] = found
        return self._extensions[key]

    def holds(self, atom: Atom) -> bool:
        """Whether a ground atom is in the model."""
        name, args = atom
        key = (name, len(args))
        if key not in self._sets:
            if key in self._given:
                self._sets[key] = set(self._given[key])
            elif key in self._extensions or self._looked.get(key, 0) >= LOOKUPS:
                self._sets[key] = set(self.extension(name, len(args)))
            else:
                self._looked[key] = self._looked.get(key, 0) + 1
                return self._look_up(atom)
        return args in self._sets[key]

    def _look_up(self, atom: Atom) -> bool:
        """Ask clingo for one atom: cheaper than reading its whole predicate, as long as it is not done often."""
        called = NEGATIVE + atom[0][1:] if atom[0].startswith("-") else atom[0]
        if (called, len(atom[1])) not in self._known:
            return False
        found = self.control.symbolic_atoms[clingo.parse_term(atom_text(atom))]
        return found is not None and self._is_true(found)

    def _is_true(self, atom: clingo.SymbolicAtom) -> bool:
        """Whether the model has the atom; one that no ground rule can derive has the literal 0, which says nothing."""
        return atom.is_fact or (atom.literal != 0 and self._model.is_true(atom.literal))

    def signatures(self) -> list[tuple[str, int]]:
        """All predicates of the ground program, negatives with their leading sign."""
        return sorted((f"-{name[len(NEGATIVE):]}" if name.startswith(NEGATIVE) else name, arity)
                      for name, arity in self._known)


def facts_text(atoms: Iterable[Atom]) -> str:
    """Facts as a program text; every name in it is a quoted string."""
    return "".join(f"{atom_text(atom)}.\n" for atom in atoms)


def _args(term: Term) -> tuple[Term, ...]:
    return term[1:] if isinstance(term, tuple) else ()


def _tuple_key(args: tuple[Term, ...]) -> tuple[Any, ...]:
    return tuple(sort_key(arg) for arg in args)


def given_extensions(atoms: Iterable[Atom], derived: set[Signature]) -> dict[Signature, list[tuple[Term, ...]]]:
    """The extensions of the predicates that no rule derives: they are the facts themselves."""
    found: dict[Signature, list[tuple[Term, ...]]] = {}
    for name, args in atoms:
        if (name, len(args)) not in derived:
            found.setdefault((name, len(args)), []).append(args)
    return found


def solve(program: str, atoms: list[Atom], derived: set[Signature], read: set[Signature] | None = None) -> Solved:
    """Ground and solve a program with facts; `derived` are the predicates that its rules derive.

    Facts of predicates that are not among `read` are left out of the ground program; the model has them.

    Raises `RuleError` where clingo refuses the program or it has no model.
    """
    messages: list[str] = []
    control = clingo.Control(["--warn=no-atom-undefined"], logger=lambda _, message: messages.append(message))
    with stoppable(control):
        try:
            control.add("base", [], program)
            control.add("base", [], facts_text(a for a in atoms if read is None or (a[0], len(a[1])) in read))
            control.ground([("base", [])])
        except RuntimeError as error:
            raise RuleError(f"clingo refuses the program: {(messages or [str(error)])[0].strip()}") from None
        handle = control.solve(yield_=True)
        model = handle.model()
    if model is None:
        raise RuleError("the program has no model", hint="no rule may forbid a situation: derive a breach instead")
    return Solved(control, handle, model, given_extensions(atoms, derived))
