"""The kernel against short Python that says the same: values, limits, actions, ladders, timing and orders."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle import plain

from adjudicator import packs
from adjudicator.order import layers, linear_extensions, reduced
from adjudicator.terms import Atom, Term, atom_text

CALM = settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))


@cache
def kernel() -> str:
    return "\n".join(rule.text for rule in packs.load(["kernel"]).rules) + "\n"


def model(facts: Iterable[Atom]) -> set[str]:
    """The atoms that the kernel makes of some facts, as clingo prints them."""
    found = plain(kernel() + "".join(f"{atom_text(fact)}.\n" for fact in facts))
    assert found is not None
    return found


def holds(found: set[str], name: str, *args: Term) -> bool:
    return atom_text((name, args)) in found


def const(name: str) -> Term:
    return (name,)


# Values -----------------------------------------------------------------------------------------


QUANTITY = const("reach")
OPERATIONS = ["multiply", "add", "divide", "subtract"]
CONTRIBUTIONS = st.lists(st.tuples(st.sampled_from([*OPERATIONS, *OPERATIONS, "set"]), st.integers(1, 4),
                                   st.sampled_from(["one", "two", "three"])), max_size=5, unique=True)


def value_facts(base: int, steps: list[str], contributions: list[tuple[str, int, str]],
                least: list[int], most: list[int]) -> list[Atom]:
    facts: list[Atom] = [("base", (QUANTITY, base))]
    facts += [("modifier_step", (place, const(step))) for place, step in enumerate(steps, start=1)]
    facts += [("contribution", (QUANTITY, const(op), number, source)) for op, number, source in contributions]
    facts += [("at_least", (QUANTITY, number)) for number in least]
    return facts + [("at_most", (QUANTITY, number)) for number in most]


def worked_out(base: int, steps: list[str], contributions: list[tuple[str, int, str]],
               least: list[int], most: list[int]) -> int:
    """The lowest of what it is set to, else the base; then each operation in order; rounded up; kept within limits."""
    numbers = {op: [n for o, n, _ in contributions if o == op] for op in [*OPERATIONS, "set"]}
    value = Fraction(min(numbers["set"], default=base))
    for step in steps:
        if step == "multiply":
            value *= math.prod(numbers[step])
        elif step == "add":
            value += sum(numbers[step])
        elif step == "divide":
            value /= math.prod(numbers[step])
        else:
            value -= sum(numbers[step])
    return max([min([math.ceil(value), *most]), *least])


def results(found: set[str]) -> set[str]:
    return {atom for atom in found if atom.startswith("result(reach,")}


@CALM
@given(st.integers(-3, 9), st.permutations(OPERATIONS), CONTRIBUTIONS,
       st.lists(st.integers(-1, 3), max_size=2), st.lists(st.integers(3, 9), max_size=2))
def test_a_value_is_modified_in_order_rounded_up_and_kept_within_its_tightest_limits(
    base: int, steps: list[str], contributions: list[tuple[str, int, str]], least: list[int], most: list[int]
) -> None:
    found = results(model(value_facts(base, steps, contributions, least, most)))
    assert found == {f"result(reach,{worked_out(base, steps, contributions, least, most)})"}


@pytest.mark.parametrize(("base", "contributions", "value"), [
    (5, [("divide", 2, "one")], 3),
    (6, [("divide", 2, "one"), ("add", 1, "two")], 4),
    (3, [("multiply", 2, "one"), ("subtract", 1, "two")], 5),
    (3, [("set", 4, "one"), ("set", 2, "two"), ("add", 1, "one")], 3),
    (1, [("subtract", 3, "one")], -2),
    (4, [("add", 1, "one"), ("add", 1, "two")], 6),
    (7, [("divide", 2, "one"), ("divide", 2, "two")], 2),
])
def test_known_values(base: int, contributions: list[tuple[str, int, str]], value: int) -> None:
    """Multiply, add, divide, subtract: halves round up, two equal modifiers of two rules both count."""
    found = results(model(value_facts(base, ["multiply", "add", "divide", "subtract"], contributions, [], [])))
    expected = worked_out(base, ["multiply", "add", "divide", "subtract"], contributions, [], [])
    assert found == {f"result(reach,{expected})"}
    if ("divide", 2, "one") in contributions and len(contributions) == 2 and contributions[1][0] == "add":
        assert expected == 4  # (6 + 1) / 2, rounded up
    else:
        assert expected == value


def test_a_value_without_a_number_stays_as_printed() -> None:
    assert results(model([("base", (QUANTITY, const("none")))])) == {"result(reach,none)"}


@CALM
@given(st.integers(0, 9), CONTRIBUTIONS, st.integers(0, 3), st.integers(4, 9))
def test_a_limit_is_never_exceeded(base: int, contributions: list[tuple[str, int, str]], least: int, most: int) -> None:
    found = results(model(value_facts(base, OPERATIONS, contributions, [least], [most])))
    assert len(found) == 1
    assert least <= int(next(iter(found))[len("result(reach,"):-1]) <= most


# Actions ----------------------------------------------------------------------------------------


NAMES = ["one", "two", "three"]
SUBSET = st.sets(st.sampled_from(NAMES))


@CALM
@given(SUBSET, SUBSET, SUBSET, SUBSET)
def test_an_action_may_be_taken_when_every_need_is_met_and_every_bar_is_lifted(
    needs: set[str], met: set[str], bars: set[str], lifted: set[str]
) -> None:
    def facts(bars: set[str]) -> list[Atom]:
        return [("considered", ("unit", const("act"))), *[("need", (const("act"), const(f"need_{n}"))) for n in needs],
                *[("meets", ("unit", const("act"), const(f"need_{n}"))) for n in met],
                *[("bar", ("unit", const("act"), const(f"bar_{n}"))) for n in bars],
                *[("lift", ("unit", const("act"), const(f"bar_{n}"), "source")) for n in lifted]]

    allowed = bool(needs) and needs <= met and bars <= lifted
    assert holds(model(facts(bars)), "eligible", "unit", const("act")) == allowed
    more = holds(model(facts({*bars, "four"})), "eligible", "unit", const("act"))
    assert not more, "one more bar never makes an action legal"


def test_a_bar_of_another_actor_or_action_is_no_bar() -> None:
    found = model([("considered", ("unit", const("act"))), ("need", (const("act"), const("n"))), ("meets", ("unit", const("act"), const("n"))),
                   ("bar", ("other", const("act"), const("b"))), ("bar", ("unit", const("rest"), const("b")))])
    assert holds(found, "eligible", "unit", const("act"))


# Ladders ----------------------------------------------------------------------------------------


@CALM
@given(st.permutations(NAMES), SUBSET)
def test_the_first_rung_that_fits_decides(rungs: list[str], fit: set[str]) -> None:
    facts: list[Atom] = [("rung", (const("l"), place, const(name))) for place, name in enumerate(rungs, start=1)]
    facts += [("fits", (const("l"), const(name))) for name in fit]
    found = {atom for atom in model(facts) if atom.startswith("decides(")}
    first = next((name for name in rungs if name in fit), None)
    assert found == ({f"decides(l,{first})"} if first else set())


# Timing -----------------------------------------------------------------------------------------


PHASES = ["command", "movement", "shooting"]
SIDES = ["red", "blue"]
MOMENT = st.tuples(st.integers(1, 3), st.sampled_from(SIDES), st.sampled_from(PHASES))
Moment = tuple[int, str, str]


def turn(moment: Moment) -> int:
    return 2 * moment[0] + SIDES.index(moment[1])


def key(moment: Moment) -> tuple[int, int]:
    return turn(moment), PHASES.index(moment[2])


def at(now: Moment, events: dict[str, list[Moment]], timed: list[tuple[str, str, Term]] = []) -> set[str]:  # noqa: B006
    """The model at a moment, with events that happened at others and the durations that they begin."""
    facts: list[Atom] = [("side", (side, place)) for place, side in enumerate(SIDES, start=1)]
    facts += [("phase", (const(phase), place)) for place, phase in enumerate(PHASES, start=1)]
    facts += [("now", (now[1], const(now[2]), now[0]))]
    for event, moments in events.items():
        facts += [("happened", (const(event), ("in_phase_of", side, const(phase), number))) for number, side, phase in moments]
    facts += [("timed", (const(event), side, duration)) for event, side, duration in timed]
    return model(facts)


@CALM
@given(MOMENT, MOMENT)
def test_an_event_is_of_this_phase_this_turn_or_the_last(now: Moment, then: Moment) -> None:
    found = at(now, {"event": [then]})
    assert holds(found, "this_turn", const("event")) == (turn(now) == turn(then))
    assert holds(found, "this_phase", const("event")) == (key(now) == key(then))
    assert holds(found, "last_turn", const("event")) == (turn(now) == turn(then) + 1)
    assert holds(found, "this_battle", const("event"))


def lasts(then: Moment, now: Moment, side: str, phase: str) -> bool:
    """Whether what began then lasts until the start of the side's next such phase, at a moment that is not before it."""
    end = next(m for m in sorted(((n, s, phase) for n in range(1, 6) for s in SIDES if s == side), key=key) if key(m) > key(then))
    return key(now) < key(end)


