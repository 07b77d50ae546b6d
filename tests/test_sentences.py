"""Few sentences read as all of them would."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.cases import case_files
from adjudicator.grammar import Grammar, fold
from adjudicator.judge import Judge
from adjudicator.sentences import FACTS, QUESTIONS, Sentences, fragment_of
from adjudicator.situation import Situation, open_file


def situations(judge: Judge, root: Path) -> list[Situation]:
    found = []
    for path in case_files([root / "tests" / "cases", root / "facts" / "disputes"]):
        document = open_file(str(path))
        assert document.root is not None
        found.extend(judge.situation(document, node) for node in document.list(document.root, "situations")[:6])
    return found


def test_the_sentences_that_could_fit_a_text_read_it_as_all_sentences_do(judge: Judge, root: Path) -> None:
    for situation in situations(judge, root):
        vocabulary = situation.loaded.vocabulary
        whole = Grammar(vocabulary)
        texts = [(FACTS, s.sentence) for s in situation.statements if s.sentence]
        texts += [(QUESTIONS, f"{question.strip().rstrip('?')}?") for question, _ in situation.asks]
        few = Sentences(vocabulary)
        for where, text in texts:
            few.asked = 0
            part = Grammar(vocabulary, few, few.fitting(fold(text), where))
            walks = [[(r.atom, r.positive, r.time) for r in g._walk(g.tries.root(where), fold(text), 0, [],
                                                                      situation.names, False)] for g in (part, whole)]
            assert walks[0] == walks[1], text


@pytest.mark.parametrize(("template", "fragment"), [
    ("{Unit} is|are <already> engaged with {Unit'}", "engaged"),
    ("{Side}'s {Phase} phase", "phase"),
    ("hit rolls: {Dice}", "rolls"),
    ("can|may {Actor} {Action}?", ""),
    ("{Unit} Fell back", "fell"),
])
def test_the_longest_literal_word_must_stand_in_a_text(template: str, fragment: str) -> None:
    assert fragment_of(template) == fragment
