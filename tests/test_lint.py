"""What `judge lint` finds: each code once, with its place, and nothing in packs that are as they should be."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import run

from adjudicator.lint import CODES, Evidence, Finding, lint
from adjudicator.lint_cycles import components
from adjudicator.lint_shapes import meets
from adjudicator.packs import available, games, load

BASE = {
    "pack.yaml": "name: base\nversion: 2026-01-01\n",
    "words.lp": """\
%*! type unit
@names units
*%
%*! type card
@of trick
*%
%*! type trick
*%
%*! type effect
*%
%*! type amount
*%
%*! unit(Unit)
@input
*%
%*! card_price(Card, Number)
@key card price
@input
*%
%*! card_effect(Card, Effect)
@key card effects
@input
*%
%*! ask(Question)
@input
*%
%*! answer(Question, Number)
@helper
*%
%*! tired(Unit)
@fact "{Unit} is tired"
*%
%*! how_dear(Card)
@question value "what is the price of {Card}?"
@answer "{Card} costs {Answer}"
*%
answer(how_dear(C),N) :- ask(how_dear(C)), card_price(C,N), not card_effect(C,_).
""",
}
GAME = {
    "pack.yaml": "name: game\nversion: 2026-01-02\nextends: [../base]\n",
    "rules.lp": """\
