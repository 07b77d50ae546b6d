"""The command `judge`: rulings, cases and rules on the command line.

Commands import what they need when they run, so that a ruling from a cold start costs little more than
importing clingo.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from .errors import FAULT, UNMODELLED, USAGE, JudgeError, UsageError, did_you_mean

if TYPE_CHECKING:
    from .judge import Judge
    from .ruling import Ruling
    from .situation import Situation
    from .yamltext import Document, Node

Command = TypeVar("Command", bound=Callable[..., Any])
FAILED, BROKEN, INTERRUPTED = 1, 70, 130
SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
EXITS = f"""\b
exit codes:
  0   fine
  {FAILED}   a case failed, or lint found something
  {USAGE}   the command was called with something that does not exist
  {FAULT}   an error in the rules or in a situation
  {UNMODELLED}   a question was not modelled
"""


# Options that commands share --------------------------------------------------------------------


def packs_option(command: Command) -> Command:
    """`--pack` and `--as-of`."""
    for option in (
        click.option("--as-of", metavar="DATE", default="", help="Rule as of this day, such as 2026-10-03."),
        click.option("--pack", "packs", metavar="PACK", multiple=True,
                     help="Rule under this pack (a name or a folder), not those named; may be repeated."),
    ):
        command = option(command)
    return command


def output_options(command: Command) -> Command:
    """`--json` and `--color`."""
    command = click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto",
                           help="Colour the verdicts (auto: on a terminal, unless NO_COLOR is set).")(command)
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")(command)


def full_option(command: Command) -> Command:
    """`--full`."""
    return click.option("-v", "--full", is_flag=True, help="Show every step of the reasons, not two levels.")(command)


class Commands(click.Group):
    """The commands; those of a rules author are imported when one of them, or the list of all, is wanted."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.commands:
            self._author()
        return super().get_command(ctx, cmd_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        self._author()
        return super().list_commands(ctx)

    @staticmethod
    def _author() -> None:
        from . import cli_author  # noqa: F401  (it adds its commands to this group)


@click.group(cls=Commands, context_settings=SETTINGS, epilog=EXITS)
@click.version_option(package_name="adjudicator", prog_name="judge", message="%(prog)s %(version)s")
def cli() -> None:
    """Rules on questions about a wargame: the verdict, the rules that decide it by number, and every step.

    \b
    examples:
      judge rule dispute.yaml
      judge ask dispute.yaml "can alpha act?"
      judge rules 09.06
    """


# Rulings ----------------------------------------------------------------------------------------


@cli.command(epilog=EXITS)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--case", "name", metavar="NAME", default="", help="Only the situation whose name begins so.")
@full_option
@packs_option
@output_options
def rule(
    files: tuple[str, ...], name: str, full: bool, packs: tuple[str, ...], as_of: str, as_json: bool, color: str
) -> None:
    """Rule on the questions that situation files ask (- is the standard input).

    \b
    examples:
      judge rule dispute.yaml
      judge rule --full --as-of 2026-10-03 dispute.yaml
      judge rule tests/cases/moves.yaml --case S14
    """
    judge = new_judge(packs, as_of)
    printer = Printer(as_json, color, full)
    for file in files:
        with printer.errors():
            for situation in situations(judge, file, name):
                for ruling in judge.rule_all(situation):
                    printer.ruling(ruling)
    printer.finish()


@cli.command(epilog=EXITS)
@click.argument("file", metavar="FILE")
@click.argument("questions", metavar="QUESTION...", nargs=-1, required=True)
@click.option("--case", "name", metavar="NAME", default="", help="The situation whose name begins so.")
@full_option
@packs_option
@output_options
def ask(
    file: str, questions: tuple[str, ...], name: str, full: bool, packs: tuple[str, ...], as_of: str, as_json: bool,
    color: str,
) -> None:
    """Ask questions about the situation of a file.

    \b
    examples:
      judge ask dispute.yaml "can alpha act?"
      judge ask dispute.yaml "can alpha act?" "is alpha within 6 inches of beta?" --json
    """
    judge = new_judge(packs, as_of)
    printer = Printer(as_json, color, full)
    with printer.errors():
        found = situations(judge, file, name)
        if len(found) > 1:
            raise UsageError(f"{file} holds {len(found)} situations", hint="name one with --case")
        for question in questions:
            with printer.errors():
                printer.ruling(judge.rule(found[0], question))
    printer.finish()


@cli.command(epilog=EXITS)
@click.argument("paths", metavar="[PATH...]", nargs=-1)
@packs_option
@output_options
def test(paths: tuple[str, ...], packs: tuple[str, ...], as_of: str, as_json: bool, color: str) -> None:
    """Run cases (files or folders of them; without a path those that come with the judge).

    \b
    examples:
      judge test
      judge test tests/cases/moves.yaml --json
    """
    from .cli_cases import run_cases

    gc.enable()
    sys.exit(run_cases(new_judge(packs, as_of), paths, as_json, use_color(color)))


@cli.command(epilog=EXITS)
@click.argument("ref", metavar="[REF]", default="")
@click.option("--asp", is_flag=True, help="Print the program that the rule becomes.")
@packs_option
@output_options
def rules(ref: str, asp: bool, packs: tuple[str, ...], as_of: str, as_json: bool, color: str) -> None:
    """List the rules of the packs, or tell about one rule by its reference.

    \b
    examples:
      judge rules
      judge rules 09.06
      judge rules 09.06 --asp
      judge rules 09 --json
    """
    from .cli_rules import list_rules

    list_rules(new_judge(packs, as_of), ref, asp, as_json, use_color(color))


@cli.command(epilog=EXITS)
@click.argument("file", metavar="[FILE]", default="")
@packs_option
@output_options
def repl(file: str, packs: tuple[str, ...], as_of: str, as_json: bool, color: str) -> None:
    """State facts and ask questions, one a line.

    \b
    examples:
      judge repl dispute.yaml
      echo "can alpha act?" | judge repl dispute.yaml
    """
    from .repl import run

    gc.enable()
    sys.exit(run(lambda: new_judge(packs, as_of), file, as_json, use_color(color)))


# What commands share ----------------------------------------------------------------------------


def new_judge(packs: tuple[str, ...], as_of: str) -> Judge:
    """A judge under these packs and as of this day. Raises `UsageError` for a pack or a day that is none."""
    from .judge import Judge

    if as_of:
        from datetime import date

        try:
            as_of = date.fromisoformat(as_of).isoformat()
        except ValueError:
            raise UsageError(f"{as_of!r} is no day", hint="write it as 2026-10-03") from None
    return Judge(list(packs), as_of)


def situations(judge: Judge, file: str, name: str = "") -> list[Situation]:
    """The situations of a file; where a name is given only those whose own name begins with it."""
    document = document_of(file)
    return [judge.situation(document, node) for node in nodes_of(document, name)]


def nodes_of(document: Document, name: str = "") -> list[Node]:
    """The nodes of a document's situations; where a name is given only those whose own name begins with it."""
    from .yamltext import is_sequence

    root = document.root
    assert root is not None
    nodes = list(document.list(root, "situations")) if is_sequence(root) else [root]
    if name:
        named = [document.get(node, "name") or document.get(node, "title") for node in nodes]
        called = ["" if n is None else document.scalar(n, "a name") for n in named]
        nodes = [node for node, its in zip(nodes, called, strict=True) if its.casefold().startswith(name.casefold())]
        if not nodes:
            raise UsageError(f"no situation of {document.file} has a name that begins with {name!r}",
                             hint=did_you_mean(name, called, f"known: {'; '.join(called[:8])}"))
    return nodes


def document_of(file: str) -> Document:
    """The YAML document of a file (- is the standard input). Raises `UsageError` where there is none."""
    if file == "-":
        from .situation import document_from
        from .yamltext import LIMIT, text_of

        return document_from(text_of(sys.stdin.buffer.read(LIMIT + 1), "the standard input"), file)
    if not os.path.exists(file):
        folder = os.path.dirname(file)
        beside = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
        near = did_you_mean(file, [os.path.join(folder, name) for name in beside])
        raise UsageError(f"there is no file {file}", hint=near)
    from .situation import open_file

    return open_file(file)


def use_color(choice: str) -> bool:
    """Whether to colour: as chosen; for `auto` on a terminal where NO_COLOR is not set."""
    if choice != "auto":
        return choice == "always"
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def width() -> int:
    """The width of the terminal, or that of a page where the output goes elsewhere."""
    from .render import WIDTH

    if not sys.stdout.isatty():
        return WIDTH
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except OSError:
        return WIDTH


def say(text: str = "") -> None:
    """A line on the standard output; only the judge itself puts colours into it."""
    click.echo(text, color=True)


def print_json(value: object) -> None:
    """A JSON text on the standard output."""
    import json

    say(json.dumps(value, ensure_ascii=False, indent=2))


class Printer:
    """Prints rulings as they come (as JSON: all of them at the end) and keeps the exit code."""

    def __init__(self, as_json: bool, color: str, full: bool) -> None:
        self.as_json = as_json
        self.color = use_color(color)
        self.full = full
        self.code = 0
        self.rulings: list[Ruling] = []

    def ruling(self, ruling: Ruling) -> None:
        from .render import ALL_LEVELS, LEVELS, as_text, is_cut

        if ruling.verdict == "not-modelled":
            self.worst(UNMODELLED)
        if not self.as_json:
            if self.rulings:
                say()
            say(as_text(ruling, width(), ALL_LEVELS if self.full else LEVELS, self.color))
            if not self.full and sys.stdout.isatty() and is_cut(ruling):
                say("(--full shows every step)")
        self.rulings.append(ruling)

    def worst(self, code: int) -> None:
        """Keep the exit code of the worst that happened."""
        order = (FAULT, USAGE, UNMODELLED, 0)
        self.code = min(self.code, code, key=order.index)

    def errors(self) -> ErrorsShown:
        """A block whose errors are shown, so that the next file still gets its ruling."""
        return ErrorsShown(self)

    def finish(self) -> NoReturn:
        if self.as_json and (self.rulings or not self.code):
            print_json([ruling.to_dict() for ruling in self.rulings])
        sys.exit(self.code)


class ErrorsShown:
    """Shows a `JudgeError` of its block and remembers the exit code."""

    def __init__(self, printer: Printer) -> None:
        self.printer = printer

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, JudgeError):
            return False
        sys.stdout.flush()
        click.echo(error.show(), err=True)
        self.printer.worst(error.exit_code)
        return True


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command with these arguments, or those of the process.

    Whatever a user can do wrong ends in one message and an exit code.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    if args is None:
        gc.disable()  # most commands end before there is anything to collect
    code: object
    try:
        try:
            code = cli.main(args, prog_name="judge", standalone_mode=False)
        except SystemExit as ended:
            code = ended.code
        sys.stdout.flush()
    except JudgeError as error:
        click.echo(error.show(), err=True)
        code = error.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("stopped", err=True)
        code = INTERRUPTED
    except BrokenPipeError:
        code = _quiet_end()
    except Exception as error:
        if os.environ.get("JUDGE_DEBUG"):
            raise
        click.echo(f"error: the judge itself failed: {type(error).__name__}: {error}\n"
                   "  this is a fault of the judge; JUDGE_DEBUG=1 shows where", err=True)
        code = BROKEN
    code = code if isinstance(code, int) else 0
    if args is None and not gc.isenabled():
        sys.stderr.flush()
        os._exit(code)  # taking a solved program apart costs as much as a tenth of the ruling
    sys.exit(code)


def _quiet_end() -> int:
    """End without a word where nobody reads on; what is buffered goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
