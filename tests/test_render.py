"""Rulings as text: what a page looks like."""

from __future__ import annotations

import pytest

from adjudicator.reason import Reason
from adjudicator.render import ALL_LEVELS, as_text, is_cut, label, wrapped
from adjudicator.ruling import Assumption, Branch, Change, Contested, Read, Ruling

FACT = Reason("boyz advanced this turn", "stated")
BAR = Reason("boyz advanced this turn, which bars it from declaring a charge", "rule", "09.06", [FACT])


def ruling(**changed: object) -> Ruling:
    one = Ruling("can boyz declare a charge?", "no", "boyz cannot declare a charge", citations=["09.06"],
                 because=[BAR], packs="wh40k-11e 2026-10")
    for name, value in changed.items():
        setattr(one, name, value)
    return one


def test_verdict_and_answer_stand_left_and_citations_with_the_packs_right() -> None:
    assert as_text(ruling()).splitlines() == [
        "NO: boyz cannot declare a charge                                          [09.06]  wh40k-11e 2026-10",
        "  boyz advanced this turn, which bars it from declaring a charge                             [09.06]",
        "    boyz advanced this turn                                                                   stated",
    ]


def test_the_packs_go_below_where_they_do_not_fit_beside_the_citations() -> None:
    lines = as_text(ruling(packs="wh40k-common 2026-12-04, wh40k-11e 2026-10, my-event 2026-11-30")).splitlines()
    assert lines[0].startswith("NO: boyz cannot declare a charge  ")
    assert lines[0].endswith(" [09.06]")
    assert lines[1].strip() == "wh40k-common 2026-12-04, wh40k-11e 2026-10, my-event 2026-11-30"
    assert len(lines[0]) == len(lines[1]) == 100


@pytest.mark.parametrize("width", [40, 57, 64, 80, 100, 200])
def test_no_line_is_wider_than_the_page(width: int) -> None:
    long = "boyz has the ability and it is active for as long as nothing ends it, so it may do this and also that"
    page = as_text(ruling(because=[Reason(long, "rule", "a/very/long/reference", [Reason(long, "assumed")])],
                          citations=[f"24.{i:02d}" for i in range(30)]), width)
    assert max(map(len, page.splitlines())) <= width
    assert all(line == line.rstrip() for line in page.splitlines())


def test_a_word_that_is_wider_than_the_page_is_kept_whole() -> None:
    assert wrapped("a " + "x" * 60, 40, "", "  ") == ["a", "  " + "x" * 60]


def test_a_long_reason_hangs_below_its_first_line_and_its_reference_ends_the_last() -> None:
    reason = Reason("one two three four five six seven eight nine ten eleven", "rule", "01.01")
    lines = as_text(ruling(because=[reason]), 40).splitlines()
    assert lines[-2:] == ["  one two three four five six seven", "      eight nine ten eleven      [01.01]"]


@pytest.mark.parametrize(("verdict", "value", "opening"), [
    ("yes", "", "YES:"), ("no", "", "NO:"), ("value", "5+", "5+:"), ("order", "2", "ORDER:"),
    ("outcome", "", "OUTCOME:"), ("depends", "", "DEPENDS"), ("not-modelled", "", "NOT MODELLED:"),
])
def test_every_verdict_opens_the_page_with_its_label(verdict: str, value: str, opening: str) -> None:
    assert label(verdict, value) == opening
    assert as_text(ruling(verdict=verdict, value=value)).startswith(f"{opening} ")


def test_two_levels_of_reasons_are_shown_unless_more_are_asked_for() -> None:
    deep = Reason("one", "rule", "01", [Reason("two", "rule", "02", [Reason("three", "stated")])])
    assert "three" not in as_text(ruling(because=[deep]))
    assert "      three" in as_text(ruling(because=[deep]), levels=ALL_LEVELS)
    assert is_cut(ruling(because=[deep]))
    assert not is_cut(ruling())


