"""Reading the declarations of a rule file into the vocabulary.

A declaration is a doc block `%*! head ... *%` beside the rules that use it (the form that the
potassco tools render). Its head is one of

    %*! type unit                a type of argument; `@names KEY` where a situation lists its names
    %*! rule 01.01 "Title"       a numbered rule: title, then a summary, `@status`, `@since`, `@until`
    %*! moved(Unit)              a predicate or term; argument names give the types (primes are siblings)

and its body is text with one directive a line. This module reads one block; `packs` collects them.
"""

from __future__ import annotations

import re

import msgspec

from .errors import RuleError, Span
from .vocabulary import Decl, OptionDecl, ReadingDecl, RuleDecl, TypeDecl, Vocabulary

ROLES = ("fact", "event", "derived", "helper", "input", "question", "term")
BASES = ("official", "event", "community", "ours")
DIRECTIVES = ("also", "by", "not", "ask", "default", "stated", "joins", "quiet", "opaque", "data", "key", "effect",
              "says", "yes", "no", "answer")
KINDS = ("may", "is", "value", "order", "outcome")
_HEAD = re.compile(r"(-?[a-z_][A-Za-z0-9_]*)\s*(?:\(([^()]*)\))?\s*$")
_DIRECTIVE = re.compile(r"\s*@([a-z]+)\b\s*(.*)$")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_AUX = re.compile(r"(?<![\w{])(is|are|has|have|was|were|can|must|does)(?:\|\w+)?(?!\w)")


class Block(msgspec.Struct):
    """A doc block as it stands in a file: its text without the comment marks, and where it starts."""

    text: str
    file: str
    line: int
    column: int
    lines: list[str]

    def span(self, offset: int = 0, column: int = 1, length: int = 1) -> Span:
        line = self.line + offset
        source = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        return Span(self.file, line, column, source, length)


def read_block(block: Block, into: Vocabulary, pack: str) -> RuleDecl | None:
    """Add what the block declares to `into`; the rule that it opens, where it opens one.

    Raises `RuleError` for a head or a directive that is not known, and for a second declaration.
    """
    first, *rest = block.text.split("\n")
    head = first.strip()
    doc, directives = _split(rest)
    if head.startswith("type "):
        _read_type(block, head[5:].strip(), doc, directives, into)
        return None
    if head.startswith("reading "):
        _read_reading(block, head[8:].strip(), doc, directives, into)
        return None
    if head.startswith("rule "):
        return _read_rule(block, head[5:].strip(), doc, directives, into, pack)
    _read_predicate(block, head, doc, directives, into, pack)
    return None


def _split(rest: list[str]) -> tuple[str, list[tuple[int, str, str]]]:
    doc: list[str] = []
    directives: list[tuple[int, str, str]] = []
    for offset, line in enumerate(rest, start=1):
        found = _DIRECTIVE.match(line)
        if found:
            directives.append((offset, found.group(1), found.group(2).strip()))
        elif line.strip():
            doc.append(line.strip())
    return " ".join(doc), directives


def _read_type(
    block: Block, name: str, doc: str, directives: list[tuple[int, str, str]], into: Vocabulary
) -> None:
    decl = into.types.get(name) or TypeDecl(name, noun=name.replace("_", " "), doc=doc)
    for offset, word, rest in directives:
        if word == "names":
            decl.names = rest
        elif word == "noun":
            decl.noun = rest.strip('"')
        elif word == "of":
            decl.of = rest.split()
        elif word == "free":
            decl.free = rest or "same"
        else:
            raise _unknown(block, offset, word, ["names", "noun", "of", "free"])
    into.types[name] = decl


def _read_rule(
    block: Block,
    head: str,
    doc: str,
    directives: list[tuple[int, str, str]],
    into: Vocabulary,
    pack: str,
) -> RuleDecl:
    found = re.match(r'(\S+)\s+"((?:[^"\\]|\\.)*)"$', head)
    if not found:
        raise RuleError("a rule is declared by its reference and its title", block.span(),
                        'write: %*! rule 01.01 "Title"')
    decl = RuleDecl(found.group(1), found.group(2), doc, pack=pack, file=block.file, line=block.line)
    for offset, word, rest in directives:
        if word == "status":
            status, _, reason = rest.partition(" ")
            if status not in ("encoded", "partial", "not-modelled"):
                raise RuleError(f"there is no status {status}", block.span(offset),
                                "a status is encoded, partial or not-modelled")
            decl.status, decl.reason = status, reason.strip().strip('"')
        elif word in ("since", "until"):
            setattr(decl, word, rest)
        elif word == "states":
            decl.states.extend(rest.split())
        else:
            raise _unknown(block, offset, word, ["status", "since", "until", "states"])
    if not doc:
        raise RuleError(f"rule {decl.ref} has no summary", block.span(),
                        "say in a line of our own what it does")
    declare_rule(decl, into, block.span())
    return decl


