"""Matching compiled rules against a finished model, in Python.

clingo has solved; what is left is to find, for one atom, a rule instance whose body the model meets,
or, for an absent atom, the first condition at which each rule fails. Semantics are those of clingo's
manual for ground instances (arithmetic on integers only, conditional literals, set-based aggregates).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from .program import CLiteral, CTerm, plan
from .terms import Atom, Term

Env = dict[str, Term]


class Model(Protocol):
    """What the matcher asks of a model: the argument tuples of a predicate."""

    def extension(self, name: str, arity: int) -> list[tuple[Term, ...]]: ...

    def holds(self, atom: Atom) -> bool: ...


class Unbound(Exception):
    """A term has a variable without a value."""


class Matcher:
    """Evaluates literals over one model; indexes are made as they are needed."""

    def __init__(
        self, model: Model, consts: Mapping[str, CTerm],
        plans: dict[tuple[int, frozenset[str]], list[int]] | None = None,
    ) -> None:
        self.model = model
        self.consts = consts
        self._indexes: dict[tuple[str, int, tuple[int, ...]], dict[tuple[Term, ...], list[tuple[Term, ...]]]] = {}
        self._plans = plans if plans is not None else {}

    # Terms ------------------------------------------------------------------------------------

    def value(self, term: CTerm, env: Env) -> Term | None:
        """The value of a term; None where arithmetic is undefined. Raises `Unbound`."""
        tag = term[0]
        if tag == "v":
            if term[1] in env:
                return env[term[1]]
            raise Unbound(term[1])
        if tag == "n" or tag == "s":
            return term[1]  # type: ignore[no-any-return]
        if tag == "f":
            if not term[2]:
                const = self.consts.get(term[1])
                return self.value(const, env) if const is not None else (term[1],)
            args = [self.value(arg, env) for arg in term[2]]
            return None if None in args else (term[1], *args)
        if tag == "o":
            return _compute(term[1], self.value(term[2], env), self.value(term[3], env))
        raise Unbound("..")

    def unify(self, term: CTerm, value: Term, env: Env) -> Env | None:
        """The environment in which the term has the value, or None. The given one is not changed."""
        tag = term[0]
        if tag == "v":
            name = term[1]
            if name == "_":
                return env
            if name in env:
                return env if env[name] == value else None
            return {**env, name: value}
        if tag == "f" and term[2]:
            if not isinstance(value, tuple) or len(value) != len(term[2]) + 1 or value[0] != term[1]:
                return None
            out: Env | None = env
            for arg, part in zip(term[2], value[1:], strict=True):
                out = self.unify(arg, part, out) if out is not None else None
            return out
        if tag == "o" and term[1] in "+-":
            return self._solve(term, value, env)
        if tag == "i":
            low, high = self.value(term[1], env), self.value(term[2], env)
            inside = isinstance(value, int) and isinstance(low, int) and isinstance(high, int) and low <= value <= high
            return env if inside else None
        return env if self.value(term, env) == value else None

    def _solve(self, term: CTerm, value: Term, env: Env) -> Env | None:
        try:
            return env if self.value(term, env) == value else None
        except Unbound:
            pass
        if not isinstance(value, int):
            return None
        _, op, left, right = term
        try:
            known = self.value(right, env)
            if isinstance(known, int):
                return self.unify(left, value - known if op == "+" else value + known, env)
        except Unbound:
            known = self.value(left, env)
            if isinstance(known, int):
                return self.unify(right, value - known if op == "+" else known - value, env)
        return None

    # Literals ---------------------------------------------------------------------------------

    def solutions(self, body: list[CLiteral], env: Env) -> Iterator[Env]:
        """Every environment that extends `env` and meets the body."""
        yield from self._from(body, self.order(body, env), 0, env)

    def order(self, body: list[CLiteral], env: Env) -> list[int]:
        if len(body) < 2:
            return [0] if body else []
        key = (id(body), frozenset(env))
        if key not in self._plans:
            order, _ = plan(body, key[1])
            self._plans[key] = order + [i for i in range(len(body)) if i not in order]
        return self._plans[key]

    def _from(self, body: list[CLiteral], order: list[int], at: int, env: Env) -> Iterator[Env]:
        if at == len(order):
            yield env
            return
        for found in self.literal(body[order[at]], env):
            yield from self._from(body, order, at + 1, found)

    def furthest(self, body: list[CLiteral], env: Env) -> tuple[int, Env]:
        """The literal at which the body fails latest, and the values found up to there."""
        order = self.order(body, env)
        best, best_env = -1, env

        def walk(at: int, here: Env) -> None:
            nonlocal best, best_env
            if at > best:
                best, best_env = at, here
            if at == len(order):
                return
            for found in self.literal(body[order[at]], here):
                walk(at + 1, found)
                if best == len(order):
                    return

        walk(0, env)
        return (order[best] if best < len(order) else -1), best_env

    def literal(self, literal: CLiteral, env: Env) -> Iterator[Env]:
        """The environments in which one literal is true."""
        tag = literal[0]
        if tag == "p":
            if literal[1]:
                if self._defined(literal[3], env) and next(self.candidates(literal, env), None) is None:
                    yield env
            else:
                yield from (found for _, found in self.candidates(literal, env))
        elif tag == "c":
            yield from self._comparison(literal, env)
        elif tag == "q":
            if not any(True for _ in self.exceptions(literal, env)):
                yield env
        elif tag == "a":
            yield from self._aggregate(literal, env)
        elif tag == "b" and bool(literal[2]) != bool(literal[1]):
            yield env

    def candidates(self, literal: CLiteral, env: Env) -> Iterator[tuple[tuple[Term, ...], Env]]:
        """The atoms that match a predicate literal, each with the environment that it gives."""
        name, args = literal[2], literal[3]
        bound: list[int] = []
        key: list[Term] = []
        for i, arg in enumerate(args):
            try:
                value = self.value(arg, env)
            except Unbound:
                continue
            if value is None:
                return
            bound.append(i)
            key.append(value)
        if len(bound) == len(args):
            atom_args = tuple(key)
            if self.model.holds((name, atom_args)):
                yield atom_args, env
            return
        for found in self._index(name, len(args), tuple(bound)).get(tuple(key), ()):
            out: Env | None = env
            for i, arg in enumerate(args):
                if i not in bound and out is not None:
                    out = self.unify(arg, found[i], out)
            if out is not None:
                yield found, out

    def _index(
        self, name: str, arity: int, positions: tuple[int, ...]
    ) -> dict[tuple[Term, ...], list[tuple[Term, ...]]]:
        key = (name, arity, positions)
        if key not in self._indexes:
            table: dict[tuple[Term, ...], list[tuple[Term, ...]]] = {}
            for args in self.model.extension(name, arity):
                table.setdefault(tuple(args[i] for i in positions), []).append(args)
            self._indexes[key] = table
        return self._indexes[key]

    def _comparison(self, literal: CLiteral, env: Env) -> Iterator[Env]:
        _, naf, left, guards = literal
        if not naf and len(guards) == 1 and guards[0][0] == "=":
            yield from self._equal(left, guards[0][1], env)
            return
        values: list[Term] = []
        for term in (left, *(term for _, term in guards)):
            value = self.value(term, env)
            if value is None:
                return
            values.append(value)
        truth = all(compare(a, op, b) for a, (op, _), b in zip(values, guards, values[1:], strict=False))
        if truth != bool(naf):
            yield env

    def _defined(self, args: list[CTerm], env: Env) -> bool:
        """Whether all arithmetic of a negated atom is defined: where it is not, clingo drops the instance."""
        for arg in args:
            try:
                if self.value(arg, env) is None:
                    return False
            except Unbound:
                continue
        return True

    def _equal(self, left: CTerm, right: CTerm, env: Env) -> Iterator[Env]:
        if right[0] == "i":
            low, high = self.value(right[1], env), self.value(right[2], env)
            if isinstance(low, int) and isinstance(high, int):
                for number in range(low, high + 1):
                    found = self.unify(left, number, env)
                    if found is not None:
                        yield found
            return
        try:
            value, pattern = self.value(right, env), left
        except Unbound:
            value, pattern = self.value(left, env), right
        if value is not None:
            found = self.unify(pattern, value, env)
            if found is not None:
                yield found

    def exceptions(self, literal: CLiteral, env: Env) -> Iterator[Env]:
        """The instances of a conditional literal in which its condition holds and its literal does not."""
        for found in self.solutions(literal[2], env):
            if next(self.literal(literal[1], found), None) is None:
                yield found

    def elements(self, literal: CLiteral, env: Env) -> dict[tuple[Term, ...], tuple[int, Env]]:
        """The tuples of an aggregate, each with the element and the environment that gives it."""
        found: dict[tuple[Term, ...], tuple[int, Env]] = {}
        for i, (terms, conditions) in enumerate(literal[3]):
            for inner in self.solutions(conditions, env):
                values = tuple(self.value(term, inner) for term in terms)
                if None not in values:
                    found.setdefault(values, (i, inner))  # type: ignore[arg-type]
        return found

    def _aggregate(self, literal: CLiteral, env: Env) -> Iterator[Env]:
        _, naf, function, _, left, right = literal
        result = aggregate(function, self.elements(literal, env))
        truth = True
        for guard, first in ((left, True), (right, False)):
            if guard is None:
                continue
            try:
                value = self.value(guard[1], env)
            except Unbound:
                found = self.unify(guard[1], result, env)
                if found is None:
                    return
                env = found
                continue
            if value is None:
                return
            truth = truth and (compare(value, guard[0], result) if first else compare(result, guard[0], value))
        if truth != bool(naf):
            yield env


def aggregate(function: str, elements: Mapping[tuple[Term, ...], Any]) -> Term:
    """The value of an aggregate over distinct tuples (clingo's manual, section 3.1.12)."""
    if function == "count":
        return len(elements)
    weights = [values[0] for values in elements if values]
    if function in ("sum", "sum+"):
        numbers = [w for w in weights if isinstance(w, int)]
        return sum(n for n in numbers if n > 0 or function == "sum")
    if not weights:
        return ("#sup",) if function == "min" else ("#inf",)
    pick = min if function == "min" else max
    return pick(weights, key=order_key)


def _compute(op: str, left: Term | None, right: Term | None) -> Term | None:
    """Arithmetic as gringo does it: on numbers of 32 bits that wrap, division towards zero."""
    if not isinstance(left, int) or not isinstance(right, int):
        return None
    if op == "+":
        result = left + right
    elif op == "-":
        result = left - right
    elif op == "*":
        result = left * right
    elif op == "abs":
        result = abs(left)
    elif op == "**":
        if right < 0:
            return 0 if left else None
        result = pow(left, right, 1 << 32)
    elif right == 0:
        return None
    else:
        result = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        if op != "/":
            result = left - result * right
    return result if -_HALF <= result < _HALF else (result + _HALF) % (2 * _HALF) - _HALF


_HALF = 1 << 31
_RANK = {"#inf": -1, "#sup": 9}


def order_key(term: Term) -> tuple[Any, ...]:
    """gringo's order of terms: #inf, numbers, strings, functions by arity then name, #sup."""
    if isinstance(term, tuple) and term and term[0] in _RANK:
        return (_RANK[term[0]],)
    if isinstance(term, int):
        return (0, term)
    if isinstance(term, tuple) and len(term) == 1:
        return (1, term[0])
    if isinstance(term, str):
        return (2, term)
    return (3, len(term), term[0], *(order_key(arg) for arg in term[1:]))


def compare(left: Term, op: str, right: Term) -> bool:
    """A comparison of two ground terms."""
    if op == "=":
        return left == right
    if op == "!=":
        return left != right
    a, b = order_key(left), order_key(right)
    if op == "<":
        return a < b
    if op == "<=":
        return a <= b
    return a > b if op == ">" else a >= b
