"""`judge test`: cases run one after another, a tree for each that fails, and a summary."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import click

from .cases import Outcome, case_files, load_cases, own_suite, run_case, shown_path
from .cli import print_json, say
from .errors import FAULT, JudgeError, RuleError, UsageError

if TYPE_CHECKING:
    from .judge import Judge

RED, GREEN = "red", "green"


def run_cases(judge: Judge, paths: tuple[str, ...], as_json: bool, color: bool) -> int:
    """Run the cases of the paths and print how they went; the exit code.

    A file that cannot be read is an error of its own and the others still run; a pack that cannot be
    read stops the run.
    """
    suite = own_suite()
    if not paths and suite is None:
        raise UsageError("there are no cases with this installation", hint="name a file or a folder of cases")
    start, broken = perf_counter(), 0
    outcomes: list[Outcome] = []
    for path in case_files(paths or (str(suite),)):
        try:
            cases = load_cases(shown_path(path))
        except JudgeError as error:
            broken += 1
            click.echo(error.show(), err=True)
            continue
        for case in cases:
            outcome = run_case(judge, case)
            if isinstance(outcome.error, RuleError) and not outcomes:
                raise outcome.error
            outcomes.append(outcome)
            if not as_json and outcome.status != "passed":
                _tell(outcome, color)
    passed = sum(o.status == "passed" for o in outcomes)
    failed = len(outcomes) - passed
    if as_json:
        print_json({"passed": passed, "failed": failed, "cases": [o.to_dict() for o in outcomes]})
    else:
        _summary(passed, failed, broken, perf_counter() - start, color)
    if broken or any(o.error is not None for o in outcomes):
        return FAULT
    return 1 if failed else 0


def _tell(outcome: Outcome, color: bool) -> None:
    first, *rest = outcome.lines()
    say(click.style(first, fg=RED, bold=True) if color else first)
    for line in rest:
        say(line)
    say()


def _summary(passed: int, failed: int, broken: int, seconds: float, color: bool) -> None:
    parts = [f"{passed} passed", *([f"{failed} failed"] if failed else [])]
    if broken:
        parts.append(f"{broken} {'file' if broken == 1 else 'files'} could not be read")
    text = f"{', '.join(parts)} in {seconds:.2f} s"
    say(click.style(text, fg=RED if failed or broken else GREEN, bold=True) if color else text)
