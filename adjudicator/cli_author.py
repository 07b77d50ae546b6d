"""Commands for those who write rules: `compare`, `change`, `schema`, `new` and `lint`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from .cli import (
    EXITS,
    FAILED,
    Printer,
    cli,
    document_of,
    new_judge,
    nodes_of,
    output_options,
    packs_option,
    print_json,
    say,
    situations,
    width,
)
from .errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from .judge import Judge
    from .lint import Evidence
    from .ruling import Ruling
    from .yamltext import Document, Node


# Rulings side by side ---------------------------------------------------------------------------


@cli.command(epilog=EXITS)
@click.argument("file", metavar="FILE")
@click.argument("questions", metavar="[QUESTION...]", nargs=-1)
@click.option("--case", "name", metavar="NAME", default="", help="Only the situations whose name begins so.")
@click.option("--pack", "packs", metavar="PACK", multiple=True,
              help="Rule under this pack (a name or a folder); give two, or one to hold against the situation's own.")
@click.option("--as-of", "days", metavar="DATE", multiple=True,
              help="Rule as of this day; give two, or one to hold against the situation's own.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def compare(
    file: str, questions: tuple[str, ...], name: str, packs: tuple[str, ...], days: tuple[str, ...], as_json: bool
) -> None:
    """Rule on the same situation under two packs, or as of two days, side by side.

    Told are the verdicts, the first place where the reasons part and the facts that mean nothing to one of the packs.

    \b
    examples:
      judge compare dispute.yaml --pack third-edition --pack second-edition
      judge compare dispute.yaml --pack ./my-event/
      judge compare dispute.yaml --as-of 2026-08-25 --as-of 2026-08-26
    """
    from .compare import Comparison, as_lines
    from .compare import compare as rule_under

    if not packs and not days:
        raise UsageError("there is nothing to compare", hint="give --pack A --pack B, or --as-of DATE --as-of DATE")
    document = document_of(file)
    found: list[Comparison] = []
    printer = Printer(as_json, "never", False)
    for node in nodes_of(document, name):
        with printer.errors():
            judges = sides(document, node, packs, days)
            for question in questions or ("",):
                for comparison in rule_under(document, node, judges, question):
                    if not as_json:
                        if found:
                            say()
                        for line in as_lines(comparison, width()):
                            say(line)
                    found.append(comparison)
    if as_json and (found or not printer.code):
        print_json([comparison.to_dict() for comparison in found])
    sys.exit(printer.code)


def sides(document: Document, node: Node, packs: tuple[str, ...], days: tuple[str, ...]) -> list[tuple[str, Judge]]:
    """A judge for each side of a comparison, with the name that it is told by.

    One pack (or day) is held against the situation's own; packs and days of the same number belong
    together, a single one of either kind goes with all of the other.
    """
    from .situation import header

    own = header(document, node)
    under: list[list[str]] = [[pack] for pack in packs] or [own]
    on = list(days) or [""]
    if len(under) == 1 and len(on) == 1:
        if packs:
            under = [own, *under]
        else:
            on = ["", *on]
    if len(under) != len(on) and 1 not in (len(under), len(on)):
        raise UsageError(f"{len(under)} packs and {len(on)} days do not go together",
                         hint="give as many days as packs, or one of either")
    pairs = list(zip(under * len(on) if len(under) == 1 else under, on * len(under) if len(on) == 1 else on,
                     strict=True))
    return [_side(names, day, len(days) > 0, len(under) > 1) for names, day in pairs]


def _side(names: list[str], day: str, by_day: bool, by_pack: bool) -> tuple[str, Judge]:
    judge = new_judge(tuple(names), day)
    loaded, _ = judge.load(names)
    told = [f"{loaded.main.name} {loaded.main.version}".strip()] if by_pack else []
    if by_day:
        told.append(f"as of {judge.as_of}" if judge.as_of else "as the situation says")
    return ", ".join(told), judge


@cli.command(epilog=EXITS)
@click.argument("file", metavar="FILE")
@click.argument("questions", metavar="[QUESTION...]", nargs=-1)
@click.option("--case", "name", metavar="NAME", default="", help="The situation whose name begins so.")
@packs_option
@output_options
def change(
    file: str, questions: tuple[str, ...], name: str, packs: tuple[str, ...], as_of: str, as_json: bool, color: str
) -> None:
    """Tell what would change a ruling: the smallest sets of facts, smallest first.

    What can still be brought about is told apart from how things stand and from what is history. Distances and
    dice stay as they are.

    \b
    examples:
      judge change dispute.yaml
      judge change dispute.yaml "can alpha act?"
    """
    from .change import as_lines, told

    judge = new_judge(packs, as_of)
    printer = Printer(as_json, color, False)
    found: list[Ruling] = []
    for situation in situations(judge, file, name):
        for question in questions or [text for text, _ in situation.asks]:
            with printer.errors():
                ruling = judge.rule(situation, question)
                if not as_json:
                    if found:
                        say()
                    for line in as_lines(ruling, width(), printer.color):
                        say(line)
                found.append(ruling)
    if as_json and (found or not printer.code):
        print_json([told(ruling) for ruling in found])
    sys.exit(printer.code)


# Writing rules ----------------------------------------------------------------------------------


@cli.command(epilog=EXITS)
@click.argument("name", metavar="[NAME]", default="")
@click.option("--pack", "packs", metavar="PACK", multiple=True, help="For files of this pack (a name or a folder).")
@click.option("--to", "folder", metavar="FOLDER", default="", help="Write NAME.schema.json here, not to the output.")
def schema(name: str, packs: tuple[str, ...], folder: str) -> None:
    """Print the JSON Schema of cards, of situations, of cases, of a datasheet or of a pack.

    Editors complete and check files with it. NAME is cards, situation, case, datasheet or pack; without it there is
    one schema for all but pack.yaml (with --to: a file for each).

    \b
    examples:
      judge schema cards
      judge schema --pack ./my-event --to .vscode
    """
    import json
    import os

    from .errors import did_you_mean
    from .schema import NAMES
    from .schema import schema as written

    if name and name not in NAMES:
        raise UsageError(f"there is no schema {name!r}",
                         hint=did_you_mean(name, list(NAMES), f"known: {_known(NAMES)}"))
    loaded, _ = new_judge((), "").load(one_pack(packs))
    if not folder:
        print_json(written(loaded, name))
        return
    for one in [name] if name else NAMES:
        path = os.path.join(folder, f"{one}.schema.json")
        write(path, json.dumps(written(loaded, one), ensure_ascii=False, indent=1) + "\n", over=True)
        say(path)


@cli.command(epilog=EXITS)
@click.argument("kind", metavar="KIND")
@click.argument("name", metavar="[NAME]", default="")
@click.option("--pack", "packs", metavar="PACK", multiple=True, help="For this pack (a name or a folder).")
@click.option("--replace", "replaces", metavar="REF", multiple=True,
              help="With pack: a rule that the pack states anew; its text is copied.")
@click.option("--sentences", is_flag=True, help="With case: list all that can be stated and asked below it.")
@click.option("--to", "file", metavar="FILE", default="", help="Write to this file, not to the output.")
def new(
    kind: str, name: str, packs: tuple[str, ...], replaces: tuple[str, ...], sentences: bool, file: str
) -> None:
    """Begin a card, a case or a pack.

    KIND is a kind of card (it prints a card with every key and verb as comments), case, or pack (NAME is then the
    folder to make).

    \b
    examples:
      judge new KIND "Some Name" --pack ./my-event
      judge new case "alpha may not act" --to tests/cases/acting.yaml
      judge new pack ./my-event --replace 09.06
    """
    import os
    from pathlib import Path

    from . import scaffold
    from .errors import did_you_mean

    under = one_pack(packs)
    loaded, _ = new_judge((), "").load(under)
    kinds = loaded.vocabulary.card_kinds()
    wanted = kind.replace(" ", "_").replace("-", "_")
    if kind == "pack":
        if not name:
            raise UsageError("which folder?", hint="judge new pack ./my-event")
        folder = Path(name)
        for made, text in scaffold.pack(loaded, folder, _from(folder, under), list(replaces)).items():
            write(str(folder / made), text)
            say(os.path.join(name, made))
        return
    if kind == "case":
        text = scaffold.case(loaded, under, name or "what the case is about", sentences)
    elif wanted in kinds:
        place = Path(file).resolve().parent.name if file else loaded.main.name
        called = name or f"Some {wanted.replace('_', ' ')}"
        text = scaffold.card(loaded, wanted, called, f"{place}/{scaffold.slug(called)}")
    else:
        known = [*(k.replace("_", " ") for k in kinds), "case", "pack"]
        raise UsageError(f"there is nothing called {kind!r} to begin", hint=did_you_mean(kind, known,
                                                                                         f"known: {_known(known)}"))
    if file:
        write(file, text)
        say(file)
    else:
        say(text.rstrip("\n"))


def _from(folder: Path, packs: list[str]) -> list[str]:
    """The packs as a pack in this folder names them: a folder by the way from here to there."""
    import os

    from .packs import available

    return [name if name in available() else os.path.relpath(name, folder) for name in packs]


@cli.command(epilog=EXITS)
@click.argument("packs", metavar="[PACK...]", nargs=-1)
@click.option("--cases", "paths", metavar="PATH", multiple=True,
              help="Cases that assert rules (a file or a folder), beside those that come with the judge.")
@click.option("--only", metavar="CODE", multiple=True, help="Only findings of this code, such as J203.")
@click.option("--ignore", metavar="CODE", multiple=True, help="No findings of this code.")
@click.option("--codes", is_flag=True, help="List the codes and what they mean.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
def lint(
    packs: tuple[str, ...], paths: tuple[str, ...], only: tuple[str, ...], ignore: tuple[str, ...], codes: bool,
    as_json: bool,
) -> None:
    """Look for what is wrong or left over in packs (without a name: in all that come with the judge).

    Undeclared and unused names, missing references and summaries, rules that no case asserts, variables that stand
    once, things that depend on their own absence, sentences that can be confused. The exit code is 1 where anything
    is found.

    \b
    examples:
      judge lint
      judge lint ./my-event/ --cases ./my-event/cases
      judge lint --only J203 --json
    """
    import msgspec

    from .errors import did_you_mean
    from .lint import CODES
    from .lint import lint as findings_in

    if codes:
        for code, meaning in CODES.items():
            say(f"{code}  {meaning}")
        return
    for code in (*only, *ignore):
        if code not in CODES:
            raise UsageError(f"there is no code {code}", hint=did_you_mean(code, list(CODES), "judge lint --codes"))
    under, wanted = packs_to_lint(packs)
    found = [finding for finding in findings_in(under, wanted, evidence(paths, under))
             if (not only or finding.code in only) and finding.code not in ignore]
    if as_json:
        print_json(msgspec.to_builtins(found))
    else:
        for finding in found:
            say(finding.show())
        say("nothing found" if not found else f"{len(found)} found")
    sys.exit(FAILED if found else 0)


def packs_to_lint(packs: tuple[str, ...]) -> tuple[list[list[str]], set[str] | None]:
    """The packs to load together, and the names of those whose files are told of."""
    from .packs import find, games, layers, read_pack

    if not packs:
        return [[name] for name in games()], None
    wanted = {read_pack(find(name)).name for name in packs}
    below = [[game] for game in games() if wanted & {pack.name for pack in layers([game])}]
    own = [[name] for name in packs if not any(find(name) == find(game) or read_pack(find(name)).name in
                                               {pack.name for pack in layers([game])} for (game,) in below)]
    return below + own, wanted


def evidence(paths: tuple[str, ...], packs: list[list[str]]) -> Evidence:
    """What the cases that come with the judge, those of the packs and those of the paths show to be in use."""
    from pathlib import Path

    from .cases import case_files, load_cases, own_suite
    from .lint import Evidence
    from .packs import facts_folder, layers

    suite = own_suite()
    folders = [suite] if suite is not None and any(suite.rglob("*.yaml")) else []
    for names in packs:
        for pack in layers(names):
            own = Path(pack.folder) / "cases"
            if own.is_dir() and any(own.rglob("*.yaml")):
                folders.append(own)
    files = case_files([*folders, *paths])
    asserted = {ref for file in files for case in load_cases(file) for ref in case.expect.cites}
    situations_too = sorted((facts_folder() / "disputes").glob("*.yaml"))
    words = "\n".join(path.read_text(encoding="utf-8") for path in [*files, *situations_too])
    return Evidence(asserted if files else None, words)


def one_pack(packs: tuple[str, ...]) -> list[str]:
    """The packs that were named, or the only game there is. Raises `UsageError` where there are more."""
    from .packs import games

    if packs:
        return list(packs)
    found = games()
    if len(found) != 1:
        raise UsageError("for which pack?", hint=f"give --pack with one of {_known(found)}")
    return found


def write(path: str, text: str, over: bool = False) -> None:
    """Write a file and the folders above it. Raises `UsageError` where it exists already or cannot be written."""
    import os

    if os.path.exists(path) and not over:
        raise UsageError(f"{path} exists already", hint="remove it, or name another")
    try:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(text)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


def _known(names: Iterable[str]) -> str:
    return ", ".join(names)
