"""A logic-based judge for wargame rules.

    from adjudicator import Judge

    judge = Judge()
    situation = judge.situation_from_file("dispute.yaml")
    ruling = judge.rule(situation, "can alpha act?")
    print(ruling.verdict, ruling.citations)

Names are imported when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .cases import Case, case_files, load_cases, own_suite
    from .choices import Choice, open_choice
    from .compare import Comparison, parting
    from .completion import Suggestion, complete, phrasebook
    from .draft import Chosen, Draft, usual_pack
    from .errors import JudgeError, UsageError, did_you_mean
    from .hearing import Hearing
    from .interrupt import Interrupted, Stop
    from .judge import Judge
    from .moments import Clock, Moment, is_moment, moment_of, taken_in
    from .packs import available, games
    from .possible import possibilities
    from .reason import Reason
    from .render import as_text, label, wrapped
    from .ruling import Ruling
    from .situation import Situation

__all__ = [
    "Case", "Choice", "Chosen", "Clock", "Comparison", "Draft", "Hearing", "Interrupted", "Judge", "JudgeError",
    "Moment", "Reason", "Ruling", "Situation", "Stop", "Suggestion", "UsageError", "as_text", "available", "case_files",
    "complete", "did_you_mean", "games", "is_moment", "label", "load_cases", "moment_of", "open_choice", "own_suite",
    "parting", "phrasebook", "possibilities", "taken_in", "usual_pack", "wrapped",
]
__version__ = "0.1.0"

_NAMES = {
    "cases": "Case case_files load_cases own_suite",
    "choices": "Choice open_choice",
    "compare": "Comparison parting",
    "completion": "Suggestion complete phrasebook",
    "draft": "Chosen Draft usual_pack",
    "errors": "JudgeError UsageError did_you_mean",
    "reason": "Reason",
    "hearing": "Hearing",
    "interrupt": "Interrupted Stop",
    "judge": "Judge",
    "moments": "Clock Moment is_moment moment_of taken_in",
    "packs": "available games",
    "possible": "possibilities",
    "render": "as_text label wrapped",
    "ruling": "Ruling",
    "situation": "Situation",
}
_WHERE = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_WHERE[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
