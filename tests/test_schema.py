"""The JSON Schemas: sound against every file of the repository, and strict about what the judge would refuse."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from click.testing import CliRunner

from adjudicator.cards import COMMON
from adjudicator.cases import KEYS
from adjudicator.cli import cli
from adjudicator.errors import JudgeError
from adjudicator.judge import Judge
from adjudicator.packs import Loaded, games
from adjudicator.roster import KIND_KEYS, SHEET_KEYS, UNIT_KEYS
from adjudicator.samples import Samples
from adjudicator.schema import NAMES, Writer, schema
from adjudicator.situation import TOP_KEYS

ROOT = Path(__file__).resolve().parent.parent
JUDGE = Judge()
WHOLE = re.compile(r"-?\d+")
DECIMAL = re.compile(r"[+-]?\d+\.\d+")


def loaded_for(game: str) -> Loaded:
    return JUDGE.load([game])[0]


def plain(node: Any, typed: bool) -> Any:
    """A YAML node as an editor's YAML 1.2 sees it: `typed` with its numbers, else every scalar a text."""
    if isinstance(node, yaml.MappingNode):
        return {key.value: plain(value, typed) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [plain(item, typed) for item in node.value]
    text = node.value
    if not node.style and not text:
        return None
    if typed and not node.style and (WHOLE.fullmatch(text.removeprefix("+")) or DECIMAL.fullmatch(text)):
        return float(text) if "." in text else int(text)
    return text


def read(path: Path, typed: bool) -> Any:
    node = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    return plain(node, typed) if node is not None else None


def of_text(text: str) -> Any:
    return plain(yaml.compose(text, Loader=yaml.SafeLoader), True)


VALIDATORS: dict[tuple[str, str], jsonschema.Draft202012Validator] = {}


def validator(game: str, name: str) -> jsonschema.Draft202012Validator:
    if (game, name) not in VALIDATORS:
        VALIDATORS[game, name] = jsonschema.Draft202012Validator(schema(loaded_for(game), name))
    return VALIDATORS[game, name]


def assert_valid(game: str, name: str, value: Any, where: str) -> None:
    error = jsonschema.exceptions.best_match(validator(game, name).iter_errors(value))
    assert error is None, f"{where}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}"


def files(folder: str) -> list[Path]:
    return sorted(p for p in (ROOT / folder).rglob("*.yaml") if p.name != "pack.yaml")


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("name", ["", *NAMES])
def test_every_schema_is_one(game: str, name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(loaded_for(game), name))


@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize("path", files("rules"), ids=shown)
def test_cards_are_valid_under_every_game_that_has_them(path: Path, typed: bool) -> None:
    pack = path.relative_to(ROOT / "rules").parts[0]
    for game in games():
        if pack in {p.name for p in loaded_for(game).packs}:
            assert_valid(game, "cards", read(path, typed), shown(path))


@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize("path", [*files("facts/disputes"), *files("tests/cases")], ids=shown)
def test_situations_and_cases_are_valid(path: Path, typed: bool) -> None:
    name = "case" if path.is_relative_to(ROOT / "tests") else "situation"
    value = read(path, typed)
    for one in value if isinstance(value, list) else [value]:
        packs = one["pack"] if isinstance(one["pack"], list) else [one["pack"]]
        game = packs[-1]
        if game not in games() and (ROOT / "rules" / game).is_dir():
            VALIDATORS.setdefault((game, name), jsonschema.Draft202012Validator(schema(loaded_for(game), name)))
        assert_valid(game, name, one, f"{shown(path)}: {one.get('name', '')}")


@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize("path", [p for p in files("facts") if p.parts[-3] != "facts"], ids=shown)
def test_datasheets_are_valid(path: Path, typed: bool) -> None:
    assert_valid(path.relative_to(ROOT / "facts").parts[0], "datasheet", read(path, typed), shown(path))


@pytest.mark.parametrize("path", sorted((ROOT / "rules").glob("*/pack.yaml")), ids=shown)
def test_packs_are_valid(path: Path) -> None:
    if path.parent.name != "kernel":
        assert_valid(games()[0], "pack", read(path, True), shown(path))


CARD = """
stratagem: Some card
ref: somewhere/some-card
summary: what it does
"""


@pytest.mark.parametrize(("text", "message"), [
    (CARD.replace("summary", "sumary"), "summary"),
    (CARD.replace("stratagem", "strategem"), ""),
    (CARD + "cost: many", "many"),
    (CARD + "when: [{phase: shoting}]", "shoting"),
    (CARD + "when: [{phases: shooting}]", "phases"),
    (CARD + "effects: [{modifie: {roll: wound, by: -1}}]", "modifie"),
    (CARD + "effects: [{modify: {roll: wound}}]", "by"),
    (CARD + "effects: [{modify: {roll: wound, by: -1, off: melee attacks}}]", "off"),
    (CARD + "since: tomorrow", "tomorrow"),
])
def test_a_card_that_the_judge_would_refuse_is_refused(text: str, message: str) -> None:
    errors = list(validator("wh40k-11e", "cards").iter_errors(of_text(text)))
    assert errors
    assert message in str([e.message for error in errors for e in [error, *all_below(error)]])


def all_below(error: Any) -> list[Any]:
    return [found for part in error.context for found in (part, *all_below(part))]


def test_a_card_with_every_common_key_is_valid() -> None:
    text = CARD + "source: somewhere\nstatus: partial for a reason\nsince: 2026-01-01\nuntil: 2027-01-01\nasp: 'p.'\n"
    assert set(of_text(text)) >= COMMON
    assert_valid("wh40k-11e", "cards", of_text(text), "a card")


@pytest.mark.parametrize("game", games())
def test_phrases_are_valid_in_any_letter_case(game: str) -> None:
    """What the judge reads as a value of a type, its schema lets pass."""
    vocabulary, whole = loaded_for(game).vocabulary, schema(loaded_for(game), "cards")
    samples = Samples(vocabulary)
    for name, one in whole["$defs"].items():
        if name.endswith(" value"):
            checks = jsonschema.Draft202012Validator(one)
            for text in samples.of(name.removesuffix(" value")):
                for form in (text, text.upper(), text.lower(), f" {text}  "):
                    assert checks.is_valid(form), (name, form)


SITUATION = """
pack: wh40k-11e
sides: {red: , blue: }
units: {squad: {side: red, models: 5}}
"""


@pytest.mark.parametrize("text", [
    SITUATION + "fact: [squad advanced]",
    SITUATION + "now: {fase: charge}",
    SITUATION + "now: {phase: charging}",
    SITUATION + "date: today",
    SITUATION.replace("side: red", "sid: red"),
    SITUATION.replace("models: 5", "models: five"),
    SITUATION.replace("models: 5", "T: tough"),
    SITUATION.replace("models: 5", "weapons: {gun: {AP: none at all}}"),
])
def test_a_situation_that_the_judge_would_refuse_is_refused(text: str) -> None:
    assert not validator("wh40k-11e", "situation").is_valid(of_text(text))
    with pytest.raises(JudgeError):
        JUDGE.situation_from_text(text)


@pytest.mark.parametrize("text", [
    SITUATION + "facts: [squad advanced]",
    SITUATION + "facts:\n  - hit rolls: 2 5 6",
    SITUATION + "now: {round: 2, turn: red, phase: Charge}",
    SITUATION.replace("models: 5", "models: {boy: 9, nob: {count: 1, t: 5, InSv: 5+}}"),
    SITUATION.replace("models: 5", "weapons: {gun: {range: 18, A: D6+1, BS: 5+, S: 4, AP: -1, D: 1}}"),
    SITUATION.replace("models: 5", "weapons: {fist: {range: melee, A: 2}}"),
])
def test_a_situation_that_the_judge_reads_is_valid(text: str) -> None:
    assert_valid("wh40k-11e", "situation", of_text(text), text)
    JUDGE.situation_from_text(text)


def test_a_case_needs_a_question_a_verdict_and_citations() -> None:
    whole = SITUATION + "ask: did squad advance?\nexpect: {verdict: no, cites: []}"
    assert_valid("wh40k-11e", "case", of_text(whole), "a case")
    for broken in (SITUATION, whole.replace("verdict: no, ", ""), whole.replace(", cites: []", ""),
                   whole.replace("verdict: no", "verdict: perhaps")):
        assert not validator("wh40k-11e", "case").is_valid(of_text(broken))


def test_the_keys_are_those_that_the_readers_know() -> None:
    writer = Writer(loaded_for("wh40k-11e"))
    named = {t.names for t in writer.vocabulary.types.values() if t.names}
    assert set(writer.situation(False)["properties"]) == TOP_KEYS | named | writer.vocabulary.keys("situation").keys()
    assert set(writer.unit()["properties"]) == UNIT_KEYS | writer.vocabulary.keys("unit").keys()
    assert set(writer.kind()["anyOf"][1]["properties"]) == KIND_KEYS
    assert set(writer.datasheet()["properties"]) == (
        SHEET_KEYS | (UNIT_KEYS - {"side", "datasheet"}) | writer.vocabulary.keys("unit").keys())
    assert set(writer.expect()["properties"]) == set(KEYS)


def test_the_command_prints_a_schema_and_writes_all_of_them(tmp_path: Path) -> None:
    run = CliRunner().invoke(cli, ["schema", "cards", "--pack", "wh40k-11e"])
    assert run.exit_code == 0
    assert json.loads(run.output)["$schema"].endswith("2020-12/schema")
    run = CliRunner().invoke(cli, ["schema", "--pack", "wh40k-11e", "--to", str(tmp_path / "new")])
    assert run.exit_code == 0
    assert {p.name for p in (tmp_path / "new").iterdir()} == {f"{name}.schema.json" for name in NAMES}
    run = CliRunner().invoke(cli, ["schema", "card", "--pack", "wh40k-11e"])
    assert isinstance(run.exception, JudgeError)
    assert "did you mean cards?" in run.exception.show()
