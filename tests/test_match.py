"""Matching rules against a model: terms, the order of terms, literals, and where a body fails."""

from __future__ import annotations

from collections.abc import Callable

import clingo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import compiled, fact_atoms, solved
from programs import CONSTANTS, Text

from adjudicator.match import Matcher, aggregate, compare
from adjudicator.program import literal_variables, plan
from adjudicator.solve import Solved
from adjudicator.terms import Term, contains, parse, sort_key, text

FACTS = ["e0(a)", "e0(1)", "e0(2)", 'e0("s")', "e1(1,2)", "e1(2,1)", "e1(a,b)", "e1(f(1),3)"]


@pytest.fixture(scope="module")
def model() -> Solved:
    return solved(compiled(Text(["p0(a) :- e0(a)."]).text)[0], fact_atoms(FACTS))


@pytest.fixture(scope="module")
def answers(model: Solved) -> Callable[..., list[dict[str, Term]]]:
    """The values of the variables with which a body holds."""
    def found(body: str, **given: Term) -> list[dict[str, Term]]:
        rule = compiled(Text([f"p0(0) :- {body}."]).text)[0].rules[0]
        matcher = Matcher(model, {})
        solutions = list(matcher.solutions(rule.body, dict(given)))
        return [{k: v for k, v in env.items() if not k.startswith("_")} for env in solutions]

    return found


@pytest.mark.parametrize(("body", "expected"), [
    ("e0(X), X > 1", [{"X": 2}, {"X": "s"}, {"X": ("a",)}]),
    ("e1(X,X)", []),
    ("e1(X,Y), e1(Y,X)", [{"X": 1, "Y": 2}, {"X": 2, "Y": 1}]),
    ("e1(f(X),Y)", [{"X": 1, "Y": 3}]),
    ("e1(X,X+1)", [{"X": 1}]),
    ("e1(X,_), not e0(X)", [{"X": ("f", 1)}]),
    ("e0(X), not e1(X,_)", [{"X": "s"}]),
    ("N = #count { X : e0(X) }", [{"N": 4}]),
    ("N = #sum { X : e0(X) }", [{"N": 3}]),
    ("e0(X), N = #count { Y : e1(X,Y) }, N > 0", [{"X": 1, "N": 1}, {"X": 2, "N": 1}, {"X": ("a",), "N": 1}]),
    ("e0(X), e0(Y) : e1(X,Y)", [{"X": 1}, {"X": 2}, {"X": "s"}]),
    ("X = 1..3, e0(X)", [{"X": 1}, {"X": 2}]),
    ("Y = 2*X+1, e1(X,_), Y > 0", [{"X": 1, "Y": 3}, {"X": 2, "Y": 5}]),
    ("f(X) = Y, e1(Y,_)", [{"X": 1, "Y": ("f", 1)}]),
    ("#true", [{}]),
    ("#false", []),
    ("e0(1), e0(3)", []),
])
def test_a_body_holds_with_these_values(
    answers: Callable[..., list[dict[str, Term]]], body: str, expected: list[dict[str, Term]]
) -> None:
    key = str
    assert sorted(answers(body), key=key) == sorted(expected, key=key)


def test_values_that_are_given_are_kept(answers: Callable[..., list[dict[str, Term]]]) -> None:
    assert answers("e1(X,Y)", X=2) == [{"X": 2, "Y": 1}]
    assert answers("e1(X,Y)", X=7) == []


@pytest.mark.parametrize(("body", "fails"), [
    ("e0(X), e1(X,Y), Y > 5", "c"),
    ("e0(X), e2(X)", "p"),
    ("e0(X), not e0(X)", "p"),
    ("e0(1), #count { X : e0(X) } > 9", "a"),
    ("e0(1), #false : e0(a)", "q"),
])
def test_the_furthest_literal_is_the_one_that_fails_last(model: Solved, body: str, fails: str) -> None:
    rule = compiled(Text([f"p0(0) :- {body}."]).text)[0].rules[0]
    index, _ = Matcher(model, {}).furthest(rule.body, {})
    assert rule.body[index][0] == fails


def test_a_body_that_holds_fails_nowhere(model: Solved) -> None:
    rule = compiled(Text(["p0(0) :- e0(1)."]).text)[0].rules[0]
    assert Matcher(model, {}).furthest(rule.body, {})[0] == -1


def test_a_plan_evaluates_tests_as_soon_as_their_variables_have_values() -> None:
    rule = compiled(Text(["p0(X) :- e1(X,Y), e0(Y), X < 3, not e0(X)."]).text)[0].rules[0]
    order, missing = plan(rule.body, frozenset())
    assert missing == set()
    have: set[str] = set()
    for index in order:
        literal = rule.body[index]
        if literal[0] == "c" or literal[1]:
            assert literal_variables(literal) <= have
        have |= literal_variables(literal)


# Terms ------------------------------------------------------------------------------------------


TERM = st.recursive(
    st.sampled_from(CONSTANTS).map(lambda c: parse(str(clingo.parse_term(c)))) | st.integers(-9, 9) | st.text("ab\"\\ ,()\n", max_size=3),
    lambda inner: st.tuples(st.sampled_from(["f", "g", ""]), inner) | st.tuples(st.sampled_from(["f", ""]), inner, inner), max_leaves=5)


@settings(deadline=None, max_examples=150)
@given(TERM, TERM, st.sampled_from(["<", "<=", ">", ">=", "=", "!="]))
def test_terms_compare_as_clingo_compares_them(left: Term, right: Term, operator: str) -> None:
    a, b = clingo.parse_term(text(left)), clingo.parse_term(text(right))
    expected = {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "=": a == b, "!=": a != b}[operator]
    assert compare(left, operator, right) == expected


@settings(deadline=None, max_examples=60)
@given(st.lists(TERM, max_size=5, unique_by=repr))
def test_least_and_greatest_are_clingos(terms: list[Term]) -> None:
    symbols = {clingo.parse_term(text(term)): term for term in terms}
    elements = {(term,): None for term in terms}
    assert aggregate("min", elements) == (symbols[min(symbols)] if symbols else ("#sup",))
    assert aggregate("max", elements) == (symbols[max(symbols)] if symbols else ("#inf",))
    assert aggregate("count", elements) == len(symbols)


@settings(deadline=None, max_examples=60)
@given(st.lists(TERM, max_size=6))
def test_the_order_of_printing_does_not_hang_on_the_order_of_arrival(terms: list[Term]) -> None:
    backwards = terms[::-1]
    assert sorted(terms, key=sort_key) == sorted(backwards, key=sort_key)


def test_a_part_is_found_at_any_depth() -> None:
    assert contains(("f", ("g", 1), "x"), 1)
    assert contains(("f", ("g", 1), "x"), ("g", 1))
    assert not contains(("f", ("g", 1), "x"), "f")