def _read_reading(
    block: Block, head: str, doc: str, directives: list[tuple[int, str, str]], into: Vocabulary
) -> None:
    found = re.match(r'([a-z][a-z0-9-]*)\s+"((?:[^"\\]|\\.)*)"$', head)
    if not found:
        raise RuleError("a reading is declared by its name and its question", block.span(),
                        'write: %*! reading torrent "Does it need a 6?"')
    decl = ReadingDecl(found.group(1), found.group(2), doc)
    for offset, word, rest in directives:
        option = re.match(r'([a-z][a-z0-9-]*)\s+"((?:[^"\\]|\\.)*)"\s+(\w+)(\s+default)?$', rest)
        if word != "option" or not option or option.group(3) not in BASES:
            raise RuleError("a reading has options, each with its basis", block.span(offset),
                            f'write: @option name "what it says" {"|".join(BASES)} [default]')
        decl.options.append(OptionDecl(option.group(1), option.group(2), option.group(3), bool(option.group(4))))
    if len(decl.options) < 2 or sum(o.default for o in decl.options) != 1:
        raise RuleError(f"the reading {decl.name} needs two options or more, one of them default", block.span())
    into.readings[decl.name] = decl


def declare_rule(decl: RuleDecl, into: Vocabulary, span: Span) -> None:
    """Add a rule; versions of one rule in a pack must have dates that keep them apart.

    Raises `RuleError` for a second declaration without such dates.
    """
    old = into.rules.get(decl.ref)
    if old is None or old.pack != decl.pack:
        into.rules[decl.ref] = decl
        return
    versions = [old, *old.older]
    for other in versions:
        if (not decl.until or not other.since or other.since < decl.until) and (
            not other.until or not decl.since or decl.since < other.until
        ):
            raise RuleError(f"rule {decl.ref} is declared twice for the same time", span,
                            f"the other declaration is at {other.file}:{other.line}; "
                            "give versions dates: @until 2026-08-26 and @since 2026-08-26")
    newest = max([decl, *versions], key=lambda d: d.since)
    newest.older = [d for d in (decl, *versions) if d is not newest]
    for other in newest.older:
        other.older = []
    into.rules[decl.ref] = newest


def _read_predicate(
    block: Block,
    head: str,
    doc: str,
    directives: list[tuple[int, str, str]],
    into: Vocabulary,
    pack: str,
) -> None:
    found = _HEAD.match(head)
    if not found:
        raise RuleError(f"{head!r} is no head of a declaration", block.span(),
                        "write: %*! name(Type, Type') or %*! type name or %*! rule REF \"Title\"")
    args = [arg.strip() for arg in (found.group(2) or "").split(",") if arg.strip()]
    for arg in args:
        if not re.match(r"[A-Z][A-Za-z0-9]*'*$", arg):
            raise RuleError(f"{arg!r} is no name of an argument", block.span(),
                            "an argument is named by its type with a capital: Unit, Unit'")
    decl = Decl(found.group(1), args, "", doc=doc, pack=pack, file=block.file, line=block.line)
    for offset, word, rest in directives:
        _directive(block, decl, offset, word, rest)
    if not decl.role:
        raise RuleError(f"{decl.signature} has no role", block.span(),
                        "add one of @fact @event @derived @helper @input @question @term")
    decl.opaque = decl.opaque or decl.name.startswith("_")
    _complete(block, decl)
    table = into.terms if decl.role in ("term", "event", "question") else into.predicates
    old = table.get(decl.signature)
    if old is not None:
        raise RuleError(f"{decl.signature} is declared twice", block.span(),
                        f"the other declaration is at {old.file}:{old.line}")
    table[decl.signature] = decl


