"""Every error that a user can cause: one message, one place, one hint, one exit code.

An error owns its text and its exit code (as click's exceptions do): the command line, the API and
the interactive judge only decide where to print `show()`.
"""

from __future__ import annotations

import msgspec

USAGE, FAULT, UNMODELLED = 2, 3, 4


class Span(msgspec.Struct, frozen=True):
    """A place in a text: `line` and `column` count from 1; `source` is the line itself."""

    file: str
    line: int
    column: int
    source: str = ""
    length: int = 1

    def caret(self) -> str:
        """The source line with a caret below the place, or nothing where the line is unknown."""
        if not self.source.strip():
            return ""
        start = max(self.column - 1, 0)
        shown, offset = self.source.expandtabs(1), start
        if len(shown) > 160:
            cut = max(start - 60, 0)
            shown, offset = shown[cut : cut + 160], start - cut
        width = max(1, min(self.length, len(shown) - offset))
        return f"    {shown}\n    {' ' * offset}{'^' * width}"


class JudgeError(Exception):
    """Something in a rule file, a situation or a question that cannot be used as it stands."""

    exit_code = FAULT

    def __init__(self, message: str, span: Span | None = None, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint

    def show(self) -> str:
        """The full text: what is wrong, where, the line with a caret, what would be right."""
        lines = [f"error: {self.message}"]
        if self.span is not None:
            lines[0] = f"{self.span.file}:{self.span.line}:{self.span.column}: {lines[0]}"
            caret = self.span.caret()
            if caret:
                lines.append(caret)
        if self.hint:
            lines.append(f"  {self.hint}")
        return "\n".join(printable(line) for line in lines)

    def __str__(self) -> str:
        return self.show()


class RuleError(JudgeError):
    """A rule file or a rule card cannot be read."""


class SituationError(JudgeError):
    """A situation, a case, a sentence or a question cannot be read, or contradicts itself."""


class UsageError(JudgeError):
    """A command was called with something that does not exist."""

    exit_code = USAGE


class ErrorGroup(JudgeError):
    """Several errors found in one pass."""

    def __init__(self, errors: list[JudgeError]) -> None:
        super().__init__(errors[0].message, errors[0].span, errors[0].hint)
        self.errors = errors

    def show(self) -> str:
        return "\n".join(error.show() for error in self.errors)


def printable(text: str) -> str:
    """The text with control characters made visible, so that an error cannot garble a terminal."""
    return "".join(c if c in "\n\t" or c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def nearest(word: str, known: list[str]) -> str:
    """The known name closest to `word`, or an empty string (difflib, cut-off 0.6)."""
    from difflib import get_close_matches

    by_fold = {name.casefold(): name for name in sorted(known, reverse=True)}
    found = get_close_matches(word.casefold(), sorted(by_fold), n=1, cutoff=0.6)
    return by_fold[found[0]] if found else ""


def did_you_mean(word: str, known: list[str], otherwise: str = "") -> str:
    """The sentence "did you mean X?", or `otherwise` where nothing is near."""
    found = nearest(word, known)
    return f"did you mean {found}?" if found else otherwise
