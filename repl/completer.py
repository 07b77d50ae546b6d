"""Hands suggestions to the prompt, from a thread, so that typing never waits for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

if TYPE_CHECKING:
    from .session import Session


class SentenceCompleter(Completer):
    """Asks for suggestions when the prompt wants them."""

    def __init__(self, session: Callable[[], Session]) -> None:
        self.session = session

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        from .suggesting import suggestions

        cursor = document.cursor_position
        for one in suggestions(document.text, cursor, self.session()):
            yield Completion(one.text, one.start - cursor, display_meta=one.about)
