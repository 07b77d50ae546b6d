"""Cases: how they are read, compared and collected."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import CHARGE

from adjudicator.cases import case_files, load_cases, run_case
from adjudicator.errors import JudgeError
from adjudicator.judge import Judge

EXPECT = '{verdict: no, cites: ["09.06"]}'


def case(expect: str = EXPECT, name: str = "an advance bars a charge") -> str:
    return f"name: {name}\n{CHARGE}expect: {expect}\n"


def only(folder: Path, text: str) -> Path:
    path = folder / "case.yaml"
    path.write_text(text)
    return path


def listed(*cases: str) -> str:
    return "".join("- " + text.strip().replace("\n", "\n  ") + "\n" for text in cases)


def test_a_file_holds_one_case_or_a_list_each_with_its_line(tmp_path: Path) -> None:
    assert [c.name for c in load_cases(only(tmp_path, case()))] == ["an advance bars a charge"]
    both = load_cases(only(tmp_path, listed(case(name="one"), case(name="two"))))
    assert [(c.name, c.line) for c in both] == [("one", 1), ("two", 13)]


@pytest.mark.parametrize(("expect", "says"), [
    ("{verdict: no}", "expect says no cites"),
    ('{cites: ["09.06"]}', "expect says no verdict"),
    ('{verdict: no, cites: ["09.06"], because: x}', "expect has no key because"),
    ('{verdict: maybe, cites: ["09.06"]}', "there is no verdict 'maybe'"),
    ("no", "is a mapping"),
])
def test_an_expectation_that_asserts_too_little_or_cannot_be_read_is_an_error(
    tmp_path: Path, expect: str, says: str
) -> None:
    with pytest.raises(JudgeError) as raised:
        load_cases(only(tmp_path, case(expect)))
    assert says in raised.value.show()
    assert "case.yaml:12:" in raised.value.show()


@pytest.mark.parametrize(("text", "says"), [
    (listed(case(), case()), "two cases are called"),
    (case().replace("ask: can boyz declare a charge?", "ask: [one?, two?]"), "asks one question"),
    (case().replace("ask: can boyz declare a charge?\n", ""), "asks one question"),
    (f"name: x\n{CHARGE}", "expects nothing"),
    ("- just words\n", "a case is a situation"),
])
def test_what_is_no_case_is_an_error(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(JudgeError, match=says):
        load_cases(only(tmp_path, text))


@pytest.mark.parametrize(("expect", "failures"), [
    (EXPECT, []),
    ('{verdict: yes, cites: ["09.06"]}', ["verdict: expected yes, got no"]),
    ("{verdict: no, cites: []}", ["cites: expected no citations, got "]),
    ('{verdict: no, cites: ["01.99"]}', ["cites: '01.99' is not among the citations: "]),
    ('{verdict: no, cites: ["09.06"], not_cites: ["09.06"]}', ["not_cites: 09.06 is among the citations: "]),
    ('{verdict: no, cites: ["09.06"], value: 5+}', ["value: expected 5+, got none"]),
    ('{verdict: no, cites: ["09.06"], answer: boyz cannot declare a charge}', []),
    ('{verdict: no, cites: ["09.06"], answer: no}', ["answer: expected 'no', got 'boyz cannot declare a charge'"]),
    ('{verdict: no, cites: ["09.06"], assumes: [red is here]}', ["assumes: 'red is here' is not among the"]),
])
def test_everything_that_a_case_expects_is_compared(
    judge: Judge, tmp_path: Path, expect: str, failures: list[str]
) -> None:
    (one,) = load_cases(only(tmp_path, case(expect)))
    outcome = run_case(judge, one)
    assert len(outcome.failures) == len(failures), outcome.failures
    assert all(got.startswith(wanted) for got, wanted in zip(outcome.failures, failures, strict=True)), outcome.failures
    assert outcome.status == ("failed" if failures else "passed")


def test_a_case_whose_situation_is_wrong_has_an_error_and_no_ruling(judge: Judge, tmp_path: Path) -> None:
    (one,) = load_cases(only(tmp_path, case().replace("boyz advanced", "boyz flew")))
    outcome = run_case(judge, one)
    assert (outcome.status, outcome.ruling) == ("error", None)


def test_a_folder_stands_for_all_cases_below_it(tmp_path: Path) -> None:
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    only(below, case())
    assert case_files([tmp_path, below / "case.yaml"]) == [below / "case.yaml"]


def test_pytest_collects_a_case_by_file_and_name_and_shows_the_ruling_where_it_fails(
    root: Path, tmp_path: Path
) -> None:
    """The collector of `conftest.py`, on a tree of its own."""
    folder = tmp_path / "tests" / "cases"
    folder.mkdir(parents=True)
    (tmp_path / "tests" / "conftest.py").write_text((root / "tests" / "conftest.py").read_text())
    (folder / "moves.yaml").write_text(listed(case(name="good"), case('{verdict: yes, cites: ["09.06"]}', "bad")))
    (folder / "broken.yaml").write_text("name: x\n")
    ran = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", "tests",
                          "--continue-on-collection-errors"], cwd=tmp_path, capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": str(root)})
    assert "tests/cases/moves.yaml::good PASSED" in ran.stdout, ran.stdout
    assert "tests/cases/moves.yaml::bad FAILED" in ran.stdout
    assert "verdict: expected yes, got no" in ran.stdout
    assert "NO: boyz cannot declare a charge" in ran.stdout
    assert "broken.yaml:1:1: error: a case asks one question" in ran.stdout
    assert "Traceback" not in ran.stdout