def _directive(block: Block, decl: Decl, offset: int, word: str, rest: str) -> None:
    quoted = [_unescape(text) for text in _QUOTED.findall(rest)]
    if word in ROLES:
        decl.role = word
        if word == "question":
            decl.kind = rest.split()[0] if rest.split() else ""
            if decl.kind not in KINDS:
                raise RuleError(f"there is no kind of question {decl.kind!r}", block.span(offset),
                                f"a question is one of {', '.join(KINDS)}")
        if word == "term":
            decl.type = rest.split()[0] if rest.split() and not rest.startswith('"') else ""
            if not decl.type:
                raise RuleError("a term needs its type", block.span(offset),
                                'write: @term action "do something"')
        if word == "event":
            decl.type = "event"
        decl.sentences.extend(quoted)
    elif word == "also":
        decl.sentences.extend(quoted)
    elif word == "not":
        decl.negatives.extend(quoted)
    elif word == "ask":
        decl.asks.extend(quoted)
    elif word == "by":
        decl.by = rest.split()
    elif word == "default":
        decl.default = rest == "true"
    elif word == "stated":
        decl.stated = rest
    elif word == "joins":
        decl.joins = True
    elif word == "quiet":
        decl.quiet = True
    elif word == "opaque":
        decl.opaque = True
    elif word == "data":
        decl.needs_ref = False
    elif word == "key":
        kind, _, key = rest.partition(" ")
        decl.keys.append([kind, key.strip()])
    elif word == "effect":
        _effect(block, decl, offset, rest)
    elif word == "says":
        decl.sentences.extend(quoted)
    elif word in ("yes", "answer"):
        decl.asks.extend(quoted)
    elif word == "no":
        decl.negatives.extend(quoted)
    else:
        raise _unknown(block, offset, word, [*ROLES, *DIRECTIVES])


def _effect(block: Block, decl: Decl, offset: int, rest: str) -> None:
    found = re.match(r"([a-z][a-z -]*?):\s*(?:\{(.*)\}|([A-Z]\w*'*))\s*$", rest)
    if not found:
        raise RuleError("an effect verb is declared with its fields", block.span(offset),
                        "write: @effect modify: {roll: Roll, by: Delta}")
    decl.role, decl.verb = decl.role or "input", found.group(1)
    if found.group(3):
        decl.fields = [["", found.group(3)]]
        return
    for part in filter(None, (p.strip() for p in found.group(2).split(","))):
        key, _, arg = part.partition(":")
        decl.fields.append([key.strip(), arg.strip()])
    for _, arg in decl.fields:
        if arg not in decl.args:
            raise RuleError(f"{arg} is no argument of {decl.signature}", block.span(offset),
                            f"its arguments are {', '.join(decl.args)}")


def _complete(block: Block, decl: Decl) -> None:
    for sentence in [*decl.sentences, *decl.negatives, *decl.asks]:
        for name in re.findall(r"\{([^}]*)\}", sentence):
            if name not in decl.args and not (decl.role == "question" and name == "Answer"):
                raise RuleError(f"{{{name}}} is no argument of {decl.signature}", block.span(),
                                f"its arguments are {', '.join(decl.args) or 'none'}")
    if decl.role in ("fact", "event", "derived", "question") and not decl.sentences:
        raise RuleError(f"{decl.signature} has no sentence", block.span(),
                        f'write: @{decl.role} "..." with its arguments in braces')
    if decl.role in ("fact", "event", "derived"):
        if not decl.negatives:
            decl.negatives = [n for n in map(negate, decl.sentences) if n]
        if not decl.negatives and decl.role == "derived" and "event" not in decl.types:
            decl.negatives = [f"it is not so that {decl.sentences[0]}"]
        if not decl.negatives and "event" not in decl.types:
            raise RuleError(f"{decl.signature} has no negative", block.span(),
                            '"is", "has" and "was" are negated by themselves; others need @not "..."')
        if not decl.asks:
            decl.asks = [a for a in map(interrogate, decl.sentences) if a]


def negate(sentence: str) -> str:
    """`{Unit} is engaged` -> `{Unit} is not engaged`; empty where there is no auxiliary verb."""
    found = _AUX.search(sentence)
    return f"{sentence[: found.end()]} not{sentence[found.end() :]}" if found else ""


def interrogate(sentence: str) -> str:
    """`{Unit} is engaged` -> `is {Unit} engaged?`; empty where no auxiliary follows the subject."""
    found = re.match(r"(\{[^}]*\}) ((?:is|are|has|have|was|were)(?:\|\w+)?) (.*)$", sentence)
    return f"{found.group(2)} {found.group(1)} {found.group(3)}?" if found else ""


def _unescape(text: str) -> str:
    return text.replace('\\"', '"').replace("\\\\", "\\")


def _unknown(block: Block, offset: int, word: str, known: list[str]) -> RuleError:
    from .errors import did_you_mean

    span = block.span(offset)
    column = span.source.find(f"@{word}") + 1
    return RuleError(f"there is no directive @{word}", block.span(offset, max(column, 1), len(word) + 1),
                     did_you_mean(f"@{word}", [f"@{k}" for k in known], f"known: {', '.join(known)}"))
