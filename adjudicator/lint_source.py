"""What stands where in rule files: the names, variables and annotations of every rule with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from clingo.ast import AST, ASTType, parse_string

from .cards import Card
from .packs import Pack, files_of
from .yamltext import read


class Use(msgspec.Struct):
    """A name with its number of arguments where a rule uses it."""

    name: str
    arity: int
    line: int
    column: int
    head: bool = False

    @property
    def signature(self) -> str:
        return f"{self.name}/{self.arity}"


class Statement(msgspec.Struct):
    """One rule as it is written, before pools are taken apart."""

    line: int
    column: int
    predicates: list[Use] = []
    terms: list[Use] = []
    strings: list[str] = []
    variables: dict[str, list[tuple[int, int]]] = {}
    told: set[str] = set()


class Source(msgspec.Struct):
    """A rule file (or the rules of a card) of a pack; `shown` is what the judge calls it."""

    pack: str
    shown: str
    path: str
    lines: list[str]
    statements: list[Statement] = []
    hooks: set[str] = set()


def sources(packs: list[Pack], cards: list[Card]) -> list[Source]:
    """Every rule file of the packs and every card with rules of its own. What clingo cannot parse has no rules."""
    found = []
    for pack in packs:
        for path in files_of(pack):
            shown = f"{pack.name}/{path.relative_to(pack.folder).as_posix()}"
            if path.suffix == ".lp":
                found.append(_read(Source(pack.name, shown, str(path), []), read(path), 0))
            found.extend(_read(Source(pack.name, shown, str(path), []), card.asp, card.asp_row - 1)
                         for card in cards if card.file == shown and card.pack == pack.name and card.asp)
    return found


def place_of(packs: list[Pack], shown: str) -> str:
    """The path of what the judge calls `pack/file`."""
    name, _, rest = shown.partition("/")
    return next((str(Path(pack.folder) / rest) for pack in packs if pack.name == name), shown)


def lets_pass(lines: list[str], row: int, code: str) -> bool:
    """Whether the comments right above a line (counted from 1) let a finding pass, with a reason."""
    at = min(row, len(lines)) - 1
    while at > 0 and re.match(r"\s*[%#]", lines[at - 1]) and "*%" not in lines[at - 1]:
        at -= 1
        if re.search(rf"lint: {code} \S", lines[at]):
            return True
    return False


_TOLD = re.compile(r"\{([A-Z]\w*'*)")


def _read(source: Source, text: str, row: int) -> Source:
    source.lines = text.split("\n")
    above: list[str] = []

    def take(node: AST) -> None:
        if node.ast_type == ASTType.Comment:
            if str(node).startswith("%@"):
                above.append(str(node))
        elif node.ast_type == ASTType.Defined:
            source.hooks.add(f"{node.name}/{node.arity}")
        elif node.ast_type == ASTType.Rule:
            begin = node.location.begin
            statement = Statement(begin.line + row, begin.column, told=set(_TOLD.findall(" ".join(above))))
            above.clear()
            _walk(node.head, statement, True, row)
            for literal in node.body:
                _walk(literal, statement, False, row)
            source.statements.append(statement)

    try:
        parse_string(text, take, logger=lambda *_: None)
    except RuntimeError:
        source.statements.clear()
    return source


def _walk(node: AST, statement: Statement, head: bool, row: int) -> None:
    kind = node.ast_type
    if kind == ASTType.SymbolicAtom:
        symbol = node.symbol
        if symbol.ast_type == ASTType.UnaryOperation:
            symbol = symbol.argument
        for option in symbol.arguments if symbol.ast_type == ASTType.Pool else [symbol]:
            arguments = option.arguments if option.ast_type == ASTType.Function else []
            name = option.name if option.ast_type == ASTType.Function else option.symbol.name
            begin = option.location.begin
            statement.predicates.append(Use(name, len(arguments), begin.line + row, begin.column, head))
            for argument in arguments:
                _walk(argument, statement, head, row)
        return
    if kind in (ASTType.Variable, ASTType.SymbolicTerm, ASTType.Function):
        line, column = node.location.begin.line + row, node.location.begin.column
        if kind == ASTType.Variable:
            statement.variables.setdefault(node.name, []).append((line, column))
        elif kind == ASTType.Function:
            if node.name:
                statement.terms.append(Use(node.name, len(node.arguments), line, column, head))
        elif node.symbol.type.value == 4:
            statement.strings.append(node.symbol.string)
        elif node.symbol.type.value == 5:
            statement.terms.append(Use(node.symbol.name, 0, line, column, head))
    for child in _children(node):
        _walk(child, statement, head, row)


def _children(node: AST) -> Iterator[AST]:
    for key in node.child_keys:
        value: Any = getattr(node, key)
        if isinstance(value, AST):
            yield value
        elif value is not None:
            yield from (part for part in value if isinstance(part, AST))
