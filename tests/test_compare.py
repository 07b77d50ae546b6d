"""One situation under two packs or two days, packs of one's own, and what would change a ruling."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest
from commands import CHARGE, run

from adjudicator import Judge
from adjudicator.change import Candidate, kind_of, ordered
from adjudicator.compare import parting
from adjudicator.packs import load
from adjudicator.reason import Reason
from adjudicator.ruling import Change, Ruling

PACK = """\
name: my-event
version: 2026-12-05
extends: [wh40k-11e]
replaces: ["09.07: bar(_,declare_charge,_)"]
sources: [the rulings of the event]
"""
RULES = """\
%*! rule my-event/1 "Charging after falling back"
At this event a unit that fell back may still declare a charge, unless it is battle-shocked.
*%
%@ "{U} fell back battle-shocked, which bars it from declaring a charge"
bar(U,declare_charge,fell_back_bar) :- this_turn(fell_back(U)), battle_shocked(U).
"""
FELL_BACK = CHARGE.replace("boyz advanced", "boyz fell back")


@pytest.fixture
def event(tmp_path: Path) -> Path:
    """A pack of ten lines that replaces one rule of the game by its reference."""
    folder = tmp_path / "my-event"
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK)
    (folder / "rulings.lp").write_text(RULES)
    assert len((PACK + RULES).splitlines()) == 10
    return folder


@pytest.fixture
def fell_back(tmp_path: Path) -> Path:
    path = tmp_path / "fell-back.yaml"
    path.write_text(FELL_BACK)
    return path


# Packs of one's own -----------------------------------------------------------------------------


def test_a_pack_from_a_folder_rules_and_is_named_in_the_ruling(event: Path, fell_back: Path) -> None:
    assert run("rule", fell_back).out.startswith("NO: boyz cannot declare a charge")
    (ruling,) = run("rule", fell_back, "--pack", f"{event}/", "--json").json()
    assert ruling["verdict"] == "yes"
    assert ruling["packs"].endswith(", my-event 2026-12-05")
    assert run("ask", fell_back, "can boyz declare a charge?", "--pack", event).out.startswith("YES")


def test_what_the_pack_rules_instead_is_cited_by_its_own_reference(event: Path, fell_back: Path) -> None:
    shocked = fell_back.with_name("shocked.yaml")
    shocked.write_text(FELL_BACK.replace("  - boyz fell back", "  - boyz fell back\n  - boyz is battle-shocked"))
    (ruling,) = run("rule", shocked, "--pack", event, "--json").json()
    assert ruling["verdict"] == "no"
    assert "my-event/1" in ruling["citations"]


def test_the_rest_of_the_rule_still_holds(event: Path, fell_back: Path) -> None:
    question = "can boyz start an action?"
    (ruling,) = run("ask", fell_back, question, "--pack", event, "--json").json()
    assert ruling["verdict"] == "no"
    assert "09.07" in ruling["citations"]


def test_a_whole_rule_is_replaced_by_its_reference_alone(event: Path) -> None:
    (event / "pack.yaml").write_text(PACK.replace('"09.07: bar(_,declare_charge,_)"', '"09.07"'))
    assert {rule.pack for rule in load([str(event)]).rules if rule.ref == "09.07"} == set()


def test_a_pack_names_the_folder_that_it_extends_from_where_it_stands(event: Path, fell_back: Path) -> None:
    other = event.parent / "house"
    other.mkdir()
    (other / "pack.yaml").write_text("name: house\nversion: 2026-12-06\nextends: [../my-event]\n")
    (ruling,) = run("rule", fell_back, "--pack", other, "--json").json()
    assert (ruling["verdict"], ruling["packs"].split(", ")[-2:]) == ("yes", ["my-event 2026-12-05", "house 2026-12-06"])


@pytest.mark.parametrize(("old", "new", "message"), [
    ("09.07: bar", "09.77: bar", "did you mean 09.07?"),
    ("declare_charge", "declare_chrage", "09.07 derives"),
    ("name: my-event", "name: wh40k-11e", "two packs are called wh40k-11e"),
    ("extends: [wh40k-11e]", "extends: [wh40k-12e]", "did you mean wh40k-11e?"),
    ("replaces:", "replace:", "did you mean replaces?"),
])
def test_a_pack_that_is_wrong_is_an_error_with_what_would_be_right(
    event: Path, fell_back: Path, old: str, new: str, message: str
) -> None:
    (event / "pack.yaml").write_text(PACK.replace(old, new))
    ran = run("rule", fell_back, "--pack", event)
    assert ran.code in (2, 3)
    assert message in ran.err


def test_the_pack_that_the_docs_go_through_is_this_one(root: Path) -> None:
    page = (root / "docs" / "authors.md").read_text()
    for text in (PACK, RULES):
        assert indent(text, "   ") in page


# Side by side -----------------------------------------------------------------------------------


def test_compare_tells_each_verdict_and_where_the_reasons_part(event: Path, fell_back: Path) -> None:
    ran = run("compare", fell_back, "--pack", event)
    lines = ran.out.splitlines()
    assert ran.code == 0
    assert lines[0].startswith("can boyz declare a charge?")
    assert lines[0].endswith("differs")
    assert lines[1].split()[:2] == ["wh40k-11e", load(["wh40k-11e"]).main.version]
    assert "NO: boyz cannot declare a charge" in lines[1]
    assert lines[2].split()[:2] == ["my-event", "2026-12-05"]
    assert "YES: boyz can declare a charge" in lines[2]
    assert "The reasons part here:" in lines[3]
    assert "boyz fell back this turn" in lines[4]


def test_compare_as_json_holds_both_rulings(event: Path, fell_back: Path) -> None:
    (told,) = run("compare", fell_back, "--pack", "wh40k-11e", "--pack", event, "--json").json()
    assert told["differs"] is True
    assert [side["ruling"]["verdict"] for side in told["sides"]] == ["no", "yes"]
    assert [side["ignored"] for side in told["sides"]] == [[], []]
    assert len(told["parts"]) == 2


def test_a_table_with_datasheets_of_one_game_is_ruled_under_another(event: Path, root: Path, fell_back: Path) -> None:
    for name in ("pack.yaml", "rulings.lp"):
        (event / name).unlink()
    (event / "pack.yaml").write_text("name: my-game\nversion: 2026-12-05\nextends: [kernel]\n")
    words = '%*! m\n@term characteristic "M"\n*%\n%*! weary(Unit)\n@fact "{Unit} is weary"\n*%\n'
    (event / "words.lp").write_text(words)
    fell_back.write_text("pack: wh40k-11e\nsides: [red]\nunits: {boyz: {side: red, datasheet: orks/boyz}}\nask: x?")
    (told,) = run("compare", fell_back, "is boyz weary?", "--pack", event, "--json").json()
    assert [side["ruling"]["verdict"] for side in told["sides"]] == ["not-modelled", "no"]


def test_what_means_nothing_to_one_pack_is_named_and_what_means_nothing_to_any_is_an_error(
    event: Path, fell_back: Path
) -> None:
    with (event / "rulings.lp").open("a") as rules:
        rules.write('%*! had_a_rest(Unit)\n@event "{Unit} had a rest"\n@not "{Unit} did not have a rest"\n*%\n')
    fell_back.write_text(FELL_BACK.replace("  - boyz fell back", "  - boyz fell back\n  - boyz had a rest"))
    ran = run("compare", fell_back, "--pack", event)
    assert "Means nothing under wh40k-11e" in ran.out
    assert "boyz had a rest" in ran.out
    fell_back.write_text(FELL_BACK.replace("boyz fell back", "boyz fell bakc"))
    ran = run("compare", fell_back, "--pack", event)
    assert (ran.code, ran.out) == (3, "")
    assert "boyz fell bakc" in ran.err


def test_a_question_that_only_one_pack_reads_is_not_modelled_under_the_other(event: Path, fell_back: Path) -> None:
    with (event / "rulings.lp").open("a") as rules:
        rules.write('%*! rested(Unit)\n@fact "{Unit} is rested"\n*%\n')
    (told,) = run("compare", fell_back, "is boyz rested?", "--pack", event, "--json").json()
    assert [side["ruling"]["verdict"] for side in told["sides"]] == ["not-modelled", "no"]


def test_days_are_held_against_each_other(fell_back: Path) -> None:
    ran = run("compare", fell_back, "--as-of", "2026-01-01", "--as-of", "2027-01-01", "--json")
    (told,) = ran.json()
    assert [side["label"] for side in told["sides"]] == ["as of 2026-01-01", "as of 2027-01-01"]
    assert [side["ruling"]["date"] for side in told["sides"]] == ["2026-01-01", "2027-01-01"]
    assert (told["differs"], told["parts"]) == (False, [])


def test_packs_and_days_of_the_same_number_belong_together(event: Path, fell_back: Path) -> None:
    ran = run("compare", fell_back, "--pack", "wh40k-11e", "--pack", event, "--as-of", "2026-01-01", "--as-of",
              "2027-01-01", "--json")
    labels = [side["label"] for side in ran.json()[0]["sides"]]
    assert labels[0].endswith(", as of 2026-01-01")
    assert labels[1] == "my-event 2026-12-05, as of 2027-01-01"


@pytest.mark.parametrize(("more", "message"), [
    ((), "there is nothing to compare"),
    (("--pack", "a", "--pack", "b", "--pack", "c", "--as-of", "2026-01-01", "--as-of", "2026-01-02"), "do not go"),
    (("--as-of", "tomorrow"), "is no day"),
    (("--pack", "wh40k-11"), "did you mean wh40k-11e?"),
])
def test_what_cannot_be_compared_is_an_error(fell_back: Path, more: tuple[str, ...], message: str) -> None:
    ran = run("compare", fell_back, *more)
    assert ran.code == 2
    assert message in ran.err


def reason(text: str, ref: str = "", *children: Reason) -> Reason:
    return Reason(text, "rule", ref, list(children))


def rulings(*trees: list[Reason]) -> list[Ruling]:
    return [Ruling("q?", "yes", "q", because=tree) for tree in trees]


def test_reasons_part_at_the_first_that_another_tree_does_not_have() -> None:
    first = [reason("a", "1", reason("b", "2"), reason("c", "3"))]
    second = [reason("a", "1", reason("b", "2"), reason("d", "4"))]
    assert parting(rulings(first, second)) == ["c [3]", "d [4]"]
    assert parting(rulings(first, [reason("a", "1", reason("b", "2"))])) == ["c [3]", ""]
    assert parting(rulings(first, first)) == []


def test_other_numbers_for_the_same_words_count_only_where_nothing_else_differs() -> None:
    assert parting(rulings([reason("a", "1"), reason("b")], [reason("a", "x"), reason("c")])) == ["b", "c"]
    assert parting(rulings([reason("a", "1")], [reason("a", "x")])) == ["a [1]", "a [x]"]


# What would change it ---------------------------------------------------------------------------


def test_change_tells_what_can_still_happen_apart_from_what_is_history(tmp_path: Path) -> None:
    path = tmp_path / "moves.yaml"
    path.write_text(CHARGE.replace("phase: charge", "phase: movement"))
    advanced = run("change", path, "did boyz advance?", "--json").json()[0]
    assert [(c["facts"], c["kind"]) for c in advanced["changes"]] == [(["boyz did not advance"], "history")]
    unmoved = CHARGE.replace("  - boyz advanced\n", "")
    path.write_text(unmoved.replace("phase: charge", "phase: movement"))
    fell_back = run("change", path, "did boyz fall back?", "--json").json()[0]
    assert [(c["facts"], c["kind"]) for c in fell_back["changes"]] == [(["boyz fell back"], "possible")]
    path.write_text(unmoved)
    over = run("change", path, "did boyz fall back?", "--json").json()[0]
    assert [(c["facts"], c["kind"]) for c in over["changes"]] == [(["boyz fell back"], "history")]


def test_a_card_can_be_called_until_its_phase_is_over(tmp_path: Path) -> None:
    question = "is the Waaagh! active for boyz?"
    for phase, kind in (("command", "possible"), ("charge", "history")):
        path = tmp_path / f"{phase}.yaml"
        table = CHARGE.replace("phase: charge", f"phase: {phase}")
        table = table.replace("sides: [red, blue]", "sides: {red: {faction: orks}, blue: }")
        path.write_text(table.replace("boyz: {side: red,", 'boyz: {side: red, abilities: ["Waaagh!"],'))
        told = run("change", path, question, "--json").json()[0]
        assert [(c["facts"], c["kind"]) for c in told["changes"]] == [(["red called the Waaagh!"], kind)]


def test_how_things_stand_is_neither(tmp_path: Path) -> None:
    path = tmp_path / "shocked.yaml"
    path.write_text(CHARGE.replace('  - boyz is 8" from buri\n', ""))
    told = run("change", path, "is boyz engaged?", "--json").json()[0]
    assert (["boyz is engaged"], "state") in [(c["facts"], c["kind"]) for c in told["changes"]]
    ran = run("change", path, "is boyz engaged?")
    assert "boyz is engaged" in ran.out
    assert "how things stand" in ran.out


def test_a_change_of_several_facts_is_as_far_away_as_the_furthest() -> None:
    assert Change(["a", "b"], "yes", kinds=["possible", "state"]).kind == "state"
    assert Change(["a", "b"], "yes", kinds=["history", "possible"]).kind == "history"


def test_small_sets_come_first_and_among_them_what_can_still_be_brought_about() -> None:
    changes = [Change(["a", "b"], "yes", kinds=["possible", "possible"]), Change(["c"], "yes", kinds=["history"]),
               Change(["d"], "yes", kinds=["possible"])]
    ruling = Ruling("q?", "no", "", changes=changes)
    assert [change.facts for change in ordered(ruling)] == [["d"], ["c"], ["a", "b"]]


def test_an_event_of_an_earlier_time_is_history() -> None:
    atom = ("happened", (("advanced", "boyz"), ("last_turn",)))
    assert kind_of(Candidate(atom, False, "boyz advanced last turn"), None) == "history"


def test_a_ruling_says_what_its_changes_are(tmp_path: Path) -> None:
    path = tmp_path / "charge.yaml"
    path.write_text(CHARGE)
    assert "boyz did not advance (YES, history)" in run("rule", path).out


def test_where_nothing_would_change_it_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "far.yaml"
    path.write_text(CHARGE.replace("  - boyz advanced\n", "").replace('8"', '20"'))
    assert "Nothing that could be otherwise would change it." in run("change", path, 'is boyz within 3" of buri?').out


def test_the_judge_marks_changes_in_the_api_too(tmp_path: Path) -> None:
    judge = Judge()
    ruling = judge.rule(judge.situation_from_text(CHARGE), "can boyz declare a charge?")
    assert [change.kind for change in ruling.changes] == ["history"]
    assert ruling.to_dict()["changes"][0]["kinds"] == ["history"]