@CALM
@given(st.lists(MOMENT, min_size=2, max_size=2).map(lambda found: sorted(found, key=key)), st.sampled_from(SIDES), st.sampled_from(PHASES))
def test_an_effect_lasts_until_the_start_of_the_next_phase_of_its_side(moments: list[Moment], side: str, phase: str) -> None:
    then, now = moments
    duration = ("start_of_your_next", const(phase))
    found = at(now, {"event": [then]}, [("event", side, duration)])
    assert holds(found, "in_force", const("event"), side, duration) == lasts(then, now, side, phase)


@CALM
@given(st.lists(MOMENT, min_size=2, max_size=2).map(lambda found: sorted(found, key=key)))
def test_an_effect_of_a_phase_or_a_turn_ends_with_it(moments: list[Moment]) -> None:
    then, now = moments
    ends = {"end_of_phase": key(now) == key(then), "end_of_turn": turn(now) == turn(then), "end_of_battle": True}
    found = at(now, {"event": [then]}, [("event", then[1], const(duration)) for duration in ends])
    for duration, lasting in ends.items():
        assert holds(found, "in_force", const("event"), then[1], const(duration)) == lasting


def test_an_effect_that_began_anew_lasts_though_its_first_time_is_over() -> None:
    duration = ("start_of_your_next", const("command"))
    twice = [(1, "red", "movement"), (2, "red", "movement")]
    assert holds(at((2, "blue", "movement"), {"event": twice}, [("event", "red", duration)]), "in_force", const("event"), "red", duration)
    assert not holds(at((3, "red", "command"), {"event": twice}, [("event", "red", duration)]), "in_force", const("event"), "red", duration)


