"""Why an atom holds, and why one does not: trees of reasons over a finished model.

A support of an atom is a rule instance whose body the model meets, taken so that no atom supports
itself (the foundedness of stable models, Gelfond and Lifschitz 1988). An absent atom is explained by
the rules that could have derived it, each with the first condition that failed and its values.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping

from .grammar import VALUE_TYPES
from .match import Env, Matcher, Model, Unbound
from .program import CLiteral, Rule
from .reason import Reason
from .rulebase import RuleBase, plain_variables
from .saying import Sayer
from .slicing import speaks
from .terms import Atom, Term
from .vocabulary import Decl, Vocabulary

DEEP = 40
NEAR_MISSES = 14
INSTANCES = 12
SHOWN = ("inches", "threshold", "number", "value", "delta")
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_SAID = {"=": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least"}


class Explainer:
    """Explains the atoms of one model by the rules that made it.

    `missing` gives the places of the literals that nothing makes true, for a rule that was not grounded.
    """

    def __init__(
        self, base: RuleBase, model: Model, sayer: Sayer, stated: Container[Atom], partial: Mapping[str, str],
        missing: Callable[[Rule, tuple[Term, ...]], list[int]] = lambda _, __: [],
    ) -> None:
        self.base = base
        self.matcher = Matcher(model, base.consts, base.plans)
        self.model = model
        self.sayer = sayer
        self.vocabulary: Vocabulary = sayer.vocabulary
        self.stated = stated
        self.partial = partial
        self.missing = missing
        self._records = self.vocabulary.card_records()
        self._done: dict[tuple[Atom, bool], Reason] = {}
        self._supports: dict[Atom, tuple[Rule, Env, frozenset[Atom]]] = {}

    # Supports ---------------------------------------------------------------------------------

    def support(self, atom: Atom, path: frozenset[Atom] = frozenset()) -> tuple[Rule | None, Env] | None:
        """A rule instance that derives the atom without resting on `path`; (None, {}) for a stated fact."""
        if atom in self.stated:
            return None, {}
        known = self._supports.get(atom)
        if known is not None and known[2].isdisjoint(path):
            return known[0], known[1]
        name, args = atom
        for rule, env in self._heads(name, args):
            for found in self.matcher.solutions(rule.body, env):
                rests = self._rests(rule, found, path | {atom}) if self._derives(rule, found, args) else None
                if rests is not None:
                    self._supports[atom] = rule, found, rests | {atom}
                    return rule, found
        return None

    def _derives(self, rule: Rule, env: Env, args: tuple[Term, ...]) -> bool:
        """Whether the arithmetic in the head, which `_heads` could not match, gives the arguments."""
        return all(term[0] in "vns" or value == ("_",) or self.matcher.value(term, env) == value
                   for term, value in zip(rule.args, args, strict=True))

    def _rests(self, rule: Rule, env: Env, path: frozenset[Atom]) -> frozenset[Atom] | None:
        """The atoms of possible cycles on which the instance rests, or None where it rests on the path."""
        cyclic = self.base.cyclic
        rests: frozenset[Atom] = frozenset()
        if rule.name not in cyclic:
            return rests
        for literal in rule.body:
            if literal[0] == "p" and not literal[1] and literal[2] in cyclic:
                atom = self._ground(literal, env)
                if atom in path or self.support(atom, path) is None:
                    return None
                if atom in self._supports:
                    rests |= self._supports[atom][2]
        return rests

    def _heads(self, name: str, args: tuple[Term, ...]) -> Iterator[tuple[Rule, Env]]:
        for rule in self.base.deriving(name, len(args)):
            env: Env | None = {}
            late = []
            for term, value in zip(rule.args, args, strict=True):
                if env is not None and value != ("_",):
                    try:
                        env = self.matcher.unify(term, value, env)
                    except Unbound:
                        late.append((term, value))
            for term, value in late:
                if env is None:
                    break
                try:
                    env = self.matcher.unify(term, value, env)
                except Unbound:
                    continue
            if env is not None:
                yield rule, env

    def _ground(self, literal: CLiteral, env: Env) -> Atom:
        return literal[2], tuple(self.matcher.value(arg, env) for arg in literal[3])  # type: ignore[misc]

    # Why --------------------------------------------------------------------------------------

    def why(self, atom: Atom, path: frozenset[Atom] = frozenset()) -> Reason:
        """The reason for an atom of the model."""
        done = self._done.get((atom, True))
        if done is not None:
            return done
        decl = self._decl(atom)
        if atom in self.stated:
            told = (decl is not None and decl.role in ("fact", "event")) or atom[0].endswith("happened")
            kind = "stated" if told else "given"
            reason = Reason(self.sayer.atom(atom), kind, atom=atom, hidden=_silent(decl))
        else:
            found = self.support(atom, path) if len(path) < DEEP else None
            rule, env = found if found is not None else (None, {})
            if rule is None:
                return Reason(self.sayer.atom(atom), "rule", atom=atom)
            reason = self._rule_reason(rule, env, atom, decl, path | {atom})
        self._done[(atom, True)] = reason
        return reason

    def _rule_reason(self, rule: Rule, env: Env, atom: Atom, decl: Decl | None, path: frozenset[Atom]) -> Reason:
        kinds = self.kinds(rule)
        text = self.sayer.line(self.base.line(rule), env) if rule.line else self.sayer.atom(atom)
        ref = self.reference(rule, env)
        children: list[Reason] = []
        kind = "rule"
        for literal in rule.body:
            if literal[0] == "c" and rule.line:
                continue
            if literal[0] == "a":
                kind = "sum"
            children.extend(self._literal(literal, env, kinds, path))
        hidden = "helper" in rule.flags or (not rule.line and _silent(decl))
        if decl is not None and decl.opaque:
            children = []
        return Reason(text, kind, ref, _spliced(children), atom, True, "background" in rule.flags,
                      rule.reason or self.partial.get(ref, ""), hidden=hidden, ours="ours" in rule.flags)

    def reference(self, rule: Rule, env: Env) -> str:
        """The reference of a rule, or the value of the variable that gives it."""
        if rule.ref.startswith("{"):
            value = env.get(rule.ref[1:-1])
            return value if isinstance(value, str) else str(value[0]) if isinstance(value, tuple) else ""
        return rule.ref

    def kinds(self, rule: Rule) -> dict[str, str]:
        return self.base.kinds(rule)

    def _literal(self, literal: CLiteral, env: Env, kinds: dict[str, str], path: frozenset[Atom]) -> list[Reason]:
        tag = literal[0]
        if tag == "p" and not literal[1]:
            return [self.why(self._ground(literal, env), path)]
        if tag == "p":
            wanted = self.pattern(literal, env)
            decl = self._decl(wanted)
            return [] if decl is not None and (decl.quiet or decl.opaque) else [self.why_not(wanted, path)]
        if tag == "c":
            return self._compared(literal, env, kinds, True)
        if tag == "q":
            out = []
            for inner in self.matcher.solutions(literal[2], env):
                for full in self.matcher.literal(literal[1], inner):
                    out.extend(self._literal(literal[1], full, kinds, path))
                    break
                if len(out) >= INSTANCES:
                    break
            return out
        if tag == "a":
            return self._elements(literal, env, kinds, path)
        return []

    def _elements(self, literal: CLiteral, env: Env, kinds: dict[str, str], path: frozenset[Atom]) -> list[Reason]:
        out: list[Reason] = []
        for i, inner in self.matcher.elements(literal, env).values():
            for condition in literal[3][i][1]:
                if condition[0] == "p" and not condition[1]:
                    out.append(self.why(self._ground(condition, inner), path))
            if len(out) >= INSTANCES:
                break
        return out

    def _compared(self, literal: CLiteral, env: Env, kinds: dict[str, str], holds: bool) -> list[Reason]:
        _, naf, left, guards = literal
        if len(guards) != 1:
            return []
        op, right = guards[0]
        kind = next((kinds[v] for v in (*plain_variables(left), *plain_variables(right)) if v in kinds), "")
        if (op == "=" and holds and not naf) or kind not in SHOWN:
            return []
        try:
            a, b = self.matcher.value(left, env), self.matcher.value(right, env)
        except Unbound:
            return []
        if a is None or b is None or (isinstance(a, tuple) and op in ("=", "!=")) or isinstance(a, str):
            return []
        shown = op if bool(naf) != holds else _OPPOSITE[op]
        text = f"{self.sayer.term(a, kind)} {_SAID[shown]} {self.sayer.term(b, kind)}"
        return [Reason(text, "comparison", holds=True)]

    # Why not ----------------------------------------------------------------------------------

    def pattern(self, literal: CLiteral, env: Env) -> Atom:
        """The atom of a literal with `("_",)` where a variable has no value."""
        args: list[Term] = []
        for arg in literal[3]:
            try:
                value = self.matcher.value(arg, env)
                args.append(value if value is not None else ("_",))
            except Unbound:
                args.append(("_",))
        return literal[2], tuple(args)

    def why_not(self, atom: Atom, path: frozenset[Atom] = frozenset()) -> Reason:
        """The reason why no atom of the model matches a pattern."""
        done = self._done.get((atom, False))
        if done is not None:
            return done
        decl = self._decl(atom)
        negative = self._opposite(atom)
        if negative in self.stated or (self.model.holds(negative) and negative not in path):
            return self.why(negative, path | {atom})
        kind = "assumed" if self._assumable(atom, decl) else "absence"
        leaf = atom in path or len(path) > DEEP or (decl is not None and (bool(decl.stated) or decl.opaque))
        children = [] if leaf else self._near_misses(atom, path | {atom})
        if kind == "assumed":
            children = [c for c in children if c.kind != "assumed" or c.children]
        hidden = kind == "absence" and (decl is None or not decl.sentences or self._says_nothing(atom, decl))
        text = self.sayer.atom(atom, negative=True)
        reason = Reason(text, kind, "", _spliced(children), atom, False, hidden=hidden)
        self._done[(atom, False)] = reason
        return reason

    def _says_nothing(self, atom: Atom, decl: Decl) -> bool:
        """Whether an absence is about nobody in particular, or of nothing in particular."""
        holes = [kind for arg, kind in zip(atom[1], decl.types, strict=True) if _has_hole(arg)]
        if not holes or not set(decl.types) - set(VALUE_TYPES):
            return False
        unnamed = [kind for kind in holes if kind == "delta" or (
            kind != "time" and kind in self.vocabulary.types and not self.vocabulary.types[kind].names)]
        return bool(unnamed) or _has_hole(atom[1][0]) or 2 * len(holes) > len(atom[1])

    def _opposite(self, atom: Atom) -> Atom:
        name, args = atom
        if name.startswith("-"):
            return name[1:], args
        decl = self.vocabulary.predicate(name, len(args))
        if decl is not None and decl.stated:
            return f"-{self.stated_form(atom)[0]}", self.stated_form(atom)[1]
        return f"-{name}", args

    def stated_form(self, atom: Atom) -> Atom:
        """The atom that a person would state for this one: itself, or what `@stated` says."""
        decl = self.vocabulary.predicate(atom[0], len(atom[1]))
        if decl is None or not decl.stated or atom[0].startswith("-"):
            return atom
        name, _, rest = decl.stated.partition("(")
        args: list[Term] = []
        for part in rest.rstrip(") ").split(","):
            part = part.strip()
            args.append(atom[1][decl.args.index(part)] if part in decl.args else (part,))
        return name, tuple(args)

    def _assumable(self, atom: Atom, decl: Decl | None) -> bool:
        if decl is None or any(_has_hole(a) for a in atom[1]):
            return False
        return decl.role == "fact" or bool(decl.stated)

    def _near_misses(self, atom: Atom, path: frozenset[Atom]) -> list[Reason]:
        name, args = atom
        out: list[Reason] = []
        for rule, env in self._heads(name, args):
            out.extend(self._near_miss(rule, env, args, path))
            if len(out) >= NEAR_MISSES:
                break
        return out

    def _near_miss(self, rule: Rule, env: Env, args: tuple[Term, ...], path: frozenset[Atom]) -> list[Reason]:
        missing = self.missing(rule, args)
        failed, here = self._lacking(rule, missing, env) if missing else self.matcher.furthest(rule.body, env)
        if failed < 0:
            return []
        literal, kinds = rule.body[failed], self.kinds(rule)
        if literal[0] == "p" and not literal[1] and literal[2] == rule.name:
            return []
        tag = literal[0]
        causes: list[Reason] = []
        if tag == "p" and literal[1]:
            for found, _ in list(self.matcher.candidates([*literal[:1], 0, *literal[2:]], here))[:INSTANCES]:
                causes.append(self.why((literal[2], found), path))
        elif tag == "p":
            wanted = self.pattern(literal, here)
            decl = self._decl(wanted)
            if wanted not in path and not (decl is not None and decl.quiet):
                causes.append(self.why_not(wanted, path))
        elif tag == "c":
            causes.extend(self._compared(literal, here, kinds, False))
        elif tag == "q":
            for inner in list(self.matcher.exceptions(literal, here))[:INSTANCES]:
                causes.extend(self._failed_instance(literal[1], inner, path))
        elif tag == "a":
            causes.extend(self._elements(literal, here, kinds, path))
        order = self.matcher.order(rule.body, env)
        done = order[: order.index(failed)]
        told = [r for i in done if rule.body[i][0] == "p" and not rule.body[i][1]
                for r in self._told(rule.body[i], here, path)]
        return _spliced([*told, *causes])

    def _lacking(self, rule: Rule, missing: list[int], env: Env) -> tuple[int, Env]:
        """Of the literals that nothing makes true, one of which the contrary is known; with what others tell of it."""
        here = self._with_told(rule, missing, env)
        for place in missing:
            atom = self.pattern(rule.body[place], here)
            negative = self._opposite(atom)
            if negative in self.stated or self.model.holds(negative):
                return place, here
        return missing[0], here

    def _with_told(self, rule: Rule, missing: list[int], env: Env) -> Env:
        """The values that the literals of a rule give which speak of the situation."""
        for i in self.matcher.order(rule.body, env):
            literal = rule.body[i]
            told = literal[0] == "p" and not literal[1] and i not in missing
            if told and speaks(literal, self.vocabulary, self._records):
                env = next(self.matcher.literal(literal, env), env)
        return env

    def _told(self, literal: CLiteral, env: Env, path: frozenset[Atom]) -> list[Reason]:
        try:
            atom = self._ground(literal, env)
        except Unbound:
            return []
        if None in atom[1] or atom in path or not self.model.holds(atom):
            return []
        reason = self.why(atom, path)
        return [reason] if not reason.hidden or reason.children else []

    def _failed_instance(self, literal: CLiteral, env: Env, path: frozenset[Atom]) -> list[Reason]:
        if literal[0] != "p":
            return []
        if literal[1]:
            found = next(self.matcher.candidates([*literal[:1], 0, *literal[2:]], env), None)
            return [self.why((literal[2], found[0]), path)] if found else []
        return [self.why_not(self.pattern(literal, env), path)]

    def _decl(self, atom: Atom) -> Decl | None:
        return self.vocabulary.predicate(atom[0], len(atom[1]))


def _silent(decl: Decl | None) -> bool:
    return decl is None or not decl.sentences


def _has_hole(term: Term) -> bool:
    return term == ("_",) or (isinstance(term, tuple) and any(_has_hole(a) for a in term[1:]))


def _spliced(children: list[Reason]) -> list[Reason]:
    """The children with hidden ones replaced by what is below them, each only once."""
    out: list[Reason] = []
    for child in children:
        for part in (_spliced(child.children) if child.hidden else [child]):
            if not any(part is other or (part.text == other.text and part.kind == other.kind) for other in out):
                out.append(part)
    return out
