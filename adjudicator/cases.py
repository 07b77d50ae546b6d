"""Cases: situations with a question and the ruling that is expected; the regression suite is made of them.

    - name: who moved may not act
      pack: a-game
      ...
      ask: can alpha act?
      expect: {verdict: no, cites: ["01.01"]}
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import msgspec

from .errors import JudgeError, SituationError, UsageError
from .packs import HERE
from .ruling import VERDICTS, Ruling
from .situation import header, open_file
from .yamltext import Document, Node, is_mapping, is_sequence

if TYPE_CHECKING:
    from .judge import Judge

KEYS = ("verdict", "value", "answer", "cites", "not_cites", "assumes")


class Expected(msgspec.Struct):
    """What a case asserts. `cites` and `assumes` must all be there; an empty list says that there is none."""

    verdict: str
    cites: list[str]
    value: str | None = None
    answer: str | None = None
    not_cites: list[str] = []
    assumes: list[str] | None = None


class Case(msgspec.Struct):
    """One case of a file; `node` is its situation in `document`."""

    name: str
    file: str
    line: int
    document: Document
    node: Node
    expect: Expected

    def packs(self) -> list[str]:
        """The packs that the case is ruled under."""
        return header(self.document, self.node)


class Outcome(msgspec.Struct):
    """How a case went: the ruling or the error, and a line for each thing that is not as expected."""

    case: Case
    ruling: Ruling | None
    failures: list[str]
    seconds: float
    error: JudgeError | None = None

    @property
    def status(self) -> str:
        """`passed`, `failed`, or `error` where there was no ruling."""
        return "error" if self.error is not None else "failed" if self.failures else "passed"

    def to_dict(self) -> dict[str, object]:
        """The outcome as `judge test --json` writes it."""
        return {
            "name": self.case.name,
            "file": self.case.file,
            "verdict": self.ruling.verdict if self.ruling is not None else "",
            "expected": self.case.expect.verdict,
            "citations": self.ruling.citations if self.ruling is not None else [],
            "status": self.status,
            "seconds": round(self.seconds, 6),
        }

    def lines(self) -> Iterator[str]:
        """What went wrong as a tree of short lines, with the ruling below it."""
        from .render import as_text

        yield f"{self.status}: {self.case.name}  ({self.case.file}:{self.case.line})"
        for failure in self.failures:
            yield f"  {failure}"
        if self.error is not None:
            yield from (f"  {line}" for line in self.error.show().splitlines())
        if self.ruling is not None:
            yield f"  {self.ruling.question}"
            yield from (f"    {line}" for line in as_text(self.ruling).splitlines())


# Loading --------------------------------------------------------------------------------------


def load_cases(path: str | Path) -> list[Case]:
    """The cases of a file: one, or a list. Raises `SituationError` with the place of what is wrong."""
    document = open_file(str(path))
    root = document.root
    assert root is not None
    nodes = document.list(root, "cases") if is_sequence(root) else [root]
    cases = [_case(document, node) for node in nodes]
    seen: dict[str, Case] = {}
    for case in cases:
        other = seen.setdefault(case.name, case)
        if other is not case:
            raise SituationError(f"two cases are called {case.name!r}", document.span(case.node),
                                 f"the other is in line {other.line}")
    return cases


def _case(document: Document, node: Node) -> Case:
    if not is_mapping(node):
        raise SituationError("a case is a situation with ask and expect", document.span(node))
    asked = document.get(node, "ask")
    questions = document.list(asked, "ask") if asked is not None else []
    if len(questions) != 1:
        raise SituationError("a case asks one question", document.span(asked or node),
                             "write another case for another question" if questions else "add a line ask: ...")
    expect = document.get(node, "expect")
    if expect is None:
        raise SituationError("this case expects nothing", document.span(node),
                             "add a line expect: {verdict: ..., cites: [...]}")
    name = next((document.scalar(n, key) for key in ("name", "title") if (n := document.get(node, key))), "")
    line = node.start_mark.line + 1
    return Case(name or f"line {line}", document.file, line, document, node, _expected(document, expect))


def _expected(document: Document, node: Node) -> Expected:
    given: dict[str, Node] = {}
    for key, value in document.items(node, "expect"):
        if key.value not in KEYS:
            raise document.unknown(key, list(KEYS), "expect")
        given[key.value] = value
    for needed in ("verdict", "cites"):
        if needed not in given:
            raise SituationError(f"expect says no {needed}", document.span(node),
                                 "a case asserts the verdict and the rules that it rests on")

    def texts(key: str) -> list[str]:
        return [document.scalar(item, key) for item in document.list(given[key], key)]

    verdict = document.scalar(given["verdict"], "verdict")
    if verdict not in VERDICTS:
        raise SituationError(f"there is no verdict {verdict!r}", document.span(given["verdict"]),
                             f"a verdict is one of {', '.join(VERDICTS)}")
    return Expected(
        verdict,
        texts("cites"),
        document.scalar(given["value"], "value") if "value" in given else None,
        document.scalar(given["answer"], "answer") if "answer" in given else None,
        texts("not_cites") if "not_cites" in given else [],
        texts("assumes") if "assumes" in given else None,
    )


def case_files(paths: Iterable[str | Path]) -> list[Path]:
    """The YAML files of these paths, folders with all that is below them. Raises `UsageError` for none."""
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*.yaml") if p.is_file())
            if not inside:
                raise UsageError(f"there are no cases in {path}", hint="cases are YAML files")
            found.extend(inside)
        elif path.exists():
            found.append(path)
        else:
            raise UsageError(f"there is no file {path}")
    return list(dict.fromkeys(found))


def own_suite() -> Path | None:
    """The cases that come with the judge: beside the package, or in the source tree."""
    inside, source = Path(HERE) / "suite", Path(HERE).parent / "tests" / "cases"
    return next((p for p in (inside, source) if p.is_dir()), None)


def shown_path(path: Path) -> str:
    """A path as it is told: from the current folder where it lies below it."""
    try:
        relative = os.path.relpath(path)
    except ValueError:
        return str(path)
    return str(path) if relative.startswith("..") else relative


# Running --------------------------------------------------------------------------------------


def run_case(judge: Judge, case: Case) -> Outcome:
    """Rule on a case and compare. An error of the case's own is part of the outcome."""
    start = perf_counter()
    try:
        situation = judge.situation(case.document, case.node)
        question, span = situation.asks[0]
        ruling = judge.rule(situation, question, span, changes=False)
    except JudgeError as error:
        return Outcome(case, None, [], perf_counter() - start, error)
    return Outcome(case, ruling, list(differences(case.expect, ruling)), perf_counter() - start)


def differences(expect: Expected, ruling: Ruling) -> Iterator[str]:
    """A line for each thing in which a ruling is not what was expected."""
    if ruling.verdict != expect.verdict:
        yield f"verdict: expected {expect.verdict}, got {ruling.verdict}"
    if expect.value is not None and ruling.value != expect.value:
        yield f"value: expected {expect.value}, got {ruling.value or 'none'}"
    if expect.answer is not None and ruling.answer != expect.answer:
        yield f"answer: expected {expect.answer!r}, got {ruling.answer!r}"
    yield from _missing("cites", "citations", expect.cites, ruling.citations)
    for ref in expect.not_cites:
        if ref in ruling.citations:
            yield f"not_cites: {ref} is among the citations: {', '.join(ruling.citations)}"
    if expect.assumes is not None:
        yield from _missing("assumes", "assumptions", expect.assumes, [a.text for a in ruling.assumptions])


def _missing(key: str, noun: str, expected: list[str], got: list[str]) -> Iterator[str]:
    listed = "; ".join(got) or "none"
    if not expected and got:
        yield f"{key}: expected no {noun}, got {listed}"
    for text in expected:
        if text not in got:
            yield f"{key}: {text!r} is not among the {noun}: {listed}"
