"""The benchmark of rulings runs and says what it measured. How fast it is, is not for tests to say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def test_the_smallest_size_is_measured_and_printed_as_json(root: Path, tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "benchmarks/ruling.py", "--quick", "--repeat", "1", "--json"], cwd=root,
                         env={**os.environ, "JUDGE_CACHE": os.environ.get("JUDGE_CACHE", str(tmp_path))},
                         capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    report = json.loads(ran.stdout)
    assert set(report) == {"ratios", "ratios_least", "ratios_whole", "growth", "cold", "suite", "reading", "questions", "skipped"}
    assert set(report["ratios"]) == {"dispute"}
    assert report["questions"]
    for row in report["questions"]:
        assert row["plain"] > 0
        assert row["ruling"] > 0
        assert set(row) == {"size", "units", "question", "verdict", "plain", "least", "whole", "ruling", "changes",
                            "first", "rules", "facts", "ratio"}
