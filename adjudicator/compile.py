"""From a rule file to compiled rules, through clingo's own parser.

`clingo.ast` gives the rules and the comments with their positions, so annotations need no second
parser: a `%*! ... *%` block declares, a `%@` line says which rule of the game the next rule is.

    %@ 01.01 "{U} moved this turn, so it may not act"
    %@ {Ref} "..."                       the reference is the value of the variable Ref
    %@ "..." background                  the reference of the enclosing rule block; told after the rest
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
from clingo.ast import AST, ASTType, parse_string

from .blocks import Block, read_block
from .errors import ErrorGroup, JudgeError, RuleError, Span, did_you_mean
from .program import CLiteral, CTerm, Rule, literal_variables, plan, rule_text, term_variables
from .vocabulary import Vocabulary

_ANNOTATION = re.compile(
    r'%@\s*(?P<ref>\{[A-Z]\w*\'*\}|[^\s"]+)?\s*(?:"(?P<line>(?:[^"\\]|\\.)*)")?\s*(?P<flags>.*)$'
)
_COMPARE = {0: ">", 1: "<", 2: "<=", 3: ">=", 4: "!=", 5: "="}
_BINARY = {3: "+", 4: "-", 5: "*", 6: "/", 7: "%", 8: "**"}
_FUNCTION = {0: "count", 1: "sum", 2: "sum+", 3: "min", 4: "max"}
FLAGS = ("background", "partial", "since", "until", "helper", "ours")


class Unit(msgspec.Struct):
    """A rule file being read."""

    file: str
    pack: str
    lines: list[str]
    rules: list[Rule] = []
    consts: dict[str, CTerm] = {}
    spans: list[Span] = []

    def span(self, row: int, column: int, length: int = 1) -> Span:
        source = self.lines[row - 1] if 0 < row <= len(self.lines) else ""
        return Span(self.file, row, column, source, length)


def compile_text(text: str, file: str, pack: str, vocabulary: Vocabulary) -> Unit:
    """Declarations of the text into `vocabulary`, its rules into the unit that is returned.

    Raises `RuleError` for what clingo's parser refuses, for a construct that a ruling cannot explain
    (choice, disjunction, integrity constraint) and for a rule without a reference.
    """
    unit = Unit(file, pack, text.split("\n"))
    current: dict[str, Any] = {"ref": "", "since": "", "until": "", "note": None}
    messages: list[str] = []

    def take(node: AST) -> None:
        row = node.location.begin.line
        if node.ast_type == ASTType.Comment:
            _comment(unit, str(node), row, node.location.begin.column, current, vocabulary)
        elif node.ast_type == ASTType.Definition:
            unit.consts[node.name] = _term(node.value, unit)
        elif node.ast_type == ASTType.Rule:
            _rule(unit, node, current)
            current["note"] = None
        elif node.ast_type not in (ASTType.Program, ASTType.Defined, ASTType.ShowSignature):
            raise _refused(unit, node, str(node.ast_type).rpartition(".")[2])

    nodes: list[AST] = []
    try:
        parse_string(text, nodes.append, logger=lambda _, message: messages.append(message))
    except RuntimeError as error:
        raise _syntax(unit, messages, error) from None
    for node in nodes:
        take(node)
    return unit


def _syntax(unit: Unit, messages: list[str], error: Exception) -> RuleError:
    for message in messages:
        found = re.match(r"<string>:(\d+):(\d+)(?:-\d+)?(?::\d+)?(?:-\d+)?: (?:error|info): (.*)", message, re.S)
        if found:
            row, column = int(found.group(1)), int(found.group(2))
            return RuleError(found.group(3).strip().replace("\n", " "), unit.span(row, column))
    return RuleError(str(error), unit.span(1, 1))


def _comment(
    unit: Unit, text: str, row: int, column: int, current: dict[str, Any], vocabulary: Vocabulary
) -> None:
    if text.startswith("%*!"):
        block = Block(text[3:].rstrip().removesuffix("*%"), unit.file, row, column, unit.lines)
        opened = read_block(block, vocabulary, unit.pack)
        if opened is not None:
            current.update(ref=opened.ref, since=opened.since, until=opened.until)
    elif text.startswith("%@"):
        found = _ANNOTATION.match(text.strip())
        if found is None:
            raise RuleError("this annotation cannot be read", unit.span(row, column, len(text)),
                            'write: %@ 09.06 "what the rule says"')
        current["note"] = (found, row)


def _rule(unit: Unit, node: AST, current: dict[str, Any]) -> None:
    head = node.head
    if head.ast_type != ASTType.Literal:
        raise _refused(unit, node, str(head.ast_type).rpartition(".")[2])
    if head.atom.ast_type == ASTType.BooleanConstant:
        raise _refused(unit, node, "integrity constraint")
    if head.sign != 0 or head.atom.ast_type != ASTType.SymbolicAtom:
        raise _refused(unit, node, "head that is no atom")
    for plain in node.unpool():
        literal = _predicate(plain.head, unit)
        args, body = _named(literal[3], [_literal(b, unit) for b in plain.body])
        rule = Rule(literal[2], args, body, "", ref=current["ref"], since=current["since"], until=current["until"],
                    file=unit.file, row=node.location.begin.line, pack=unit.pack)
        _annotate(rule, current["note"], unit)
        rule.text = rule_text(rule)
        unit.rules.append(rule)
        unit.spans.append(unit.span(rule.row, node.location.begin.column))


def _annotate(rule: Rule, note: tuple[re.Match[str], int] | None, unit: Unit) -> None:
    if note is None:
        return
    found, row = note
    if found.group("ref"):
        rule.ref = "" if found.group("ref") == "-" else found.group("ref")
    rule.line = (found.group("line") or "").replace('\\"', '"')
    flags = found.group("flags").split()
    for i, flag in enumerate(flags):
        if flag in ("since", "until"):
            setattr(rule, flag, flags[i + 1] if i + 1 < len(flags) else "")
        elif flag in FLAGS:
            rule.flags.append(flag)
        elif i == 0 or flags[i - 1] not in ("since", "until"):
            raise RuleError(f"there is no flag {flag}", unit.span(row, 1),
                            did_you_mean(flag, list(FLAGS), f"known: {', '.join(FLAGS)}"))


def _literal(node: AST, unit: Unit) -> CLiteral:
    if node.ast_type == ASTType.ConditionalLiteral:
        return ["q", _literal(node.literal, unit), [_literal(c, unit) for c in node.condition]]
    if node.ast_type != ASTType.Literal or node.sign == 2:
        raise _refused(unit, node, "double negation")
    atom = node.atom
    if atom.ast_type == ASTType.SymbolicAtom:
        return _predicate(node, unit)
    if atom.ast_type == ASTType.BooleanConstant:
        return ["b", node.sign, bool(atom.value)]
    if atom.ast_type == ASTType.Comparison:
        if node.sign and len(atom.guards) > 1:
            raise _refused(unit, node, "negated chain of comparisons")
        guards = [[_COMPARE[g.comparison], _term(g.term, unit)] for g in atom.guards]
        return ["c", node.sign, _term(atom.term, unit), guards]
    if atom.ast_type == ASTType.BodyAggregate:
        elements = [[[_term(t, unit) for t in e.terms], [_literal(c, unit) for c in e.condition]]
                    for e in atom.elements]
        return ["a", node.sign, _FUNCTION[atom.function], elements,
                _guard(atom.left_guard, unit), _guard(atom.right_guard, unit)]
    raise _refused(unit, node, str(atom.ast_type).rpartition(".")[2])


def _named(head: list[CTerm], body: list[CLiteral]) -> tuple[list[CTerm], list[CLiteral]]:
    """Arguments and body with names for what has none, so that an instance can be grounded.

    Anonymous variables of positive literals and of equalities get a name; so does an interval, which moves to a literal
    of its own (`p(1..3)` becomes `p(X), X = 1..3`).
    """
    count = 0

    def fresh(letter: str) -> CTerm:
        nonlocal count
        count += 1
        return ["v", f"_{letter}{count}"]

    def term(node: CTerm, more: list[CLiteral], positive: bool) -> CTerm:
        tag = node[0]
        if tag == "v" and node[1] == "_" and positive:
            return fresh("A")
        if tag == "f":
            return ["f", node[1], [term(arg, more, positive) for arg in node[2]]]
        if tag == "o":
            return [*node[:2], term(node[2], more, positive), term(node[3], more, positive)]
        if tag == "i":
            name = fresh("I")
            more.append(["c", 0, name, [["=", ["i", *(term(part, more, positive) for part in node[1:])]]]])
            return name
        return node

    def guards(pairs: list[Any], more: list[CLiteral], equal: bool = False) -> list[Any]:
        return [pair and [pair[0], term(pair[1], more, equal)] for pair in pairs]

    def literal(node: CLiteral, more: list[CLiteral]) -> CLiteral:
        tag = node[0]
        if tag == "p":
            return [*node[:3], [term(arg, more, not node[1]) for arg in node[3]]]
        if tag == "c" and not (len(node[3]) == 1 and not node[1] and node[3][0][0] == "=" and node[3][0][1][0] == "i"):
            equal = not node[1] and [op for op, _ in node[3]] == ["="]
            return ["c", node[1], term(node[2], more, equal), guards(node[3], more, equal)]
        if tag == "q":
            conditions = conjunction(node[2])
            return ["q", literal(node[1], conditions), conditions]
        if tag == "a":
            elements = []
            for terms, literals in node[3]:
                conditions = conjunction(literals)
                elements.append([[term(part, conditions, False) for part in terms], conditions])
            return [*node[:3], elements, *guards(node[4:], more)]
        return node

    def conjunction(literals: list[CLiteral]) -> list[CLiteral]:
        more: list[CLiteral] = []
        return [literal(part, more) for part in literals] + more

    more: list[CLiteral] = []
    named = [term(arg, more, False) for arg in head]
    return named, [*conjunction(body), *more]


def _guard(guard: AST | None, unit: Unit) -> list[Any] | None:
    return None if guard is None else [_COMPARE[guard.comparison], _term(guard.term, unit)]


def _predicate(node: AST, unit: Unit) -> CLiteral:
    symbol, sign = node.atom.symbol, ""
    if symbol.ast_type == ASTType.UnaryOperation:
        symbol, sign = symbol.argument, "-"
    if symbol.ast_type == ASTType.SymbolicTerm:
        return ["p", node.sign, sign + symbol.symbol.name, []]
    return ["p", node.sign, sign + symbol.name, [_term(arg, unit) for arg in symbol.arguments]]


def _term(node: AST, unit: Unit) -> CTerm:
    kind = node.ast_type
    if kind == ASTType.Variable:
        return ["v", node.name]
    if kind == ASTType.SymbolicTerm:
        symbol = node.symbol
        tag = symbol.type.value
        if tag == 1:
            return ["n", symbol.number]
        return ["s", symbol.string] if tag == 4 else ["f", symbol.name if tag == 5 else str(symbol), []]
    if kind == ASTType.Function and not node.external:
        return ["f", node.name, [_term(arg, unit) for arg in node.arguments]]
    if kind == ASTType.Interval:
        return ["i", _term(node.left, unit), _term(node.right, unit)]
    if kind == ASTType.BinaryOperation and node.operator_type in _BINARY:
        return ["o", _BINARY[node.operator_type], _term(node.left, unit), _term(node.right, unit)]
    if kind == ASTType.UnaryOperation and node.operator_type == 0:
        return ["o", "-", ["n", 0], _term(node.argument, unit)]
    if kind == ASTType.UnaryOperation and node.operator_type == 2:
        return ["o", "abs", _term(node.argument, unit), ["n", 0]]
    raise _refused(unit, node, str(kind).rpartition(".")[2])


def _refused(unit: Unit, node: AST, what: str) -> RuleError:
    begin = node.location.begin
    return RuleError(f"a rule may not use this: {what}", unit.span(begin.line, begin.column),
                     "a ruling must be able to explain every atom: use plain rules, negation, comparisons, "
                     "aggregates and conditional literals; a breach is a derived atom, never a constraint")


def check(units: list[Unit], vocabulary: Vocabulary, ref_free: set[str]) -> None:
    """Raise an `ErrorGroup` of everything in the rules that the vocabulary does not allow.

    `ref_free` names the packs whose rules need no reference (the kernel).
    """
    errors: list[JudgeError] = []
    known = sorted({d.name for d in vocabulary.predicates.values()})
    for unit in units:
        for rule, span in zip(unit.rules, unit.spans, strict=True):
            _check_rule(rule, span, unit, vocabulary, known, ref_free, errors)
    if errors:
        raise errors[0] if len(errors) == 1 else ErrorGroup(errors)


def _check_rule(
    rule: Rule, span: Span, unit: Unit, vocabulary: Vocabulary, known: list[str],
    ref_free: set[str], errors: list[JudgeError],
) -> None:
    for name, arity in _uses(rule):
        if vocabulary.predicate(name, arity) is None:
            errors.append(_undeclared(name, arity, unit.span(*_find(unit, rule.row, name)), vocabulary, known))
    _, missing = plan(rule.body, frozenset())
    given = {v for lit in rule.body for v in literal_variables(lit)} | _assigned(rule)
    head = {v for arg in rule.args for v in term_variables(arg)}
    positive = set().union(*[literal_variables(rule.body[i]) for i in plan(rule.body, frozenset())[0]], _assigned(rule))
    unsafe = sorted(missing | (head - positive) | (head - given))
    if unsafe:
        errors.append(RuleError(f"variable {unsafe[0]} is unsafe: no positive literal gives it a value", span,
                                "add a literal that says what it ranges over"))
    decl = vocabulary.predicate(rule.name, len(rule.args))
    told = decl is not None and decl.role != "helper" and decl.needs_ref
    if told and not rule.ref and "helper" not in rule.flags and unit.pack not in ref_free:
        errors.append(RuleError("this rule has no reference", span,
                                'write %@ REF "..." above it, or open a %*! rule REF "Title" *% block'))
    variables = given | head
    for name in re.findall(r"\{([A-Z]\w*'*)", rule.line + rule.ref):
        if name not in variables:
            errors.append(RuleError(f"the line speaks of {{{name}}}, which is no variable of the rule", span,
                                    f"its variables are {', '.join(sorted(variables)) or 'none'}"))
            break


def _assigned(rule: Rule) -> set[str]:
    return {v for lit in rule.body if lit[0] == "a" and lit[4] for v in term_variables(lit[4][1])}


def _uses(rule: Rule) -> list[tuple[str, int]]:
    found = [(rule.name, len(rule.args))]

    def walk(literal: CLiteral) -> None:
        if literal[0] == "p":
            found.append((literal[2], len(literal[3])))
        elif literal[0] == "q":
            for part in [literal[1], *literal[2]]:
                walk(part)
        elif literal[0] == "a":
            for _, conditions in literal[3]:
                for condition in conditions:
                    walk(condition)

    for literal in rule.body:
        walk(literal)
    return list(dict.fromkeys(found))


def _find(unit: Unit, row: int, name: str) -> tuple[int, int, int]:
    """Where the predicate stands: row, column and length, searched from the rule's first line on."""
    bare = name.lstrip("-")
    pattern = re.compile(rf"(?<![\w{{]){re.escape(bare)}(?!\w)")
    for offset, line in enumerate(unit.lines[row - 1 : row + 30]):
        found = pattern.search(line.split("%")[0])
        if found:
            return row + offset, found.start() + 1, len(bare)
    return row, 1, 1


def _undeclared(name: str, arity: int, span: Span, vocabulary: Vocabulary, known: list[str]) -> RuleError:
    same = sorted(d.signature for d in vocabulary.predicates.values() if d.name == name.lstrip("-"))
    if same:
        return RuleError(f"{name} has {arity} arguments here", span, f"it is declared as {', '.join(same)}")
    return RuleError(f"{name}/{arity} is not declared", span,
                     did_you_mean(name.lstrip("-"), known, "declare it in a %*! block beside the rules that use it"))
