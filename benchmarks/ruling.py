"""What a ruling costs: `python benchmarks/ruling.py [--json] [--quick] [--profile]`.

Rulings with their explanations are measured against plain clingo on the same program and the same facts, in one run,
one after the other in turns, and medians are compared:

- plain: `clingo.Control`, add the text of the program and of the facts, ground, solve, read the model's symbols.
  The program is the part of the packs on which the question can depend, whatever the situation; the facts are those
  of the situation and of the cards whose predicates occur in it.
- least: the same with only the rules and facts that the ruling grounds after it has left out what cannot fire with
  these facts. That is what clingo alone would take if somebody else had done the leaving out.
- whole: the same with all rules of the packs and all facts of the situation, as a judge without slicing would do.
- ruling: `Judge.rule` on a loaded situation: read the question, ground, solve, find the verdict, explain it down to
  the facts. Every repetition has a new situation and starts without terms or readings kept from the one before.
- changes: the same and "what would change it".
- first: the first ruling of its kind of a judge, which also works out the part of the packs that matters.

Times are processor time, which other programs on the machine disturb little; it is real time on an idle machine, as
nothing here waits or runs in parallel.

Reading the situation (YAML and its sentences) is measured for itself and is in none of these. Sizes: a dispute (4
units), a skirmish (10) and a full battle (40 units, 400 models). Growth is told from 10 to 40 units. Also measured:
`judge rule` from a cold start (packs compiled before) against `python -c "import clingo, yaml, click"`, and how many
cases of the suite are ruled on in a second.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import clingo

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from armies import SIZES, situation_text  # noqa: E402

from adjudicator.errors import JudgeError  # noqa: E402
from adjudicator.hearing import Hearing  # noqa: E402
from adjudicator.judge import Judge  # noqa: E402
from adjudicator.part import program_text  # noqa: E402
from adjudicator.situation import Situation  # noqa: E402
from adjudicator.terms import facts_text  # noqa: E402

GROWTH = (10, 20, 30, 40)
QUESTIONS = (
    "can red 1 declare a charge?",
    "can red 1 advance?",
    "can red 2 fall back?",
    "is red 1 engaged?",
    "is blue 1 battle-shocked?",
    "can red 1 shoot blue 1 with shootas?",
    "what does red 1 need to hit blue 1 with shootas?",
    "what does red 1 need to wound blue 1 with shootas?",
)
IMPORTS = "import clingo, yaml, click"


# Measuring --------------------------------------------------------------------------------------


@dataclass
class Row:
    """Medians of one question at one size, in milliseconds."""

    size: str
    units: int
    question: str
    verdict: str
    plain: float
    least: float
    whole: float
    ruling: float
    changes: float
    first: float
    rules: int
    facts: int

    @property
    def ratio(self) -> float:
        return self.ruling / self.plain


@dataclass
class Report:
    """All that was measured; times in milliseconds."""

    rows: list[Row] = field(default_factory=list)
    reading: dict[int, float] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)
    growth: dict[str, Any] = field(default_factory=dict)
    cold: dict[str, float] = field(default_factory=dict)
    suite: dict[str, float] = field(default_factory=dict)

    def ratios(self, of: str = "plain") -> dict[str, float]:
        """By size: the sum of the rulings over the sum of plain clingo, over all questions."""
        found = {}
        for size in dict.fromkeys(row.size for row in self.rows):
            rows = [row for row in self.rows if row.size == size]
            found[size] = sum(r.ruling for r in rows) / sum(getattr(r, of) for r in rows)
        return found

    def to_dict(self) -> dict[str, Any]:
        return {
            "ratios": {size: round(ratio, 3) for size, ratio in self.ratios().items()},
            "ratios_least": {size: round(ratio, 3) for size, ratio in self.ratios("least").items()},
            "ratios_whole": {size: round(ratio, 3) for size, ratio in self.ratios("whole").items()},
            "growth": self.growth,
            "cold": self.cold,
            "suite": self.suite,
            "reading": self.reading,
            "questions": [{**asdict(row), "ratio": round(row.ratio, 3)} for row in self.rows],
            "skipped": self.skipped,
        }


def medians(
    steps: dict[str, Callable[[], Callable[[], object]]], repeat: int, clock: Callable[[], float] = process_time
) -> dict[str, float]:
    """The median milliseconds of each step, run in turns. A step prepares, unmeasured, and returns what is measured."""
    times: dict[str, list[float]] = {name: [] for name in steps}
    for prepare in steps.values():
        prepare()()
    gc.collect()
    gc.disable()
    try:
        for _ in range(repeat):
            for name, prepare in steps.items():
                work = prepare()
                start = clock()
                work()
                times[name].append((clock() - start) * 1000)
                gc.collect(0)
    finally:
        gc.enable()
    return {name: statistics.median(found) for name, found in times.items()}


def children_time() -> float:
    """Processor time of the processes that were started; real time where the system does not say."""
    try:
        import resource
    except ImportError:
        return perf_counter()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def forget() -> None:
    """Drop what is kept between rulings in the process: each repetition starts as the first one does."""
    from adjudicator import terms

    for value in vars(terms).values():
        if hasattr(value, "cache_clear"):
            value.cache_clear()


def plainly(program: str, facts: str) -> list[clingo.Symbol]:
    """What clingo needs without us: ground, solve, read the model."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], program)
    control.add("base", [], facts)
    control.ground([("base", [])])
    with control.solve(yield_=True) as handle:
        model = handle.model()
        assert model is not None
        return list(model.symbols(atoms=True))


