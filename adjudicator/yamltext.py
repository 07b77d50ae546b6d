"""YAML as a person means it: positions for every node, and every scalar the text that was written.

Only the composed node graph is used (libyaml through pyyaml's C loader), so `yes`, `off`, `3+`,
`12:30` and `011` stay what a person wrote. Duplicate keys, anchors, tags and more than one document
are errors with their place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import yaml

from .errors import SituationError, Span, did_you_mean

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 1_000_000
"""The largest file that is read, in bytes."""

_TAGS = frozenset("map seq str int float bool null timestamp merge value".split())
Node = yaml.Node
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PROBLEMS = (  # part of what the parser says, what is wrong, what would be right, whether it points at the opening
    ("alias", "anchors and aliases are not used here: write the value out", "", False),
    ("anchor", "anchors and aliases are not used here: write the value out", "", False),
    ("block sequence entries are not allowed", "a dash stands where a value should be",
     'put quotes around it: "-"', False),
    ("mapping values are not allowed", "this colon begins a value inside a text",
     'a text with ": " in it needs quotes around the whole of it', False),
    ("cannot start any token", "a value cannot begin like this",
     "put quotes around the whole of it; and indent with spaces, not tabs", False),
    ("expected ',' or ']'", "the list that opens here is not closed", "add the ] that is missing", True),
    ("expected ',' or '}'", "the mapping that opens here is not closed", "add the } that is missing", True),
    ("unexpected end of stream", "the quote that opens here is not closed", "add the quote that is missing", True),
    ("did not find expected", "this does not fit what stands before it",
     "what belongs together begins in the same column, and nothing follows a closing quote or bracket", False),
)


class Document:
    """One YAML text: its root node (None where it is empty) and how to point into it."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        self.lines = text.split("\n")
        self.root = self._compose(text)
        if self.root is not None:
            self._check(self.root)

    def span(self, node: Node, length: int = 0) -> Span:
        """Where a node starts; `length` characters are underlined (its own, where it is one line)."""
        mark, end = node.start_mark, node.end_mark
        if not length:
            length = end.column - mark.column if end.line == mark.line else 1
        return self.at(mark.line + 1, mark.column + 1, max(length, 1))

    def at(self, line: int, column: int, length: int = 1) -> Span:
        source = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        return Span(self.file, line, column, source, length)

    def _compose(self, text: str) -> Node | None:
        try:
            node: Node | None = yaml.compose(text, Loader=_Loader)
            return node
        except yaml.MarkedYAMLError as error:
            raise self._told(error) from None
        except yaml.reader.ReaderError as error:
            raise SituationError(f"this is no text: {error.reason}", self.at(1, 1)) from None
        except yaml.YAMLError as error:
            raise SituationError(f"this is not YAML: {error}".splitlines()[0], self.at(1, 1)) from None
        except RecursionError:
            raise SituationError("this is nested too deeply", self.at(1, 1)) from None

    def _told(self, error: yaml.MarkedYAMLError) -> SituationError:
        """What the parser found wrong, in plain words where it is something that people do."""
        problem = (error.problem or "this is not YAML").replace("\n", " ")
        for part, what, hint, opening in _PROBLEMS:
            if part in problem:
                mark = (error.context_mark if opening else None) or error.problem_mark
                return SituationError(what, self.at(mark.line + 1, mark.column + 1) if mark else None, hint)
        mark = error.problem_mark or error.context_mark
        return SituationError(problem, self.at(mark.line + 1, mark.column + 1) if mark else None)

    def _check(self, root: Node) -> None:
        seen: set[int] = set()
        todo = [root]
        while todo:
            node = todo.pop()
            if id(node) in seen:
                raise SituationError("anchors and aliases are not used here: write the value out", self.span(node))
            seen.add(id(node))
            if node.tag.removeprefix("tag:yaml.org,2002:") not in _TAGS:
                raise SituationError("tags are not used here: write the value alone", self.span(node))
            if isinstance(node, yaml.SequenceNode):
                todo.extend(node.value)
            elif isinstance(node, yaml.MappingNode):
                self._keys(node)
                todo.extend(value for _, value in node.value)

    def _keys(self, node: Node) -> None:
        seen: dict[str, Node] = {}
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise SituationError("a key is a word, not a list or a mapping", self.span(key))
            if key.value in seen:
                first = seen[key.value].start_mark.line + 1
                raise SituationError(f"the key {key.value} stands twice", self.span(key),
                                     f"it stands first in line {first}")
            seen[key.value] = key

    # What a node is expected to be ------------------------------------------------------------

    def items(self, node: Node, what: str) -> Iterator[tuple[Node, Node]]:
        """The key and value nodes of a mapping. Raises `SituationError` for anything else."""
        if not isinstance(node, yaml.MappingNode):
            raise SituationError(f"{what} is a mapping of names to values", self.span(node))
        yield from node.value

    def list(self, node: Node, what: str) -> Sequence[Node]:
        """The items of a list; a single value counts as a list of one."""
        if isinstance(node, yaml.SequenceNode):
            return list(node.value)
        if isinstance(node, yaml.ScalarNode) and not node.value and not node.style:
            return []
        return [node]

    def scalar(self, node: Node, what: str) -> str:
        """The text of a scalar. Raises `SituationError` for a list or a mapping."""
        if not isinstance(node, yaml.ScalarNode):
            hint = ""
            if isinstance(node, yaml.MappingNode):
                hint = 'a text with ": " in it needs quotes around the whole of it'
            raise SituationError(f"{what} is a text", self.span(node), hint)
        return str(node.value)

    def get(self, node: Node, key: str) -> Node | None:
        """The value under `key` of a mapping node, or None."""
        if isinstance(node, yaml.MappingNode):
            for k, value in node.value:
                if k.value == key:
                    return value  # type: ignore[no-any-return]
        return None

    def unknown(self, key: Node, known: Sequence[str], what: str) -> SituationError:
        """The error for a key that is not known here."""
        return SituationError(f"{what} has no key {key.value}", self.span(key),
                              did_you_mean(key.value, [*known], f"known: {', '.join(sorted(known))}"))


def is_mapping(node: Node | None) -> bool:
    return isinstance(node, yaml.MappingNode)


def is_sequence(node: Node | None) -> bool:
    return isinstance(node, yaml.SequenceNode)


def is_scalar(node: Node | None) -> bool:
    return isinstance(node, yaml.ScalarNode)


def read(path: Path | str) -> str:
    """The text of a file. Raises `SituationError` where it is missing, too large or no text."""
    name = str(path)
    try:
        with open(path, "rb") as handle:
            data = handle.read(LIMIT + 1)
    except FileNotFoundError:
        raise SituationError(f"there is no file {name}") from None
    except IsADirectoryError:
        raise SituationError(f"{name} is a folder, not a file") from None
    except OSError as error:
        raise SituationError(f"{name} cannot be read: {error.strerror}") from None
    except ValueError:
        raise SituationError("this is no name of a file") from None
    return text_of(data, name)


def text_of(data: bytes, name: str) -> str:
    """The text of bytes that were read. Raises `SituationError` where they are too many or no text."""
    if len(data) > LIMIT:
        raise SituationError(f"{name} is larger than {LIMIT // 1_000_000} MB; a situation is a few lines")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise SituationError(f"{name} is no text in UTF-8 (byte {error.start})") from None
