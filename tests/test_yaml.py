"""YAML means what a person wrote, and every error has its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from adjudicator.errors import SituationError
from adjudicator.yamltext import Document, read


def scalar(text: str) -> str:
    document = Document(f"key: {text}", "f")
    assert document.root is not None
    node = document.get(document.root, "key")
    assert node is not None
    return document.scalar(node, "a value")


@pytest.mark.parametrize("text", ["yes", "no", "off", "null", "~", "3+", "12:30", "011", "1e3", "0x1F", "2026-11-30", "1_000", ".5",
                                  "Ard as Nails", "D6+1", "3:2:1", "true", "NaN", "=", "<<"])
def test_a_scalar_is_the_text_that_was_written(text: str) -> None:
    assert scalar(text) == text


@pytest.mark.parametrize(("text", "message", "line", "column"), [
    ("a: 1\nb: 2\na: 3", "the key a stands twice", 3, 1),
    ("a: {b: 1, b: 2}", "the key b stands twice", 1, 11),
    ("a: &x 1\nb: *x", "anchors and aliases are not used here", 1, 4),
    ("a: *x", "anchors and aliases are not used here", 1, 4),
    ("a: !thing 1", "tags are not used here", 1, 4),
    ("[a]: 1", "a key is a word", 1, 1),
    ("a: -", "a dash stands where a value should be", 1, 4),
    ("a: b: c", "this colon begins a value inside a text", 1, 5),
    ("a: @b", "a value cannot begin like this", 1, 4),
    ("a:\n\t- b", "a value cannot begin like this", 2, 1),
    ("a: [1, 2", "the list that opens here is not closed", 1, 4),
    ("a: {b: 1", "the mapping that opens here is not closed", 1, 4),
    ("a: 'b", "the quote that opens here is not closed", 1, 4),
    ('a: "b" c', "this does not fit what stands before it", 1, 8),
    ("- a\nb: c", "this does not fit what stands before it", 2, 1),
    ("a: 1\n---\nb: 2", "", 2, 1),
])
def test_what_bites_in_yaml_is_an_error_with_its_place(text: str, message: str, line: int, column: int) -> None:
    with pytest.raises(SituationError) as caught:
        Document(text, "f.yaml")
    error = caught.value
    assert message in error.message
    assert error.span is not None
    assert (error.span.file, error.span.line) == ("f.yaml", line)
    if message:
        assert error.span.column == column


def test_an_exploding_document_is_refused_at_once() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    with pytest.raises(SituationError, match="anchors and aliases"):
        Document("\n".join(lines), "f")


@pytest.mark.parametrize("text", ["", "# only a remark\n", "\n\n", "---\n"])
def test_an_empty_document_has_no_root_or_an_empty_one(text: str) -> None:
    root = Document(text, "f").root
    assert root is None or root.value == ""


def test_one_value_counts_as_a_list_of_one_and_nothing_as_none() -> None:
    document = Document("one: a\nmany: [a, b]\nnone:\nquoted: ''", "f")
    assert document.root is not None
    counts = {key.value: len(document.list(value, "x")) for key, value in document.items(document.root, "x")}
    assert counts == {"one": 1, "many": 2, "none": 0, "quoted": 1}


def test_a_mapping_where_a_text_is_wanted_hints_at_the_quotes_it_needs() -> None:
    document = Document("fact: {hit rolls: 2}", "f")
    assert document.root is not None
    node = document.get(document.root, "fact")
    assert node is not None
    with pytest.raises(SituationError) as caught:
        document.scalar(node, "a sentence")
    assert "quotes" in caught.value.hint


def test_an_unknown_key_names_the_nearest() -> None:
    document = Document("unit: 1", "f")
    assert document.root is not None
    key, _ = next(document.items(document.root, "x"))
    error = document.unknown(key, ["units", "sides"], "a situation")
    assert "did you mean units?" in error.show()
    assert "^^^^" in error.show()


def test_line_endings_and_a_byte_order_mark_do_not_count(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\r")
    assert read(path) == "a: 1\nb: 2\n"