def measure(judge: Judge, text: str, size: str, units: int, question: str, repeat: int) -> Row:
    """One question about one situation."""
    def fresh() -> Situation:
        forget()
        return judge.situation_from_text(text)

    situation = fresh()
    ruling = judge.rule(situation, question, changes=False)
    hearing = Hearing(judge, situation, situation.ask(question), question, ())
    part, live = hearing.part, hearing.live
    grounded, read = part.text(live) + part.cards.text(live.cards), live.read()
    few = facts_text(atom for atom in hearing.given if (atom[0], len(atom[1])) in read)
    program = program_text(part.cut.texts, situation.loaded)
    facts = facts_text([*(a for a in hearing.given if f"{a[0]}/{len(a[1])}" in part.used), *part.cards])
    everything = judge.program(situation.loaded, judge.day(situation))
    all_facts = facts_text([*hearing.atoms(), *hearing.loaded.card_facts(hearing.day)])

    def first() -> Callable[[], object]:
        anew = Judge()
        anew._loaded = judge._loaded
        asked = fresh()
        return lambda: anew.rule(asked, question, changes=False)

    def again(changes: bool) -> Callable[[], object]:
        asked = fresh()
        return lambda: judge.rule(asked, question, changes=changes)

    found = medians({
        "plain": lambda: lambda: plainly(program, facts),
        "least": lambda: lambda: plainly(grounded, few),
        "ruling": lambda: again(False),
        "whole": lambda: lambda: plainly(everything, all_facts),
        "changes": lambda: again(True),
        "first": first,
    }, repeat)
    return Row(size, units, question, ruling.verdict, **found, rules=program.count(".\n"), facts=facts.count("\n"))


def usable(judge: Judge, report: Report) -> Iterator[str]:
    """The questions that the packs can answer."""
    situation = judge.situation_from_text(situation_text(SIZES["dispute"]))
    for question in QUESTIONS:
        try:
            ruling = judge.rule(situation, question, changes=False)
        except JudgeError as error:
            report.skipped.append(f"{question} ({error.message})")
            continue
        if ruling.verdict == "not-modelled":
            report.skipped.append(f"{question} (not modelled)")
        else:
            yield question


def grow(judge: Judge, questions: list[str], repeat: int) -> dict[str, Any]:
    """Milliseconds of a ruling by number of units, the exponent of the growth, and a unit's cost at 40 to at 10."""
    totals: dict[int, float] = {}
    texts = {units: situation_text(units) for units in GROWTH}

    def all_of(units: int) -> Callable[[], object]:
        forget()
        situation = judge.situation_from_text(texts[units])
        return lambda: [judge.rule(situation, question, changes=False) for question in questions]

    found = medians({str(units): (lambda units=units: all_of(units)) for units in GROWTH}, repeat)  # type: ignore[misc]
    totals = {units: found[str(units)] / len(questions) for units in GROWTH}
    low, high = GROWTH[0], GROWTH[-1]
    xs, ys = [math.log(u) for u in totals], [math.log(t) for t in totals.values()]
    x, y = statistics.mean(xs), statistics.mean(ys)
    exponent = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)
    return {
        "milliseconds": {units: round(t, 3) for units, t in totals.items()},
        "exponent": round(exponent, 3),
        "unit_at_40_to_unit_at_10": round((totals[high] / high) / (totals[low] / low), 3),
    }


def cold_start(repeat: int) -> dict[str, float]:
    """Milliseconds of `judge rule` in a new process and of the import line, and their ratio."""
    file = ROOT / "facts" / "disputes" / "advance-and-charge.yaml"
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "JUDGE_CACHE": cache, "PYTHONPATH": str(ROOT)}

        def process(*args: str) -> Callable[[], Callable[[], object]]:
            return lambda: lambda: subprocess.run([sys.executable, *args], env=environment, cwd=ROOT, check=True,
                                                  stdout=subprocess.DEVNULL)

        found = medians({"imports": process("-c", IMPORTS), "judge": process("-m", "adjudicator", "rule", str(file))},
                        repeat, children_time)
    return {**{k: round(v, 1) for k, v in found.items()}, "ratio": round(found["judge"] / found["imports"], 3)}


