"""Key bindings: each is listed once, with what it does, for F1 and for the documentation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.enums import DEFAULT_BUFFER, EditingMode
from prompt_toolkit.filters import has_focus
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

KEYS = (
    ("F1", "list the keys"),
    ("Tab", "the next suggestion; Shift-Tab the one before"),
    ("Right, End", "take the rest of the line from the history"),
    ("Up, Down", "earlier and later lines"),
    ("Ctrl-R", "search the history (vi: / in command mode)"),
    ("Alt-Enter", "a line break in what is typed"),
    ("Ctrl-X Ctrl-E", "open what is typed in your editor (vi: v in command mode)"),
    ("F2", "the last ruling with every step"),
    ("F3", "the facts that were stated"),
    ("F4", "change between emacs and vi keys"),
    ("F5, F6", "undo, redo"),
    ("Ctrl-C", "drop what is typed; stop a ruling and nothing else"),
    ("Ctrl-D", "leave, on an empty line"),
)
LINES = {"f2": "why full", "f3": "facts", "f5": "undo", "f6": "redo"}
_OPEN = re.compile(r"\w+:\s*(?:$|\n)|\w+:.*\n", re.S)


def told() -> Iterator[str]:
    """The list of keys."""
    width = max(len(key) for key, _ in KEYS)
    yield from (f"  {key:{width}}  {what}" for key, what in KEYS)


def is_open(text: str) -> bool:
    """Whether a text goes on: a part of a situation file, until a blank line ends it."""
    return bool(_OPEN.match(text)) and not text.endswith("\n")


def bindings() -> KeyBindings:
    """The keys that the prompt does not have by itself."""
    keys, typing = KeyBindings(), has_focus(DEFAULT_BUFFER)

    @keys.add("f1")
    def _list(event: KeyPressEvent) -> None:
        run_in_terminal(lambda: event.app.print_text("\n".join(told()) + "\n"))

    @keys.add("f4")
    def _mode(event: KeyPressEvent) -> None:
        vi = event.app.editing_mode == EditingMode.VI
        event.app.editing_mode = EditingMode.EMACS if vi else EditingMode.VI

    @keys.add("tab", filter=typing)
    def _complete(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if buffer.complete_state:
            buffer.complete_next()
        else:
            buffer.start_completion(select_first=True)

    @keys.add("enter", filter=typing)
    def _enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if buffer.complete_state and buffer.complete_state.current_completion is not None:
            buffer.complete_state = None
        elif is_open(buffer.text):
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    @keys.add("escape", "enter", filter=typing)
    def _break(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    for key, line in LINES.items():
        keys.add(key, filter=typing)(_saying(line))
    return keys


def _saying(line: str) -> Callable[[KeyPressEvent], None]:
    def say(event: KeyPressEvent) -> None:
        event.current_buffer.text = line
        event.current_buffer.validate_and_handle()

    return say
