"""The conversation at a terminal: prompt, completion, history, toolbar, pager."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.shortcuts import CompleteStyle, print_formatted_text

from . import autosave, config
from .completer import SentenceCompleter
from .keys import bindings
from .lexer import SentenceLexer, style
from .toolbar import toolbar
from .work import Desk, Stopped

if TYPE_CHECKING:
    from adjudicator import Judge, Situation

    from .session import Session

PROMPT = "judge> "
MORE = "  ...> "
FAULT = "this is a fault of the judge; the situation is as it was"
GREETING = "State facts and ask questions; help lists what else there is, F1 the keys."


class Terminal:
    """One conversation at a terminal. `prompt` overrides parts of the prompt, as tests need it.

    The judge is made when it is first needed; meanwhile there is a prompt already.
    """

    def __init__(self, judge: Callable[[], Judge], settings: config.Config | None = None, **prompt: Any) -> None:
        self.settings, wrong = (settings, []) if settings is not None else config.load()
        self.color = config.use_color(self.settings)
        self._judge = judge
        self._session: Session | None = None
        self._making = threading.Lock()
        self._desk = Desk()
        self.prompt: PromptSession[str] = self._prompt(**prompt)
        for line in wrong:
            self.show(line)

    @property
    def session(self) -> Session:
        """The conversation; its packs are loaded with it."""
        with self._making:
            if self._session is None:
                from .session import Session

                session = Session(self._judge(), self.show, color=self.color, width=self.columns(),
                                  pack=self.settings.pack)
                session.work = self._desk.stoppable
                if self.settings.autosave:
                    session.changed = lambda: autosave.keep(session.draft)
                session.situation  # noqa: B018
                self._session = session
            return self._session

    def _warm(self) -> None:
        """Make the session while the first line is typed."""
        app = self.prompt.app

        def make() -> None:
            try:
                self.session  # noqa: B018
                app.invalidate()
            except Exception as error:  # without rules there is nothing to talk about
                if app.loop is not None and app.is_running:
                    app.loop.call_soon_threadsafe(partial(app.exit, exception=error))

        if self._session is None:
            threading.Thread(target=make, name="loading").start()

    def _prompt(self, **more: Any) -> PromptSession[str]:
        settings = self.settings
        return PromptSession(
            PROMPT, multiline=True, prompt_continuation=MORE, completer=SentenceCompleter(lambda: self.session),
            complete_in_thread=True, complete_while_typing=settings.complete_while_typing,
            complete_style=CompleteStyle.COLUMN, style=style(),
            lexer=SentenceLexer(lambda: self._session) if self.color else None,
            history=_history() if settings.history else InMemoryHistory(),
            auto_suggest=AutoSuggestFromHistory() if settings.suggest else None, key_bindings=bindings(),
            editing_mode=EditingMode.VI if settings.keys == "vi" else EditingMode.EMACS,
            enable_open_in_editor=True, tempfile_suffix=".yaml", search_ignore_case=True, reserve_space_for_menu=6,
            bottom_toolbar=self._toolbar if settings.toolbar else None,
            color_depth=None if self.color else ColorDepth.DEPTH_1_BIT, **more)

    def _toolbar(self) -> StyleAndTextTuples:
        return toolbar(self._session, self.columns()) if self._session is not None else [("", " loading the rules")]

    def columns(self) -> int:
        return self.prompt.app.output.get_size().columns

    # Showing ----------------------------------------------------------------------------------

    def show(self, text: str) -> None:
        """Print an answer; one that is longer than the screen goes to the pager."""
        rows = self.prompt.app.output.get_size().rows
        if self.settings.pager and text.count("\n") + 3 > rows and sys.stdout.isatty() and _page(text):
            return
        print_formatted_text(ANSI(text), output=self.prompt.app.output)

    def fail(self, error: Exception) -> None:
        """Print what was wrong with a line; an error that nobody foresaw does not end the conversation either."""
        from adjudicator import JudgeError

        unforeseen = f"error: {type(error).__name__}: {error}\n  {FAULT}"
        self.show(error.show() if isinstance(error, JudgeError) else unforeseen)

    def _after_first(self) -> None:
        """Load the rules once the prompt is there."""
        if self._session is None:
            self.prompt.app.after_render.add_handler(self._drawn)

    def _drawn(self, _: object) -> None:
        self.prompt.app.after_render.remove_handler(self._drawn)
        self._warm()

    # Talking ----------------------------------------------------------------------------------

    def run(self, file: str = "") -> int:
        """Talk until the end; the exit code of the last ruling."""
        if file:
            self.do(f"load {file}")
        lost = autosave.lost() if self.settings.autosave and not file else []
        if lost:
            self.show("a session ended without quit: restore brings its situation back")
        while True:
            try:
                line = self.prompt.prompt(pre_run=self._after_first)
            except KeyboardInterrupt:
                continue
            except EOFError:
                break
            self.session.width = self.columns()
            if not self.do(line):
                break
        self._desk.close()
        autosave.end()
        return self._session.code if self._session is not None else 0

    def do(self, line: str) -> bool:
        """Do what a line says; whether the conversation goes on. Whatever goes wrong, the situation stays."""
        try:
            before = self.session.ruling
            goes_on = self.session.take(line)
            if self.settings.changes and self.session.ruling is not before:
                self.tell_changes()
        except (Stopped, KeyboardInterrupt):
            self.show("stopped")
        except Exception as error:
            self.fail(error)
        else:
            return goes_on
        return True

    def tell_changes(self) -> None:
        """What would change the ruling that was just told."""
        session = self.session
        if session.ruling is None or session.ruling.changes:
            return
        session.find_changes()
        if session.ruling.changes:
            said = "; ".join(f"{' and '.join(c.facts)} ({c.answer or c.verdict})" for c in session.ruling.changes)
            session.say(f"Would change it: {said}.")


def _history() -> History:
    path = config.state_folder() / "history"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(path))


def _page(text: str) -> bool:
    """Show a text in a pager; whether there is one."""
    named = os.environ.get("PAGER", "")
    words = named.split() if named else ["less", "-FRX"]
    if shutil.which(words[0]) is None:
        return False
    try:
        subprocess.run(words, input=text + "\n", text=True, encoding="utf-8", check=False)
    except OSError:
        return False
    return True


def converse(judge: Callable[[], Judge], file: str = "") -> int:
    """Talk at the terminal of this process; the exit code."""
    terminal = Terminal(judge)
    terminal.show(GREETING)
    return terminal.run(file)


def converse_about(situation: Situation, judge: Judge, **prompt: Any) -> Situation:
    """Talk about a situation; the situation as it is in the end."""
    terminal = Terminal(lambda: judge, **prompt)
    terminal.session.begin(situation)
    terminal.run()
    return terminal.session.situation