def suite(judge: Judge) -> dict[str, float]:
    """How many cases of the suite are read, ruled on (with what would change them) and compared in a second."""
    from adjudicator.cases import case_files, load_cases, own_suite, run_case

    folder = own_suite()
    if folder is None or not any(folder.rglob("*.yaml")):
        return {}
    cases = [case for file in case_files([folder]) for case in load_cases(file)]
    for case in cases:
        run_case(judge, case)
    start = process_time()
    for file in case_files([folder]):
        for case in load_cases(file):
            run_case(judge, case)
    seconds = process_time() - start
    return {"cases": len(cases), "seconds": round(seconds, 3), "a_second": round(len(cases) / seconds, 1)}


def profile(judge: Judge, questions: list[str], repeat: int) -> None:
    """Print where the time of rulings goes at each size."""
    import cProfile
    import pstats

    for size, units in SIZES.items():
        text, profiler = situation_text(units), cProfile.Profile()
        for _ in range(repeat):
            forget()
            situation = judge.situation_from_text(text)
            for question in questions:
                profiler.enable()
                judge.rule(situation, question, changes=False)
                profiler.disable()
        print(f"\n== {size}: {repeat} times {len(questions)} questions")
        pstats.Stats(profiler).sort_stats("tottime").print_stats(22)


# Printing ---------------------------------------------------------------------------------------


def table(report: Report) -> str:
    """The report as a person reads it."""
    lines = [f"{'size':9} {'question':52} {'verdict':12} {'plain':>8} {'least':>8} {'ruling':>8} {'ratio':>6} "
             f"{'changes':>8} {'first':>8} {'whole':>8}   (ms, medians)"]
    for row in report.rows:
        lines.append(f"{row.size:9} {row.question:52} {row.verdict:12} {row.plain:8.2f} {row.least:8.2f} "
                     f"{row.ruling:8.2f} {row.ratio:6.2f} {row.changes:8.2f} {row.first:8.2f} {row.whole:8.2f}")
    lines.append("")
    least, whole = report.ratios("least"), report.ratios("whole")
    for size, ratio in report.ratios().items():
        lines.append(f"{size}: a ruling takes {ratio:.2f} times plain clingo on the rules that the question reads, "
                     f"{whole[size]:.2f} times on the whole packs, {least[size]:.2f} times on just what it grounds")
    for units, milliseconds in report.reading.items():
        lines.append(f"reading the situation of {units} units (in none of the above): {milliseconds:.1f} ms")
    if report.growth:
        lines.append(f"growth from 10 to 40 units: {report.growth['milliseconds']} ms a question, "
                     f"exponent {report.growth['exponent']}, "
                     f"a unit at 40 costs {report.growth['unit_at_40_to_unit_at_10']} of one at 10")
    if report.cold:
        lines.append(f"judge rule from a cold start: {report.cold['judge']} ms, {report.cold['ratio']} times "
                     f"`{IMPORTS}` ({report.cold['imports']} ms)")
    if report.suite:
        lines.append(f"suite: {report.suite['cases']} cases, {report.suite['a_second']} a second")
    lines += [f"skipped: {text}" for text in report.skipped]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    parser.add_argument("--quick", action="store_true", help="two questions at the smallest size, few repetitions")
    parser.add_argument("--profile", action="store_true", help="print where the time goes instead")
    parser.add_argument("--repeat", type=int, default=15, help="repetitions of each measurement")
    given = parser.parse_args(arguments)
    repeat = max(min(given.repeat, 3) if given.quick else given.repeat, 1)
    judge, report = Judge(), Report()
    questions = list(islice(usable(judge, report), 2 if given.quick else None))
    if given.profile:
        profile(judge, questions, repeat)
        return
    for size, units in SIZES.items():
        if given.quick and size != "dispute":
            continue
        text = situation_text(units)
        read = medians({"read": lambda text=text: lambda: judge.situation_from_text(text)}, repeat)  # type: ignore[misc]
        report.reading[units] = round(read["read"], 3)
        report.rows += [measure(judge, text, size, units, question, repeat) for question in questions]
    if not given.quick:
        report.growth = grow(judge, questions, repeat)
        report.cold = cold_start(max(repeat // 2, 3))
        report.suite = suite(judge)
    print(json.dumps(report.to_dict(), indent=2) if given.json else table(report))


if __name__ == "__main__":
    main()
