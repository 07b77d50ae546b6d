"""The bar at the bottom: packs, moment, units, last verdict, assumptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prompt_toolkit.formatted_text import StyleAndTextTuples

    from .session import Session


def toolbar(session: Session, width: int) -> StyleAndTextTuples:
    """The parts of the bar as (style, text); what does not fit is left out."""
    from adjudicator import label

    situation = session.situation
    main = situation.loaded.main
    parts = [("class:toolbar.label", f"{main.name} {main.version}")]
    moment = session.moment.told(situation)
    if moment:
        parts.append(("", moment.removeprefix("it is ")))
    units = len(session.draft.units)
    parts.append(("", f"{units} {'unit' if units == 1 else 'units'}, {session.count()}"))
    if session.ruling is not None:
        parts.append(("class:toolbar.verdict", label(session.ruling.verdict, session.ruling.value).rstrip(":")))
        assumed = len(session.ruling.assumptions)
        if assumed:
            parts.append(("", f"{assumed} assumed"))
    if situation.date:
        parts.append(("", f"as of {situation.date}"))
    parts.append(("class:toolbar.label", "F1 keys"))
    shown: StyleAndTextTuples = []
    room = width
    for kind, text in parts:
        if len(text) + 3 <= room:
            room -= len(text) + 3
            shown.extend([(kind, f" {text} "), ("", "|")])
    return shown[:-1]
