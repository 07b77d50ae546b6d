"""The cache: what is kept saves time, and never changes a ruling, whatever happens to it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from adjudicator import Judge, cache

QUESTION = "can alpha act?"
PACK = """\
%%*! rule 01.01 "Acting"
A unit that has not moved may act.
*%%
%%*! moved(Unit)
@fact "{Unit} moved"
@not "{Unit} did not move"
@default true
*%%
%%*! act
@term action "act"
*%%
%%*! steady
@term need "it did not move"
*%%
need(act,steady).
told_in(act,"01.01").
%%@ 01.01 "{U} %s"
meets(U,act,steady) :- considered(U,act), not moved(U).
"""
SITUATION = "pack: {}\nsides: [red]\nunits:\n  alpha: {{side: red}}\nask: can alpha act?\n"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of one rule, last changed a minute ago, with a cache of its own."""
    monkeypatch.setenv("JUDGE_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "pack.yaml").write_text("name: game\nversion: 2026-01-01\nextends: [kernel]\n")
    written(folder / "rules.lp", "stands still")
    return folder


def written(file: Path, says: str, ago: int = 60) -> None:
    file.write_text(PACK % says)
    stamp = file.stat().st_mtime - ago
    for path in (file, file.parent, file.parent / "pack.yaml"):
        os.utime(path, (stamp, stamp))


def reason(game: Path) -> str:
    judge = Judge()
    situation = judge.situation_from_text(SITUATION.format(game))
    return judge.rule(situation, QUESTION).because[0].text


def kept(game: Path, part: str) -> list[Path]:
    return sorted((game.parent / "cache").glob(part))


def test_the_second_ruling_comes_from_the_cache(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = reason(game)
    assert first == "alpha stands still"
    assert kept(game, "*-rules.msgpack")

    def refuse(names: list[str]) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(cache.packs, "load", refuse)
    assert reason(game) == first


def test_a_changed_rule_is_compiled_again(game: Path) -> None:
    assert reason(game) == "alpha stands still"
    written(game / "rules.lp", "stays put", ago=30)
    assert reason(game) == "alpha stays put"


def test_a_change_of_the_same_length_within_a_moment_is_seen(game: Path) -> None:
    written(game / "rules.lp", "stands still", ago=0)
    assert reason(game) == "alpha stands still"
    written(game / "rules.lp", "stayed there", ago=0)
    assert reason(game) == "alpha stayed there"


def test_a_rule_file_that_is_added_is_seen(game: Path) -> None:
    key = cache.indexed([str(game)])[0]
    (game / "more.lp").write_text("% nothing\n")
    assert cache.indexed([str(game)])[0] != key


@pytest.mark.parametrize("part", ["index-*.msgpack", "*-rules.msgpack", "[0-9a-f]*.msgpack", "*.msgpack"])
def test_a_damaged_cache_costs_only_time(game: Path, part: str) -> None:
    assert reason(game) == "alpha stands still"
    files = kept(game, part)
    assert files
    for file in files:
        file.write_bytes(b"\xff" * file.stat().st_size)
    assert reason(game) == "alpha stands still"


def test_a_cache_that_cannot_be_written_costs_only_time(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = game.parent / "file"
    blocked.write_text("")
    monkeypatch.setenv("JUDGE_CACHE", str(blocked / "below"))
    assert reason(game) == "alpha stands still"
