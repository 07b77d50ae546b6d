"""The model of a program: which of its atoms are true."""

from __future__ import annotations

from adjudicator.solve import solve

PROGRAM = """
possible(a). possible(b). actor(x). need(n).
obstacle(X,B) :- bar(X,B), not lifted(X,B).
obstacle(X,N) :- unmet(X,N).
unmet(X,N) :- actor(X), need(N), not meets(X,N).
meets(X,n) :- actor(X), good(X).
good(X) :- eligible(X), actor(X).
lifted(X,B) :- lift(X,B).
lift(X,B) :- eligible(X), bar(X,B).
bar(X,B) :- eligible(X), sort(X,B).
eligible(X) :- actor(X), not obstacle(X,B) : possible(B); meets(X,N) : need(N).
"""


def test_an_atom_that_no_ground_rule_derives_is_false_even_where_a_negation_names_it() -> None:
    model = solve(PROGRAM, [], {("obstacle", 2)})
    assert not model.holds(("obstacle", (("x",), ("a",))))
    assert model.extension("obstacle", 2) == [(("x",), ("n",))]


def test_the_cards_of_one_name_are_told_apart_by_what_a_situation_says() -> None:
    from adjudicator.judge import Judge

    text = "pack: wh40k-11e\nsides: {red: {faction: orks}, blue: }\nunits:\n  alpha: {side: red, W: 2}\n"
    question = "how much of a hit roll does Command Re-roll re-roll?"
    judge = Judge()
    plain = judge.rule(judge.situation_from_text(text), question, changes=False)
    boarding = judge.rule(judge.situation_from_text(f"{text}way to play: boarding-actions\n"), question, changes=False)
    assert (plain.citations, boarding.citations) == (["15.02"], ["boarding-actions/command-re-roll"])
