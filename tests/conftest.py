"""Collects the cases of `tests/cases/` as test items, and gives tests one shared judge.

A case is an item named by its file and its name, so one case is run by
`pytest "tests/cases/charging.yaml::S14 a lowered critical hit"`; a failing one shows what was expected and the ruling.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "tests" / "cases"
os.environ.setdefault("JUDGE_CACHE", str(ROOT / ".pytest_cache" / "judge"))

from adjudicator.cases import Case, Outcome, load_cases, run_case  # noqa: E402
from adjudicator.errors import JudgeError  # noqa: E402
from adjudicator.judge import Judge  # noqa: E402

settings.register_profile("ci", derandomize=True)  # a build says the same of the same commit; elsewhere luck goes on
if os.environ.get("CI"):
    settings.load_profile("ci")

JUDGE = Judge()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix == ".yaml" and CASES in file_path.parents:
        return CaseFile.from_parent(parent, path=file_path)
    return None


class CaseFile(pytest.File):
    """A file of cases."""

    def collect(self) -> Iterator[pytest.Item]:
        for case in load_cases(os.path.relpath(self.path)):
            yield CaseItem.from_parent(self, name=case.name, case=case)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: Any) -> Any:
        if isinstance(excinfo.value, JudgeError):
            return excinfo.value.show()
        return super().repr_failure(excinfo)


class CaseItem(pytest.Item):
    """One case."""

    def __init__(self, *, case: Case, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.case = case

    def runtest(self) -> None:
        outcome = run_case(JUDGE, self.case)
        if outcome.status != "passed":
            raise CaseFailed(outcome)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *args: Any) -> Any:
        if isinstance(excinfo.value, CaseFailed):
            return "\n".join(excinfo.value.outcome.lines())
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.case.line - 1, self.name


class CaseFailed(Exception):
    """A case did not come out as expected."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.case.name)
        self.outcome = outcome


@pytest.fixture(scope="session")
def judge() -> Judge:
    """A judge whose packs are loaded once for all tests."""
    return JUDGE


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the source tree."""
    return ROOT
