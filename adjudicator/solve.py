"""Grounding and solving with clingo, and the model that comes out.

The program of a pack set is normal and stratified, so gringo decides it while grounding and there is
exactly one stable model; `Solved` reads the atoms of a predicate only when someone asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import clingo

from .errors import RuleError
from .interrupt import stoppable
from .terms import NEGATIVE, Atom, Signature, Term, as_term, atom_text, facts_text, parse, sort_key

LOOKUPS = 16
"""How many atoms of one predicate are asked for singly before the whole of it is read."""


class CardFacts:
    """The facts of cards on which a slice can depend: as program texts, and as atoms when they are asked for."""

    def __init__(
        self, rows: Mapping[str, list[Any]] | None = None,
        texts: Mapping[str, list[tuple[int, int, str]]] | None = None,
    ) -> None:
        self._rows = rows or {}
        self._texts = texts or {}
        self._done: dict[Signature, list[tuple[Term, ...]]] = {}

    def rows(self, name: str, arity: int) -> list[tuple[Term, ...]]:
        """The arguments of the facts of a predicate."""
        key = (name, arity)
        if key not in self._done:
            self._done[key] = [tuple(as_term(arg) for arg in row) for row in self._rows.get(f"{name}/{arity}", ())]
        return self._done[key]

    def __contains__(self, atom: object) -> bool:
        assert isinstance(atom, tuple)
        name, args = atom
        return f"{name}/{len(args)}" in self._rows and args in self.rows(name, len(args))

    def __iter__(self) -> Iterator[Atom]:
        for signature in self._rows:
            name, _, arity = signature.rpartition("/")
            yield from ((name, row) for row in self.rows(name, int(arity)))

    def text(self, wanted: Mapping[str, set[tuple[int, int]]]) -> str:
        """The facts of these predicates as a program: those with owners in the masks of the first two arguments."""
        return "".join(
            text for name, pairs in sorted(wanted.items()) for first, second, text in self._texts.get(name, ())
            if any((first < 0 or one >> first & 1) and (second < 0 or two >> second & 1) for one, two in pairs))


class Given:
    """What a situation and the cards give: atoms that hold without a rule."""

    def __init__(self, atoms: Iterable[Atom], cards: CardFacts) -> None:
        self._own = frozenset(atoms)
        self._cards = cards

    def __contains__(self, atom: object) -> bool:
        return atom in self._own or atom in self._cards


class Solved:
    """The one model of a program. Keeps its `clingo.Control`, whose atoms it reads lazily."""

    def __init__(
        self, control: clingo.Control, handle: clingo.SolveHandle, model: clingo.Model,
        given: Mapping[Signature, list[tuple[Term, ...]]], derived: set[Signature], cards: CardFacts,
    ) -> None:
        self.control = control
        self.handle = handle
        self._model = model
        self._given = given
        self._derived = derived
        self._cards = cards
        self._known = {(name, arity) for name, arity, _ in control.symbolic_atoms.signatures}
        self._extensions: dict[tuple[str, int], list[tuple[Term, ...]]] = {}
        self._looked: dict[tuple[str, int], int] = {}
        self._sets: dict[tuple[str, int], set[tuple[Term, ...]]] = {}

    def extension(self, name: str, arity: int) -> list[tuple[Term, ...]]:
        """The argument tuples of the true atoms of a predicate, in a fixed order."""
        key = (name, arity)
        if key not in self._extensions:
            given = self._rows(key)
            if given:
                self._extensions[key] = given
                return given
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

    def _rows(self, key: Signature) -> list[tuple[Term, ...]]:
        """The atoms of a predicate that no rule derives: the facts themselves, whose order is fixed."""
        if key in self._derived:
            return []
        return list(dict.fromkeys([*self._given.get(key, ()), *self._cards.rows(*key)]))

    def holds(self, atom: Atom) -> bool:
        """Whether a ground atom is in the model."""
        name, args = atom
        key = (name, len(args))
        if key not in self._sets:
            given = self._rows(key)
            if given:
                self._sets[key] = set(given)
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


def solve(program: str, atoms: list[Atom], derived: set[Signature], read: set[Signature] | None = None,
          cards: CardFacts | None = None) -> Solved:
    """Ground and solve a program with facts; `derived` are the predicates that its rules derive.

    Facts of predicates that are not among `read` are left out of the ground program; the model has them.

    Raises `RuleError` where clingo refuses the program or it has no model.
    """
    messages: list[str] = []
    cards = cards if cards is not None else CardFacts()
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
    return Solved(control, handle, model, given_extensions(atoms, derived), derived, cards)
