"""What `judge new` begins: it can be used as it stands, and everything that it offers can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from adjudicator import Judge, JudgeError, scaffold
from adjudicator.cards import Card
from adjudicator.cases import load_cases, run_case
from adjudicator.cli import cli
from adjudicator.errors import UsageError
from adjudicator.packs import games, load

JUDGE = Judge()
KINDS = [(game, kind) for game in games() for kind in JUDGE.load([game])[0].vocabulary.card_kinds()]


def uncommented(text: str) -> str:
    """The text with the `# ` of every offered line taken away."""
    return re.sub(r"^# ", "", text, flags=re.M)


@pytest.fixture(scope="module")
def cards(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str, bool], Card]:
    """A new card of every kind under every game, as it stands and with everything uncommented."""
    found = {}
    for game in games():
        folder = tmp_path_factory.mktemp(game)
        (folder / "pack.yaml").write_text(f"name: new-cards\nversion: 2026-12-05\nextends: [{game}]\n")
        kinds = [kind for of, kind in KINDS if of == game]
        for kind in kinds:
            for whole in (False, True):
                ref = f"new-cards/{kind}-{whole}"
                text = scaffold.card(JUDGE.load([game])[0], kind, f"Some {kind} {whole}", ref)
                (folder / f"{kind}-{whole}.yaml").write_text(uncommented(text) if whole else text)
        by_ref = {card.ref: card for card in load([str(folder)]).cards}
        found.update({(game, kind, whole): by_ref[f"new-cards/{kind}-{whole}"]
                      for kind in kinds for whole in (False, True)})
    return found


Cards = dict[tuple[str, str, bool], Card]


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_a_new_card_is_a_card_as_it_stands(cards: Cards, game: str, kind: str) -> None:
    card = cards[game, kind, False]
    assert (card.kind, card.name) == (kind, f"Some {kind} False")
    assert {name for name, _ in card.facts} == {"card", "card_name"}


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_everything_that_a_new_card_offers_can_be_read(cards: Cards, game: str, kind: str) -> None:
    vocabulary = JUDGE.load([game])[0].vocabulary
    used = {name for name, _ in cards[game, kind, True].facts}
    offered = scaffold.card(JUDGE.load([game])[0], kind, "Some Name", "x/some-name")
    effects = vocabulary.keys("effect") if "effect" in {d.types[-1] for d in vocabulary.keys(kind).values()} else {}
    verbs = vocabulary.verbs() if effects else {}
    wanted = {decl.name for keys in (vocabulary.keys(kind), effects, verbs) for key, decl in keys.items()
              if not re.search(rf"^##\s*{key}: an? [a-z ]+, of which none is declared", offered, re.M)}
    assert wanted - used == set()


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_a_new_card_offers_each_thing_on_a_line_that_fits_a_page(game: str, kind: str) -> None:
    lines = scaffold.card(JUDGE.load([game])[0], kind, "Some Name", "x/some-name").splitlines()
    assert max(map(len, lines)) <= 140


@pytest.mark.parametrize("game", games())
def test_a_new_case_holds_as_it_stands(tmp_path: Path, game: str) -> None:
    path = tmp_path / "case.yaml"
    path.write_text(scaffold.case(JUDGE.load([game])[0], [game], "some case: with a colon", True))
    (case,) = load_cases(path)
    assert case.name == "some case: with a colon"
    assert run_case(JUDGE, case).status == "passed"


def test_a_new_pack_is_ten_lines_and_named_in_the_ruling(tmp_path: Path) -> None:
    folder = tmp_path / "my-event"
    run = CliRunner().invoke(cli, ["new", "pack", str(folder), "--pack", "wh40k-11e"])
    assert run.exit_code == 0, run.output
    assert sum(len(path.read_text().splitlines()) for path in folder.iterdir()) <= 10
    assert "my-event 20" in load([str(folder)]).stamp()


def test_a_new_pack_copies_the_rules_that_it_replaces(tmp_path: Path) -> None:
    folder = tmp_path / "my-event"
    run = CliRunner().invoke(cli, ["new", "pack", str(folder), "--pack", "wh40k-11e", "--replace",
                                   "09.06: bar(_,declare_charge,_)"])
    assert run.exit_code == 0, run.output
    rules = [rule for rule in load([str(folder)]).rules if rule.name == "bar" and rule.pack == "my-event"]
    assert [rule.ref for rule in rules] == ["my-event/1"]
    assert "advanced this turn" in rules[0].line


def test_what_is_replaced_must_exist(tmp_path: Path) -> None:
    for entry, hint in (("09.66", "did you mean 09.06?"), ("09.06: bar(_,chrage,_)", "09.06 derives")):
        run = CliRunner().invoke(cli, ["new", "pack", str(tmp_path / "p"), "--pack", "wh40k-11e", "--replace", entry])
        assert isinstance(run.exception, JudgeError)
        assert hint in run.exception.show()


def test_a_card_for_a_folder_is_named_after_it(tmp_path: Path) -> None:
    path = tmp_path / "orks" / "new.yaml"
    run = CliRunner().invoke(cli, ["new", "stratagem", "'Ard Boyz!", "--pack", "wh40k-11e", "--to", str(path)])
    assert run.exit_code == 0, run.output
    assert "ref: orks/ard-boyz" in path.read_text()
    again = CliRunner().invoke(cli, ["new", "stratagem", "x", "--pack", "wh40k-11e", "--to", str(path)])
    assert isinstance(again.exception, UsageError)
    assert "exists already" in again.exception.show()


def test_what_cannot_be_begun_has_a_hint() -> None:
    run = CliRunner().invoke(cli, ["new", "stratagm", "--pack", "wh40k-11e"])
    assert isinstance(run.exception, UsageError)
    assert "did you mean stratagem?" in run.exception.show()
