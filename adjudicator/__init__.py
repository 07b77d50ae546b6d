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
    from .errors import JudgeError
    from .explain import Reason
    from .judge import Judge
    from .render import as_text
    from .ruling import Ruling
    from .situation import Situation

__all__ = ["Judge", "JudgeError", "Reason", "Ruling", "Situation", "as_text"]
__version__ = "0.1.0"

_WHERE = {
    "Judge": "judge",
    "JudgeError": "errors",
    "Reason": "explain",
    "Ruling": "ruling",
    "Situation": "situation",
    "as_text": "render",
}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_WHERE[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