%*! ready(Unit)
@derived "{Unit} is ready"
*%
%*! rule 1.1 "Being ready"
A unit that is not tired is ready.
*%
%@ 1.1 "{U} is ready"
ready(U) :- unit(U), not tired(U).
""",
    "cards.yaml": "trick: Some Trick\nref: tricks/some\nsummary: it has a price\nprice: 2\n",
}


def packs(tmp_path: Path, **changed: str) -> Path:
    """The two packs, with some files written otherwise; the folder of the upper one."""
    for name, files in (("base", BASE), ("game", GAME)):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        for file, text in files.items():
            (folder / file).write_text(text)
    for place, text in changed.items():
        path = tmp_path / place.replace("__", "/").replace("_lp", ".lp").replace("_yaml", ".yaml")
        path.write_text(text)
    return tmp_path / "game"


def found(folder: Path, evidence: Evidence | None = None) -> list[Finding]:
    return lint([[str(folder)]], None, evidence)


RULES = GAME["rules.lp"]
RULE = '%*! rule 1.1 "Being ready"\nA unit that is not tired is ready.\n*%\n'
HEAD = RULES[: RULES.index("%@")]


def test_packs_that_are_as_they_should_be_give_no_finding(tmp_path: Path) -> None:
    assert found(packs(tmp_path), Evidence({"1.1", "tricks/some"})) == []


CASES = [
    ("J001", {"game__rules_lp": RULES + "ready(U) :- unit(U)"}, "rules.lp", 10, 1),
    ("J001", {"game__rules_lp": RULES.replace("@derived", "@derive")}, "rules.lp", 2, 1),
    ("J001", {"game__cards_yaml": GAME["cards.yaml"] + "prize: 3\n"}, "cards.yaml", 5, 1),
    ("J002", {"game__pack_yaml": "name: game\nextends: [../base]\n"}, "pack.yaml", 1, 1),
    ("J002", {"game__pack_yaml": GAME["pack.yaml"] + "replaces: [9.9]\n"}, "pack.yaml", 1, 1),
    ("J101", {"game__rules_lp": RULES.replace("not tired(U)", "not tried(U)")}, "rules.lp", 8, 26),
    ("J102", {"game__rules_lp": RULES + "%*! spare(Unit)\n@helper\n*%\n%@ - helper\nspare(U) :- unit(U).\n"},
     "rules.lp", 9, 1),
    ("J102", {"game__rules_lp": RULES + '%*! slept(Unit)\n@event "{Unit} slept"\n@not "{Unit} did not sleep"\n*%\n'},
     "rules.lp", 9, 1),
    ("J103", {"game__rules_lp": RULES + '%*! plenty\n@term amount "plenty"\n*%\n'}, "rules.lp", 9, 1),
    ("J104", {"game__rules_lp": RULES + '%@ 1.1 "{U}"\nready(U) :- unit(U), answer(nobody,2).\n'}, "rules.lp", 10, 29),
    ("J105", {"game__rules_lp": RULES + "%*! card_rank(Card, Number)\n@key card rank\n@input\n*%\n"}, "rules.lp", 9, 1),
    ("J105", {"game__rules_lp": RULES + "%*! soothe(Effect, Unit)\n@effect soothe: Unit\n*%\n"}, "rules.lp", 9, 1),
    ("J106", {"game__rules_lp": RULES + '%*! who(Unit)\n@question is "is it {Unit}?"\n*%\n'}, "rules.lp", 9, 1),
    ("J107", {"game__rules_lp": RULES.replace("not tired(U)", "not tired(U), not weary(U)")
              + "%*! weary(Unit)\n@helper\n*%\n"}, "rules.lp", 9, 1),
    ("J108", {"game__rules_lp": RULES.replace("ready(U) :- unit(U)", "ready(U) :- unit(U), not at(U,_)")
              + '%*! at(Unit, Plase)\n@fact "{Unit} is at {Plase}"\n*%\n'}, "rules.lp", 9, 1),
    ("J201", {"game__rules_lp": RULES.replace(RULE, "").replace("%@ 1.1 ", "%@ ")}, "rules.lp", 5, 1),
    ("J202", {"game__rules_lp": RULES.replace("A unit that is not tired is ready.\n", "")}, "rules.lp", 4, 1),
    ("J202", {"game__cards_yaml": GAME["cards.yaml"].replace("summary: it has a price\n", "")}, "cards.yaml", 1, 1),
    ("J203", {}, "rules.lp", 4, 1),
    ("J204", {"game__rules_lp": RULES + '%*! rule 1.2 "Nothing"\nIt says nothing.\n*%\n'}, "rules.lp", 9, 1),
    ("J301", {"game__rules_lp": RULES.replace("not tired(U)", "not tired(U), card_price(C,_)")}, "rules.lp", 8, 47),
    ("J302", {"game__rules_lp": RULES.replace("not tired(U)", "not tired(U), not ready(U)")}, "rules.lp", 8, 1),
    ("J303", {"game__rules_lp": RULES.replace("unit(U), not", "not")}, "rules.lp", 8, 1),
    ("J401", {"game__rules_lp": RULES.replace("not tired(U)", "not tired(U), not spent(U)")
              + '%*! spent(Unit)\n@fact "{Unit} is tired"\n*%\n'}, "rules.lp", 9, 1),
    ("J402", {"game__rules_lp": RULES.replace("not tired(U)", "not tired(U), not has(U,_)")
              + '%*! has(Unit, Amount)\n@fact "{Unit} is {Amount}"\n*%\n%*! worn\n@term amount "tired"\n*%\n'
              + "%@ 1.1\nready(U) :- has(U,worn).\n"},
     "words.lp", 30, 1),
    ("J403", {"game__rules_lp": RULES.replace("not tired(U)", "not tired(U), not cost(U,_)")
              + '%*! cost(Unit, Value)\n@fact "{Unit} is worth {Value}"\n*%\n'}, "rules.lp", 9, 1),
    ("J501", {"game__rules_lp": RULES.replace("not tired(U)", "not tired(U), not trick_price(_,2)")
              + "%*! trick_price(Card, Number)\n@key trick price\n@input\n*%\n"}, "rules.lp", 9, 1),
    ("J502", {"game__cards_yaml": f"- {GAME['cards.yaml']}".replace("\n", "\n  ").rstrip() + "\n- " + GAME["cards.yaml"]
              .replace("tricks/some", "tricks/other").replace("\n", "\n  ").rstrip() + "\n"}, "cards.yaml", 5, 1),
]


@pytest.mark.parametrize(("code", "changed", "file", "line", "column"), CASES,
                         ids=[f"{code}-{i}" for i, (code, *_) in enumerate(CASES)])
def test_each_code_is_found_in_its_place(
    tmp_path: Path, code: str, changed: dict[str, str], file: str, line: int, column: int
) -> None:
    asserted = set() if code == "J203" else {"1.1", "1.2", "tricks/some", "tricks/other"}
    findings = found(packs(tmp_path, **changed), Evidence(asserted))
    places = [(Path(f.file).name, f.line, f.column) for f in findings if f.code == code]
    assert (file, line, column) in places, "\n".join(f.show() for f in findings)
    assert {f.code for f in findings} == {code}, "\n".join(f.show() for f in findings)


def test_every_code_has_a_case() -> None:
    assert {code for code, *_ in CASES} == set(CODES)


# Cycles -----------------------------------------------------------------------------------------


def cyclic(tmp_path: Path, *rules: str) -> list[Finding]:
    """The cycles among rules over the helpers p/2 and q/1."""
    declared = "%*! p(Unit, Item)\n@helper\n*%\n%*! q(Item)\n@helper\n*%\n"
    folder = packs(tmp_path, game__rules_lp=HEAD + declared + "".join(f"%@ 1.1\n{rule}\n" for rule in rules))
    return [f for f in found(folder) if f.code == "J302"]


def test_the_constants_of_an_argument_take_predicates_apart(tmp_path: Path) -> None:
    assert cyclic(tmp_path, "p(U,first) :- unit(U), not p(U,second).", "p(U,second) :- unit(U), tired(U).") == []


def test_a_variable_that_can_be_any_of_them_brings_them_together(tmp_path: Path) -> None:
    (finding,) = cyclic(tmp_path, "p(U,first) :- unit(U), not p(U,second).", "p(U,A) :- q(A), p(U,first).",
                        "q(second).")
    assert finding.message.startswith("p depends on its own absence")


def test_a_variable_that_cannot_be_one_of_them_does_not(tmp_path: Path) -> None:
    assert cyclic(tmp_path, "p(U,first) :- unit(U), not p(U,second).", "p(U,A) :- q(A), p(U,first).",
                  "q(third).") == []


def test_a_variable_that_is_said_not_to_be_one_of_them_does_not(tmp_path: Path) -> None:
    assert cyclic(tmp_path, "p(U,first) :- unit(U), not q(U).", "q(U) :- p(U,A), A != first.",
                  "p(U,second) :- unit(U), tired(U).") == []


def test_a_rule_that_is_let_pass_is_no_part_of_a_cycle(tmp_path: Path) -> None:
    rules = ["p(U,N) :- unit(U), not q(U).", "q(U) :- p(U,_), tired(U)."]
    rules[0] = rules[0].replace("unit(U)", "unit(U), N = 1")
    assert [f.code for f in cyclic(tmp_path, *rules)] == ["J302"]
    assert cyclic(tmp_path, rules[0], f"% lint: J302 only at night\n{rules[1]}") == []


def test_an_aggregate_over_what_it_decides_is_a_cycle(tmp_path: Path) -> None:
    (finding,) = cyclic(tmp_path, "p(U,N) :- unit(U), N = #count{ M : p(U,M) }.")
    assert finding.code == "J302"


def test_shapes_meet_where_they_can_be_the_same_term() -> None:
    assert meets(("f", ("*", ("a", ()))), ("f", ("$", ("a", ()))))
    assert not meets(("f", (("a", ()),)), ("f", ("$",)))
    assert not meets(("f", ()), ("f", ("$",)))
    assert meets("*", ("f", ()))


def test_components_are_those_that_reach_each_other() -> None:
    assert components({1: {2}, 2: {3}, 3: {2}, 4: {4}, 5: {1}}) == [{2, 3}, {4}]
    deep = {i: {i + 1} for i in range(5000)}
    deep[5000] = {0}
    assert [len(group) for group in components(deep)] == [5001]


# Letting pass, sharing, the command --------------------------------------------------------------


def test_a_finding_passes_where_the_line_above_gives_the_reason(tmp_path: Path) -> None:
    spare = "%*! spare(Unit)\n@helper\n*%\n%@ - helper\nspare(U) :- unit(U).\n"
    allowed = packs(tmp_path, game__rules_lp=RULES + "% lint: J102 other packs ask for it\n" + spare)
    assert found(allowed) == []
    for line in ("% lint: J102\n", "% lint: J103 another code\n", "% lint: J102 too far away\n\n"):
        assert [f.code for f in found(packs(tmp_path, game__rules_lp=RULES + line + spare))] == ["J102"]


def test_a_case_for_a_rule_and_for_a_card_counts(tmp_path: Path) -> None:
    messages = [f.message for f in found(packs(tmp_path), Evidence({"1.1"}))]
    assert messages == ["no case asserts tricks/some Some Trick"]
    assert found(packs(tmp_path)) == []


def test_what_one_game_does_not_use_another_may(tmp_path: Path) -> None:
    folder = packs(tmp_path)
    words = tmp_path / "base" / "words.lp"
    words.write_text(BASE["words.lp"] + '%*! proud(Unit)\n@fact "{Unit} is proud"\n*%\n')
    other = tmp_path / "other"
    other.mkdir()
    (other / "pack.yaml").write_text("name: other\nversion: 2026-01-03\nextends: [../base]\n")
    (other / "rules.lp").write_text(RULES.replace("not tired(U)", "not tired(U), not proud(U)"))
    assert [f.code for f in found(folder)] == ["J102"]
    assert lint([[str(folder)], [str(other)]]) == []


def test_phrases_that_nobody_writes_may_be_the_same(tmp_path: Path) -> None:
    need = '%*! type need\n*%\n%*! sleep\n@term need "it slept"\n*%\n%*! rest\n@term need "it slept"\n*%\n'
    rules = RULES + need + '%@ 1.1\nready(U) :- unit(U), meets(U,sleep), meets(U,rest).\n'
    told = '%*! meets(Unit, Need)\n@derived "{Unit} does this: {Need}"\n@not "{Unit} does not do this: {Need}"\n*%\n'
    told += '%@ 1.1\nmeets(U,sleep) :- unit(U).\n'
    assert found(packs(tmp_path, game__rules_lp=rules + told)) == []
    written = told.replace('"{Unit} does not do this: {Need}"', '"{Unit} does not do this: {Need}"\n@ask "what of {Unit}: {Need}?"')
    assert "J401" in {f.code for f in found(packs(tmp_path, game__rules_lp=rules + written))}


def test_words_of_cases_and_datasheets_use_a_term(tmp_path: Path) -> None:
    folder = packs(tmp_path, game__rules_lp=RULES + '%*! plenty\n@term amount "plenty of it"\n*%\n')
    assert found(folder, Evidence(None, "facts: [there is plenty of it here]")) == []
    (folder / "facts").mkdir()
    (folder / "facts" / "sheet.yaml").write_text("datasheet: Plenty Of It\n")
    assert found(folder) == []


def test_the_command_tells_file_line_column_and_code_and_ends_with_1(tmp_path: Path) -> None:
    folder = packs(tmp_path, game__rules_lp=RULES.replace("not tired(U)", "not tired(U), card_price(C,_)"))
    ran = run("lint", folder, "--ignore", "J203")
    assert ran.code == 1
    assert "rules.lp:8:47: J301 the variable C stands once in this rule" in ran.out
    assert ran.out.splitlines()[-1] == "1 found"
    (finding,) = run("lint", folder, "--only", "J301", "--json").json()
    assert (finding["code"], finding["line"], finding["column"]) == ("J301", 8, 47)
    clean = run("lint", packs(tmp_path), "--ignore", "J203")
    assert (clean.code, clean.out) == (0, "nothing found\n")


def test_cases_beside_a_pack_and_those_named_assert_its_rules(tmp_path: Path) -> None:
    folder = packs(tmp_path)
    assert "no case asserts 1.1" in run("lint", folder).out
    case = "name: a case\npack: game\nask: is a ready?\nexpect: {verdict: yes, cites: ['1.1', tricks/some]}\n"
    (tmp_path / "elsewhere.yaml").write_text(case)
    assert run("lint", folder, "--cases", tmp_path / "elsewhere.yaml").code == 0
    (folder / "cases").mkdir()
    (folder / "cases" / "one.yaml").write_text(case)
    assert run("lint", folder).code == 0


def test_only_the_packs_that_are_named_are_told_of(tmp_path: Path) -> None:
    folder = packs(tmp_path, base__words_lp=BASE["words.lp"] + "%*! spare(Unit)\n@helper\n*%\nspare(U) :- unit(U).\n")
    assert run("lint", folder, "--ignore", "J203").code == 0
    assert run("lint", tmp_path / "base", "--ignore", "J203").code == 1


def test_codes_are_listed_and_unknown_ones_refused() -> None:
    assert [line.split()[0] for line in run("lint", "--codes").out.splitlines()] == list(CODES)
    ran = run("lint", "--only", "J999")
    assert ran.code == 2
    assert "there is no code J999" in ran.err


def test_the_table_in_the_docs_has_every_code(root: Path) -> None:
    rows = re.findall(r"^\| (J\d{3}) \| (.*?) \|", (root / "docs" / "authors.md").read_text(), re.M)
    assert rows == [(code, f"{meaning[:1]}{meaning[1:]}") for code, meaning in CODES.items()]


@pytest.mark.parametrize("game", games())
def test_the_packs_that_come_with_the_judge_depend_on_no_absence_of_their_own(game: str) -> None:
    findings = [f for f in lint([[game]]) if f.code in ("J302", "J001", "J101", "J303")]
    assert findings == [], "\n".join(f.show() for f in findings)
    assert load([game]).packs[-1].folder == str(available()[game])
