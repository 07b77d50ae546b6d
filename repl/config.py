"""The configuration: a commented file in the user's folder, written on the first run; and the folder of the session.

An unknown key or a wrong value is told once and the default is used: a mistake in it never keeps anyone
from a ruling.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

FILE = "repl.toml"
DEFAULT = '''\
# The interactive judge reads this file when it starts. Lines with a # are comments; what is set here is the default.

# Keys as in emacs or as in vi.
keys = "emacs"

# Colours: "auto" (where the terminal has them and NO_COLOR is not set), "always" or "never".
# All of them are the terminal's own, so they follow a light or a dark theme.
color = "auto"

# Suggest what can come next while you type; if not, the Tab key does.
complete_while_typing = true

# Show the rest of a line from the history behind the cursor (the right arrow takes it).
suggest = true

# Keep what was typed for the next session.
history = true

# The bar at the bottom: packs, moment, units, last verdict, assumptions.
toolbar = true

# Show an answer that is longer than the screen in a pager ($PAGER, or less).
pager = true

# Look for what would change a ruling right after it (Ctrl-C stops that and nothing else).
changes = true

# Keep the situation in a file while you talk, so that a crash loses nothing.
autosave = true

# The pack for a situation that names none; empty for the one that comes with the judge.
pack = ""
'''
CHOICES = {"keys": ("emacs", "vi"), "color": ("auto", "always", "never")}


@dataclass(frozen=True)
class Config:
    """What can be set; see the comments of the file."""

    keys: str = "emacs"
    color: str = "auto"
    complete_while_typing: bool = True
    suggest: bool = True
    history: bool = True
    toolbar: bool = True
    pager: bool = True
    changes: bool = True
    autosave: bool = True
    pack: str = ""


def config_folder() -> Path:
    """Where the configuration is: `JUDGE_HOME`, or the user's folder for such files."""
    base = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA") or os.path.expanduser("~/.config")
    return Path(os.environ.get("JUDGE_HOME") or os.path.join(base, "judge"))


def state_folder() -> Path:
    """Where history and autosaves are: `JUDGE_HOME`, or the user's folder for such files."""
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/.local/state")
    return Path(os.environ.get("JUDGE_HOME") or os.path.join(base, "judge"))


def load() -> tuple[Config, list[str]]:
    """The configuration and what is wrong in it, a line for each; the file is made where there is none."""
    path = config_folder() / FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(DEFAULT, encoding="utf-8")
        except OSError:
            pass
        return Config(), []
    except (OSError, UnicodeDecodeError) as error:
        return Config(), [f"{path} cannot be read: {error}"]
    return read(text, str(path))


def read(text: str, path: str = FILE) -> tuple[Config, list[str]]:
    """The configuration that a text sets, and what is wrong in it."""
    if text == DEFAULT:
        return Config(), []
    import tomllib

    from adjudicator import did_you_mean

    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Config(), [f"{path}: {error}"]
    defaults = {f.name: f.default for f in fields(Config)}
    wrong: list[str] = []
    taken: dict[str, Any] = {}
    for key, value in given.items():
        if key not in defaults:
            wrong.append(f"{path}: there is no setting {key}; {did_you_mean(key, list(defaults), 'it is left out')}")
        elif type(value) is not type(defaults[key]):
            wrong.append(f"{path}: {key} is {'true or false' if isinstance(defaults[key], bool) else 'a text'}")
        elif key in CHOICES and value not in CHOICES[key]:
            wrong.append(f"{path}: {key} is one of {', '.join(CHOICES[key])}")
        else:
            taken[key] = value
    return Config(**taken), wrong


def use_color(config: Config) -> bool:
    """Whether to colour, by the configuration, NO_COLOR and the terminal."""
    if config.color != "auto":
        return config.color == "always"
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
