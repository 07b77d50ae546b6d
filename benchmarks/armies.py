"""Situations of any size for the benchmarks: Orks against Leagues of Votann, a line of units each."""

from __future__ import annotations

SIZES = {"dispute": 4, "skirmish": 10, "battle": 40}


def situation_text(units: int) -> str:
    """A situation with that many units of ten models on two sides, with what is stated of them in a real turn."""
    lines = ["pack: wh40k-11e", "now: {round: 2, turn: red, phase: charge}", "sides: [red, blue]", "units:"]
    facts = ["red called the Waaagh!"]
    half = units // 2
    for i in range(1, half + 1):
        lines += [_red(i), _blue(i)]
        facts += _stated(i, half)
    return "\n".join([*lines, "facts:", *(f"  - {fact}" for fact in facts)]) + "\n"


def _red(i: int) -> str:
    if i % 3 == 1:
        return f"""\
  red {i}:
    side: red
    keywords: [INFANTRY, MOB, ORKS]
    abilities: ["Waaagh!"]
    models:
      nob: {{count: 1, M: 6, T: 5, Sv: 5+, W: 2, Ld: 7+, OC: 2}}
      boy: {{count: 9, M: 6, T: 5, Sv: 5+, W: 1, Ld: 7+, OC: 2}}
    weapons:
      shoota: {{range: 18, A: 2, BS: 5+, S: 4, AP: 0, D: 1, abilities: [RAPID FIRE 1]}}
      choppa: {{range: melee, A: 3, WS: 3+, S: 4, AP: -1, D: 1}}"""
    return f"  red {i}: {{side: red, datasheet: orks/boyz, models: 10}}"


def _blue(i: int) -> str:
    if i % 3 == 1:
        return f"""\
  blue {i}:
    side: blue
    keywords: [INFANTRY]
    abilities: [Stealth]
    models:
      guard: {{count: 10, M: 5, T: 5, Sv: 4+, InSv: 6+, W: 1, Ld: 7+, OC: 2}}
    weapons:
      rifle: {{range: 24, A: 2, BS: 4+, S: 4, AP: -1, D: 1}}
      blade: {{range: melee, A: 1, WS: 4+, S: 4, AP: 0, D: 1}}"""
    return f"  blue {i}: {{side: blue, datasheet: leagues-of-votann/hearthkyn-warriors, models: 10}}"


def _stated(i: int, half: int) -> list[str]:
    near, far = i, i % half + 1
    engaged = i % 5 == 3
    facts = [f"red {i} is engaged with blue {i}" if engaged else f'red {i} is {4 + i % 9}" from blue {near}']
    if far != near:
        facts.append(f'red {i} is {14 + i % 7}" from blue {far}')
    facts.append(f"red {i} {('advanced', 'made a normal move', 'remained stationary', 'fell back')[(i - 1) % 4]}")
    if i % 5 == 2:
        facts.append(f"blue {i} is battle-shocked")
    return facts