def test_a_reason_without_a_source_that_leads_to_one_other_costs_no_level() -> None:
    chain = Reason("it may not charge", "rule", "", [Reason("boyz cannot charge", "absence", "", [BAR])])
    lines = as_text(ruling(because=[chain])).splitlines()
    assert [line.strip() for line in lines[1:3]] == ["it may not charge", "boyz cannot charge"]
    assert lines[3].startswith("      boyz advanced this turn, which bars it")
    assert lines[4].startswith("        boyz advanced this turn")
    two = Reason("it may not charge", "rule", "", [Reason("boyz cannot charge", "absence", "", [BAR]), FACT])
    assert "bars it" not in as_text(ruling(because=[Reason("no", "rule", "01", [two])]))
    assert is_cut(ruling(because=[Reason("no", "rule", "01", [two])]))


def test_a_reason_that_was_told_is_referred_to_and_not_told_again() -> None:
    after = Reason("so it may not fight first", "rule", "12.01", [BAR])
    text = as_text(ruling(because=[BAR, after]), levels=ALL_LEVELS)
    assert text.count("boyz advanced this turn  ") == 1
    assert text.count("bars it from declaring a charge (as above)") == 1


def test_a_reason_whose_own_reasons_were_cut_is_told_in_full_where_there_is_room() -> None:
    deep = Reason("so it may not fight first", "rule", "12.01", [Reason("because", "rule", "12.02", [BAR])])
    text = as_text(ruling(because=[deep, Reason("because", "rule", "12.02", [BAR])]))
    assert "(as above)" not in text
    assert "bars it from declaring a charge" in text


def test_what_was_assumed_and_what_would_change_the_ruling_close_the_page() -> None:
    text = as_text(ruling(
        assumptions=[Assumption("boyz is on the battlefield", "no"), Assumption("buri is visible to boyz")],
        changes=[Change(["boyz did not advance"], "yes"), Change(["a", "b"], "4+")],
    ), width=200)
    assert text.splitlines()[-2:] == [
        "Assumed: boyz is on the battlefield (if not: NO); buri is visible to boyz.",
        "Would change it: boyz did not advance (YES); a and b (4+).",
    ]


def test_a_contested_ruling_tells_what_each_reading_rules_and_which_was_taken() -> None:
    text = as_text(ruling(contested=[Contested("does the bar outlast the turn?", [
        Read("it does", "event", True, "no", "boyz cannot"), Read("it does not", "ours", False, "yes", "boyz can"),
    ])]), width=200)
    assert text.splitlines()[-1] == (
        "Contested: does the bar outlast the turn? it does (event, taken here): NO, boyz cannot; "
        "it does not (ours): YES, boyz can.")


def test_a_ruling_that_depends_tells_what_follows_from_each_option() -> None:
    text = as_text(ruling(verdict="depends", answer="on red's choice: how many hits wound by themselves", because=[],
                          branches=[Branch("none", "no", "boyz cannot"), Branch("one", "value", "boyz needs 5+")]))
    assert text.splitlines()[0].startswith("DEPENDS on red's choice: how many hits wound by themselves ")
    assert text.splitlines()[1:] == ["  none: NO: boyz cannot", "  one: boyz needs 5+"]


def test_an_assumed_reason_is_marked_as_assumed() -> None:
    (line,) = [row for row in as_text(ruling(because=[Reason("buri is visible to boyz", "assumed")])).splitlines()
               if "visible" in row]
    assert line.endswith(" assumed")


def test_what_was_merely_assumed_stands_in_the_closing_lines_unless_every_step_is_shown() -> None:
    one = ruling(because=[Reason("boyz did not fall back", "assumed"), BAR],
                 assumptions=[Assumption("boyz did not fall back")])
    assert as_text(one).count("boyz did not fall back") == 1
    assert as_text(one, levels=ALL_LEVELS).count("boyz did not fall back") == 2


def test_a_line_that_only_repeats_the_one_above_or_its_sister_is_left_out() -> None:
    twice = Reason("boyz is 8 inches away", "rule", "01.04", [Reason("boyz is 8 inches away", "stated"), FACT, FACT])
    text = as_text(ruling(because=[twice]))
    assert text.count("boyz is 8 inches away") == 1
    assert text.count("boyz advanced this turn") == 1


def test_control_characters_are_made_visible() -> None:
    assert "\x1b" not in as_text(ruling(answer="\x1b[31mred"))


def test_colour_marks_the_verdict_and_nothing_else() -> None:
    plain, colored = as_text(ruling()), as_text(ruling(), color=True)
    assert colored.replace("\x1b[1;31m", "").replace("\x1b[0m", "") == plain
    assert colored.count("\x1b") == 2