# Limits -----------------------------------------------------------------------------------------


@CALM
@given(MOMENT, MOMENT)
def test_a_use_counts_for_its_phase_its_turn_and_the_battle(now: Moment, then: Moment) -> None:
    facts: list[Atom] = [("side", (side, place)) for place, side in enumerate(SIDES, start=1)]
    facts += [("phase", (const(phase), place)) for place, phase in enumerate(PHASES, start=1)]
    facts += [("now", (now[1], const(now[2]), now[0])), ("considered", ("unit", const("act")))]
    facts += [("happened", (const("use"), ("in_phase_of", then[1], const(then[2]), then[0])))]
    counts = {"once_per_phase": key(now) == key(then), "once_per_turn": turn(now) == turn(then), "once_per_battle": True}
    facts += [("limited", ("unit", const("act"), const(limit), const("use"))) for limit in counts]
    found = model(facts)
    for limit, used in counts.items():
        assert holds(found, "used_up", "unit", const("act"), const(limit)) == used


# Orders -----------------------------------------------------------------------------------------


ITEMS = [const(name) for name in "abcde"]
PAIRS = st.lists(st.tuples(st.sampled_from(ITEMS), st.sampled_from(ITEMS)), max_size=6, unique=True)


def legal(order: tuple[Term, ...], pairs: list[tuple[Term, Term]]) -> bool:
    return all(order.index(a) < order.index(b) for a, b in pairs)


@CALM
@given(PAIRS)
def test_orders_are_counted_as_trying_all_of_them_would(pairs: list[tuple[Term, Term]]) -> None:
    """Pairs that go in a circle leave no order."""
    pairs = [(a, b) for a, b in pairs if a != b]
    assert linear_extensions(ITEMS, pairs) == sum(legal(order, pairs) for order in permutations(ITEMS))


def forward(pairs: list[tuple[Term, Term]]) -> list[tuple[Term, Term]]:
    """The pairs turned so that they go in no circle, with all that follows from them."""
    known = {(min(p), max(p)) for p in pairs if p[0] != p[1]}  # type: ignore[type-var]
    while True:
        more = {(a, d) for a, b in known for c, d in known if b == c} - known
        if not more:
            return sorted(known)
        known |= more


@CALM
@given(PAIRS)
def test_items_are_layered_and_pairs_reduced_without_losing_any(pairs: list[tuple[Term, Term]]) -> None:
    whole = forward(pairs)
    place = {item: i for i, layer in enumerate(layers(ITEMS, whole)) for item in layer}
    assert set(place) == set(ITEMS)
    assert all(place[a] < place[b] for a, b in whole)
    assert forward(reduced(whole)) == whole


@CALM
@given(PAIRS, st.permutations(ITEMS), st.integers(0, 5))
def test_a_claimed_order_is_legal_when_nothing_is_misplaced_or_missing(
    pairs: list[tuple[Term, Term]], order: list[Term], length: int
) -> None:
    before, claimed = forward(pairs), ("list", *order[:length])
    facts: list[Atom] = [("item", (const("q"), item)) for item in ITEMS]
    facts += [("before", (const("q"), a, b)) for a, b in before]
    facts += [("claimed", (const("q"), claimed)), *[("list_item", (claimed, i, x)) for i, x in enumerate(order[:length], start=1)]]
    found = model(facts)
    broken = {(a, b) for a, b in before if a in claimed and b in claimed and claimed.index(a) > claimed.index(b)}
    assert {(a, b) for a in ITEMS for b in ITEMS if holds(found, "misplaced", const("q"), claimed, a, b)} == broken
    missing = {item for item in ITEMS if holds(found, "incomplete", const("q"), claimed, item)}
    assert missing == set(order[length:])
