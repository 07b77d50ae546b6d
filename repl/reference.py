"""The reference of the interactive judge as Markdown: `python -m adjudicator.repl.reference > docs/repl.md`."""

from __future__ import annotations

from collections.abc import Iterator

from .commands import GROUPS, commands
from .config import DEFAULT
from .helping import TOPICS
from .keys import KEYS

OPENING = """\
# The interactive judge

```sh
judge repl
judge repl dispute.yaml
```

A line is a fact, a question or a command. A sentence that reads as a fact is one, whatever word it begins with; then
come commands, then questions. A line that is none of these is answered with the nearest sentence that exists, and
the situation stays as it was. A whole situation file, or any part of one, can be pasted.

The [tutorial](repl-tutorial.md) is a session from an empty table to a settled dispute. What is on this page is made
from the judge itself: `python -m adjudicator.repl.reference`.

- **Ctrl-C** stops a ruling and nothing else.
- Every change is kept in a file until the session ends; after a crash `restore` brings the situation back.
- Without a terminal (`judge repl < lines.txt`) each line is answered without prompt or colour, a key with its
  indented lines is one paste, and the exit code is that of the last ruling: 0, 3 for an error, 4 for one that is
  not modelled.
- From Python: `from adjudicator.repl import embed; embed(situation)` gives back the situation as it is in the end.
"""
CONFIG = """\
## Configuration

The first run writes `repl.toml` into the folder for configuration (`JUDGE_HOME`, else `$XDG_CONFIG_HOME/judge`,
`~/.config/judge` or `%APPDATA%\\judge`). It is its own manual:
"""


def reference() -> Iterator[str]:
    """The lines of the page."""
    yield OPENING
    for group in GROUPS:
        yield f"## {group[0].upper()}{group[1:]}\n"
        for one in commands().values():
            if one.group != group:
                continue
            yield f"### {one.name}\n\n```text\n{one.usage}\n```\n\n{one.summary}\n"
            if one.details:
                yield from _details(one.details)
    yield "## Topics of help\n"
    yield "".join(f"- `help {name}`: {about}\n" for name, about in TOPICS.items())
    yield "## Keys\n\n| key | what it does |\n|---|---|"
    yield "".join(f"| {key} | {what} |\n" for key, what in KEYS)
    yield f"{CONFIG}\n```toml\n{DEFAULT}```"


def _details(text: str) -> Iterator[str]:
    """The details of a command: lines in which something is typed as code, the rest as they are."""
    for part in text.split("\n\n"):
        typed = all(line.split("  ")[0].strip() and line[0].islower() for line in part.splitlines())
        yield f"```text\n{part}\n```\n" if typed else f"{part}\n"


if __name__ == "__main__":
    print("\n".join(reference()))
