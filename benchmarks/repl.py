"""What the interactive judge costs beside the ruling: `python benchmarks/repl.py [--json] [--repeat N]`.

- enter: from a line's Enter to its answer on a full battle (40 units, 400 models), against `Judge.hear` on the same
  situation and question, in turns; the least of each is compared, as other work on the machine only adds. The line
  goes through everything a typed line goes through: it is told apart from facts and commands, ruled on in a thread
  that Ctrl-C stops, set as text and printed.
- start: a process until its prompt is drawn and takes keys (the rules load while the first line is typed), against
  `python -c "import prompt_toolkit, clingo"`; and until the rules are loaded too.
- complete: the suggestions for what is typed, on a full battle. They come from a thread, so typing never waits for
  them; told for itself.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
HOME = tempfile.mkdtemp(prefix="judge-bench-")
os.environ["JUDGE_HOME"] = HOME

from adjudicator.repl.config import Config  # noqa: E402
from adjudicator.repl.suggesting import suggestions  # noqa: E402
from adjudicator.repl.terminal import Terminal  # noqa: E402
from armies import SIZES, situation_text  # noqa: E402
from prompt_toolkit.input import create_pipe_input  # noqa: E402
from prompt_toolkit.output import DummyOutput  # noqa: E402

from adjudicator import Judge  # noqa: E402

QUESTIONS = ("can red 1 declare a charge?", "can red 2 fall back?", "is red 1 engaged?")
TYPED = ("red 1 ", "can red 1 de", "red 1 is engaged with bl", "")
IMPORTS = "import prompt_toolkit, clingo"
MOST_ENTER, MOST_START = 1.2, 2.0
START = """
import os
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from adjudicator.repl.terminal import Terminal
def judge():
    from adjudicator import Judge
    return Judge()
with create_pipe_input() as pipe:
    terminal = Terminal(judge, input=pipe, output=DummyOutput())
    {when}
    terminal.run()
"""
DRAWN = START.format(when="terminal.prompt.app.after_render.add_handler(lambda _: os._exit(0))")
LOADED = START.format(when='pipe.send_text("help\\r\\x04")')


def seconds(work: Callable[..., object], *given: Any, **more: Any) -> float:
    """How long work takes, with no collection of what was left by other work in it."""
    gc.collect()
    gc.disable()
    try:
        start = perf_counter()
        work(*given, **more)
        return perf_counter() - start
    finally:
        gc.enable()


def enter(repeat: int) -> dict[str, dict[str, float]]:
    """Milliseconds of the ruling and of the whole line, by question."""
    judge = Judge()
    found = {}
    with create_pipe_input() as pipe:
        terminal = Terminal(lambda: judge, Config(changes=False), input=pipe, output=DummyOutput())
        session = terminal.session
        session.begin(judge.situation_from_text(situation_text(SIZES["battle"])))
        for question in QUESTIONS:
            terminal.do(question)
            bare, whole = [], []
            for _ in range(repeat):
                bare.append(seconds(judge.hear, session.situation, question))
                whole.append(seconds(terminal.do, question))
            ruling, line = min(bare) * 1000, min(whole) * 1000
            found[question] = {"ruling_ms": ruling, "enter_ms": line, "ratio": line / ruling}
    return found


def complete(repeat: int) -> dict[str, float]:
    """Milliseconds of the suggestions, by what is typed."""
    judge = Judge()
    with create_pipe_input() as pipe:
        session = Terminal(lambda: judge, Config(), input=pipe, output=DummyOutput()).session
        session.begin(judge.situation_from_text(situation_text(SIZES["battle"])))
        return {typed: statistics.median(seconds(suggestions, typed, len(typed), session)
                                         for _ in range(repeat)) * 1000 for typed in TYPED}


def start(repeat: int) -> dict[str, float]:
    """Milliseconds of the processes, in turns."""
    times: dict[str, list[float]] = {IMPORTS: [], DRAWN: [], LOADED: []}
    for code in [DRAWN, LOADED, *([*times] * repeat)]:
        times[code].append(seconds(subprocess.run, [sys.executable, "-c", code], check=True, cwd=HERE.parent))
    imports, drawn, loaded = (statistics.median(times[code][-repeat:]) * 1000 for code in times)
    return {"imports_ms": imports, "start_ms": drawn, "loaded_ms": loaded, "ratio": drawn / imports}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--repeat", type=int, default=25)
    given = parser.parse_args()
    report = {"enter": enter(given.repeat), "complete_ms": complete(given.repeat), "start": start(given.repeat)}
    if given.json:
        print(json.dumps(report, indent=2))
        return
    print(f"From Enter to the answer, full battle (at most {MOST_ENTER} times the ruling)")
    for question, row in report["enter"].items():
        print(f"  {row['ratio']:5.2f}   {row['enter_ms']:7.1f} ms of {row['ruling_ms']:7.1f} ms   {question}")
    print("Suggestions, full battle")
    for typed, time in report["complete_ms"].items():
        print(f"          {time:7.1f} ms   {typed!r}")
    row = report["start"]
    print(f"Start (at most {MOST_START} times the imports)")
    print(f"  {row['ratio']:5.2f}   {row['start_ms']:7.1f} ms of {row['imports_ms']:7.1f} ms; "
          f"with the rules loaded and help told {row['loaded_ms']:.1f} ms")


if __name__ == "__main__":
    main()
