"""The judge in conversation, with its lines from a pipe."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from commands import CHARGE, run


@pytest.fixture
def charge(tmp_path: Path) -> Path:
    path = tmp_path / "charge.yaml"
    path.write_text(CHARGE)
    return path


def test_a_conversation_starts_with_the_ruling_that_the_file_asks_for(charge: Path) -> None:
    out = run("repl", charge).out
    assert f"{charge}: 2 facts" in out
    assert "NO: boyz cannot declare a charge" in out


def test_load_a_fact_a_question_why_and_quit(charge: Path) -> None:
    ran = run("repl", stdin=f"load {charge}\nburi advanced\ndid buri advance?\nwhy\nquit\ndid boyz advance?\n")
    assert ran.code == 0
    assert "3 facts" in ran.out
    assert ran.out.count("YES: buri advanced") == 2
    assert "YES: boyz advanced" not in ran.out


def test_an_error_is_told_and_the_conversation_goes_on(charge: Path) -> None:
    ran = run("repl", charge, stdin="boyz flew\nbuuri advanced\ncan boyz dance?\ndid boyz advance?\n")
    assert ran.err.count("error:") == 3
    assert "YES: boyz advanced" in ran.out


def test_without_a_situation_a_question_says_what_to_do() -> None:
    ran = run("repl", stdin="can boyz declare a charge?\nwhy\nload nowhere.yaml\n")
    assert "load FILE" in ran.err
    assert "no ruling yet" in ran.err
    assert "no file nowhere.yaml" in ran.err


def test_help_lists_the_commands_and_facts_those_stated(charge: Path) -> None:
    out = run("repl", charge, stdin="help\nfacts\n").out
    assert all(word in out for word in ("load FILE", "why", "quit"))
    assert "boyz advanced\n" in out


def test_json_prints_one_ruling_a_line(charge: Path) -> None:
    lines = run("repl", charge, "--json", stdin="did boyz advance?\n").out.splitlines()
    assert [json.loads(line)["verdict"] for line in lines] == ["no", "yes"]


def test_bytes_that_are_no_text_are_an_error_and_not_the_end(charge: Path) -> None:
    ran = subprocess.run([sys.executable, "-m", "adjudicator", "repl", str(charge)],
                         input=b"\xff\xfe\x00\ndid boyz advance?\n", capture_output=True)
    assert b"YES: boyz advanced" in ran.stdout
    assert b"Traceback" not in ran.stderr


def test_the_conversation_uses_only_what_the_package_makes_public(root: Path) -> None:
    for path in (root / "repl").glob("*.py"):
        for line in path.read_text().splitlines():
            assert not line.startswith(("from adjudicator.", "import adjudicator.", "from ..")), f"{path}: {line}"
