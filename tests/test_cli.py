"""The command line: what it prints, its exit codes, and what it does with bad input."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import CHARGE, run

RULING_KEYS = {"question", "verdict", "answer", "value", "citations", "because", "assumptions", "changes", "branches",
               "contested", "unread", "packs", "date"}


@pytest.fixture
def charge(tmp_path: Path) -> Path:
    """A situation in which a unit that advanced wants to charge."""
    path = tmp_path / "charge.yaml"
    path.write_text(CHARGE)
    return path


def written(folder: Path, text: str, name: str = "situation.yaml") -> Path:
    path = folder / name
    path.write_text(text)
    return path


# Rulings ----------------------------------------------------------------------------------------


def test_a_ruling_opens_with_verdict_answer_citations_and_packs_in_one_line(charge: Path) -> None:
    ran = run("rule", charge)
    first = ran.out.splitlines()[0]
    assert first.startswith("NO: boyz cannot declare a charge ")
    assert "[09.06" in first
    assert "wh40k-11e" in first
    assert ran.code == 0


def test_a_question_on_the_command_line_is_ruled_on_instead_of_that_of_the_file(charge: Path) -> None:
    ran = run("ask", charge, "did boyz advance?")
    assert ran.out.startswith("YES: boyz advanced")
    assert ran.code == 0


def test_several_questions_get_a_ruling_each(charge: Path) -> None:
    assert [r["verdict"] for r in run("ask", charge, "did boyz advance?", "did buri advance?", "--json").json()] == [
        "yes", "no"]


def test_rulings_as_json_are_a_list_with_stable_keys_that_are_all_documented(charge: Path, root: Path) -> None:
    rulings = run("rule", charge, charge, "--json").json()
    assert len(rulings) == 2
    assert set(rulings[0]) >= RULING_KEYS
    documented = (root / "docs" / "json.md").read_text()
    assert all(f"| `{key}` |" in documented for key in rulings[0])
    assert rulings[0]["verdict"] == "no"
    assert "09.06" in rulings[0]["citations"]
    assert set(rulings[0]["because"][0]) == {"text", "kind", "ref", "holds", "children"}


def test_full_shows_every_level_of_reasons_and_the_default_two(charge: Path) -> None:
    short = run("rule", charge).out.splitlines()
    full = run("rule", charge, "--full").out.splitlines()
    assert len(full) >= len(short)
    assert not any(line.startswith("      ") and line.rstrip().endswith("stated") for line in short)


def test_one_situation_of_a_file_is_named_by_the_beginning_of_its_name(tmp_path: Path) -> None:
    both = "".join("- " + f"name: {name}\n{CHARGE}".replace("\n", "\n  ").rstrip() + "\n"
                   for name in ("first", "second"))
    path = written(tmp_path, both)
    assert len(run("rule", path, "--json").json()) == 2
    assert len(run("rule", path, "--case", "sec", "--json").json()) == 1
    assert run("ask", path, "did boyz advance?").code == 2
    assert run("ask", path, "did boyz advance?", "--case", "first").code == 0
    unknown = run("rule", path, "--case", "third")
    assert unknown.code == 2
    assert "first" in unknown.err


def test_a_situation_may_come_from_the_standard_input() -> None:
    assert run("rule", "-", stdin=CHARGE).out.startswith("NO: ")


def test_one_bad_file_does_not_keep_the_others_from_their_ruling(charge: Path, tmp_path: Path) -> None:
    ran = run("rule", written(tmp_path, "pack: wh40k-11e\nfacts: [boyz flew]\nask: x?\n"), charge)
    assert "NO: boyz cannot declare a charge" in ran.out
    assert "boyz flew" in ran.err
    assert ran.code == 3


def test_colour_marks_the_verdict_only_where_it_is_asked_for(charge: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b" not in run("rule", charge).out
    assert "\x1b[1;31mNO:\x1b[0m boyz" in run("rule", charge, "--color", "always").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("rule", charge, "--color", "auto").out


def test_a_pack_given_on_the_command_line_replaces_that_of_the_file(charge: Path, tmp_path: Path) -> None:
    pack = tmp_path / "house"
    pack.mkdir()
    (pack / "pack.yaml").write_text("name: house\nversion: 2026-11-01\nextends: [wh40k-11e]\nreplaces: ['09.06']\n")
    ran = run("rule", charge, "--pack", pack)
    assert "house 2026-11-01" in ran.out.splitlines()[0] + ran.out.splitlines()[1]
    assert "09.06" not in ran.out


def test_a_ruling_as_of_a_day_says_so(charge: Path) -> None:
    assert run("rule", charge, "--as-of", "2026-12-24", "--json").json()[0]["date"] == "2026-12-24"
    wrong = run("rule", charge, "--as-of", "christmas")
    assert wrong.code == 2
    assert "christmas" in wrong.err


# Exit codes -------------------------------------------------------------------------------------


def test_a_question_about_an_action_that_no_rule_knows_is_not_modelled(tmp_path: Path) -> None:
    pack = tmp_path / "thin"
    pack.mkdir()
    (pack / "pack.yaml").write_text("name: thin\nversion: 2026-11-01\nextends: [kernel]\n")
    (pack / "words.lp").write_text('%*! type side\n@names sides\n*%\n%*! type unit\n@names units\n*%\n%*! type actor\n'
                                   '@of unit side\n*%\n%*! dance\n@term action "dance"\n*%\n')
    ran = run("rule", written(tmp_path, f"pack: {pack}\nsides: [red]\nask: can red dance?\n"))
    assert ran.out.startswith("NOT MODELLED:"), ran
    assert ran.code == 4


@pytest.mark.parametrize("args", [
    (), ("rule",), ("judge",), ("rule", "--colour", "x.yaml"), ("rule", "x.yaml", "--color", "red"),
    ("rule", "nowhere.yaml"), ("rule", "x.yaml", "--pack", "wh40k"), ("rules", "99.99"), ("rules", "--asp"),
    ("test", "nowhere"), ("ask", "x.yaml"),
], ids=" ".join)
def test_what_does_not_exist_is_a_usage_error(args: tuple[str, ...]) -> None:
    ran = run(*args)
    assert ran.code == 2
    assert ran.err.strip()


def test_a_file_with_a_name_that_is_nearly_right_is_suggested(charge: Path) -> None:
    assert f"did you mean {charge}?" in run("rule", str(charge).replace("charge.yaml", "charges.yaml")).err


def test_a_wrong_pack_gets_the_nearest_name(charge: Path) -> None:
    assert "did you mean wh40k-11e?" in run("rule", charge, "--pack", "wh40k-11").err


def test_nobody_reading_on_is_no_error(charge: Path) -> None:
    ran = subprocess.run(f'{sys.executable} -c "from adjudicator.cli import main; main()" rules | head -n 1',
                         shell=True, capture_output=True, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    assert ran.returncode == 0
    assert ran.stderr == ""


# Bad input --------------------------------------------------------------------------------------


def bad(tmp_path: Path, text: str, *expected: str, code: int = 3) -> str:
    """The error for a situation text: it must come with its place and say all that is expected."""
    path = written(tmp_path, text)
    ran = run("rule", path)
    assert ran.code == code, ran
    assert str(path) in ran.err, ran
    for part in expected:
        assert part in ran.err, ran
    return ran.err


def test_a_wrong_sentence_shows_its_place_and_the_nearest_sentence(tmp_path: Path) -> None:
    error = bad(tmp_path, CHARGE.replace("boyz advanced", "boyz advancd"), "boyz advancd", "the nearest sentence is:",
                "advanced")
    assert ":8:5: error:" in error
    assert "^^^^" in error


def test_a_wrong_question_shows_the_nearest_one(tmp_path: Path) -> None:
    bad(tmp_path, CHARGE.replace("declare a charge?", "declare a change?"), "the nearest")


def test_an_unknown_unit_is_named_with_those_that_exist(tmp_path: Path) -> None:
    bad(tmp_path, CHARGE.replace("- boyz advanced", "- boys advanced"), "there is no", "'boys'", "boyz")


def test_a_datasheet_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    bad(tmp_path, CHARGE.replace("buri: {side: blue, T: 6, Sv: 3+, W: 5}", "buri: {side: blue, datasheet: orks/boys}"),
        "there is no datasheet 'orks/boys'", "orks/boyz")


def test_an_unknown_key_is_an_error(tmp_path: Path) -> None:
    bad(tmp_path, CHARGE.replace("facts:", "fact:"), "no key fact", "did you mean facts?")


def test_a_side_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    bad(tmp_path, CHARGE.replace("side: blue", "side: green"), "green", "red, blue")


@pytest.mark.parametrize(("first", "second"), [
    ("boyz advanced", "boyz did not advance"),
    ("boyz advanced", "boyz remained stationary"),
])
def test_facts_that_contradict_each_other_are_refused(tmp_path: Path, first: str, second: str) -> None:
    bad(tmp_path, CHARGE.replace("- boyz advanced", f"- {first}\n  - {second}"))


def test_more_models_or_wounds_than_there_are_is_an_error(tmp_path: Path) -> None:
    bad(tmp_path, CHARGE.replace("count: 9,", "count: none,"), "number of models")


@pytest.mark.parametrize(("text", "says"), [
    ("", "is empty"),
    ("# nothing but a remark\n", "is empty"),
    ("just words\n", "mapping"),
    ("- \n", "mapping"),
    ("pack:\n", "no pack"),
    ("pack: wh40k-11e\npack: wh40k-11e\n", "stands twice"),
    ("pack: [wh40k-11e\n", "error"),
    ("pack: wh40k-11e\nunits: {a: &x {side: red}, b: *x}\n", "anchors"),
    ("pack: !!python/object:os.system wh40k-11e\n", "tag"),
    ("a: &a [x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: &d [*c, *c]\npack: wh40k-11e\n", "anchors"),
    ("pack: wh40k-11e\n---\npack: wh40k-11e\n", ""),
    ("pack: wh40k-11e\nask: \n", "asks nothing"),
    ("[" * 5000, ""),
    ("pack: wh40k-11e\nunits: {a: {side: red}}\nask: is a engaged?\n", "red"),
    ("pack: wh40k-11e\ndate: tomorrow\nask: x?\n", "date"),
    ("pack: wh40k-11e\nfacts:\n  - {a: b, c: d}\nask: x?\n", "text"),
], ids=lambda value: value[:20].replace("\n", " ") if isinstance(value, str) else None)
def test_a_file_that_is_no_situation_is_one_clear_error(tmp_path: Path, text: str, says: str) -> None:
    path = written(tmp_path, text)
    ran = run("rule", path)
    assert ran.code in (2, 3), ran
    assert says in ran.err, ran
    assert ran.err.count("error:") == 1, ran


def test_a_binary_file_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "binary.yaml"
    path.write_bytes(bytes(range(256)) * 40)
    ran = run("rule", path)
    assert ran.code == 3
    assert "no text" in ran.err


def test_control_characters_of_a_file_do_not_reach_the_terminal(tmp_path: Path) -> None:
    path = written(tmp_path, CHARGE.replace("boyz advanced", '"boyz \\e[31m advanced"'))
    assert "\x1b" not in run("rule", path).err


def test_a_file_of_ten_megabytes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_bytes(b"# " + b"x" * 10_000_000)
    ran = run("rule", path)
    assert ran.code == 3
    assert "larger than" in ran.err


def test_a_folder_is_no_situation(tmp_path: Path) -> None:
    assert run("rule", tmp_path).code == 3


@pytest.mark.parametrize("name", [
    'the "big" boys', "o'brien", "a). bar(X,Y,Z) :- unit(X", "#show.", "x :- not x.", "%*! type x *%", "\\", "{U}",
    "a,b", "()", "böyz", "_", "not", "1 2 3", "@nob", "--help", "x" * 80,
])
def test_a_name_stays_a_name_whatever_is_in_it(tmp_path: Path, name: str) -> None:
    quoted = "'" + name.replace("'", "''") + "'"
    text = CHARGE.replace("  boyz:", f"  {quoted}:").replace(
        "- boyz advanced\n  - boyz is", f"- '{name.replace(chr(39), chr(39) * 2)} advanced'\n  - "
        f"'{name.replace(chr(39), chr(39) * 2)} is").replace('from buri', "from buri'").replace(
        "ask: can boyz declare a charge?", f"ask: 'can {name.replace(chr(39), chr(39) * 2)} declare a charge?'")
    ran = run("rule", written(tmp_path, text), "--json")
    assert ran.code == 0, ran
    assert ran.json()[0]["verdict"] == "no"
    assert ran.json()[0]["answer"] == f"{name} cannot declare a charge"


# Cases ------------------------------------------------------------------------------------------


def case(verdict: str = "no", cites: str = '["09.06"]', more: str = "") -> str:
    return f"name: an advance bars a charge\n{CHARGE}expect: {{verdict: {verdict}, cites: {cites}{more}}}\n"


def test_cases_that_come_out_as_expected_pass(tmp_path: Path) -> None:
    ran = run("test", written(tmp_path, case()))
    assert ran.out.startswith("1 passed in ")
    assert ran.code == 0


def test_a_failing_case_is_told_as_a_tree_with_its_ruling(tmp_path: Path) -> None:
    ran = run("test", written(tmp_path, case("yes", '["99.99"]')))
    lines = ran.out.splitlines()
    assert lines[0].startswith("failed: an advance bars a charge")
    assert lines[1] == "  verdict: expected yes, got no"
    assert lines[2].startswith("  cites: '99.99' is not among the citations: ")
    assert "    NO: boyz cannot declare a charge" in ran.out
    assert "0 passed, 1 failed" in lines[-1]
    assert ran.code == 1


def test_cases_as_json_have_the_documented_shape(tmp_path: Path) -> None:
    told = run("test", written(tmp_path, case("yes")), "--json").json()
    assert set(told) == {"passed", "failed", "cases"}
    assert (told["passed"], told["failed"]) == (0, 1)
    (one,) = told["cases"]
    assert set(one) == {"name", "file", "verdict", "expected", "citations", "status", "seconds"}
    assert (one["verdict"], one["expected"], one["status"]) == ("no", "yes", "failed")
    assert isinstance(one["seconds"], float)


def test_a_case_whose_situation_is_wrong_counts_as_failed_and_says_where(tmp_path: Path) -> None:
    ran = run("test", written(tmp_path, case().replace("boyz advanced", "boyz flew")))
    assert ran.code == 3
    assert "boyz flew" in ran.out
    assert ":9:5: error:" in ran.out


def test_a_file_of_cases_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    written(tmp_path, case(), "good.yaml")
    written(tmp_path, "name: x\n", "bad.yaml")
    ran = run("test", tmp_path)
    assert "1 passed, 1 file could not be read" in ran.out
    assert "bad.yaml:1:1" in ran.err
    assert ran.code == 3


# Rules ------------------------------------------------------------------------------------------


def test_rules_as_json_are_a_list_with_exactly_the_documented_keys() -> None:
    rules = run("rules", "--json").json()
    assert all(set(rule) == {"pack", "ref", "title", "status", "cases"} for rule in rules)
    assert {rule["status"] for rule in rules} <= {"encoded", "partial", "not-modelled"}
    advance = next(rule for rule in rules if rule["ref"] == "09.06")
    assert (advance["pack"], advance["title"]) == ("wh40k-11e", "Advance move")


def test_rules_are_listed_by_pack() -> None:
    lines = run("rules").out.splitlines()
    assert lines[0].startswith("wh40k-")
    assert any(line.startswith("  09.06 ") for line in lines)


def test_one_rule_is_told_with_its_summary_pack_and_status() -> None:
    out = run("rules", "09.06").out
    assert out.startswith("09.06  Advance move")
    assert "pack: wh40k-11e " in out
    assert "status: encoded" in out
    assert "cases: " in out


def test_the_rules_below_a_reference_are_listed() -> None:
    refs = [rule["ref"] for rule in run("rules", "09", "--json").json()]
    assert "09.06" in refs
    assert all(ref.startswith("09.") for ref in refs)


def test_asp_prints_what_a_rule_becomes() -> None:
    out = run("rules", "09.06", "--asp").out
    assert "advanced_bar" in out
    assert " :- " in out
    (one,) = run("rules", "09.06", "--asp", "--json").json()
    assert {"summary", "reason", "since", "until", "file", "line", "asserted_by", "asp"} < set(one)


def test_asp_prints_the_facts_of_a_card() -> None:
    assert 'card("orks/waaagh"' in run("rules", "orks/waaagh", "--asp").out


def test_an_unknown_rule_gets_the_nearest_reference_or_that_of_its_title() -> None:
    assert "did you mean 09.06?" in run("rules", "advance move").err
    assert "did you mean orks/waaagh?" in run("rules", "orks/waagh").err
