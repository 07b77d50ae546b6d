"""Shapes of terms: trees of functors in which names, numbers and variables are None.

A question is sliced by shapes, so that one action leaves out the rules of the others.
"""

from __future__ import annotations

from typing import Any

from .terms import Term

Shape = Any
"""None for anything, or (functor, argument shapes)."""
Pattern = tuple[str, tuple[Shape, ...]]
DEPTH = 4


def shape_of(term: Term, depth: int = DEPTH) -> Shape:
    """The shape of a ground term."""
    if not isinstance(term, tuple) or depth == 0:
        return None
    return (term[0], tuple(shape_of(arg, depth - 1) for arg in term[1:]))


def compatible(a: Shape, b: Shape) -> bool:
    if a is None or b is None:
        return True
    return a[0] == b[0] and len(a[1]) == len(b[1]) and all(map(compatible, a[1], b[1]))


def cut(shape: Shape, depth: int = DEPTH) -> Shape:
    if shape is None or depth == 0:
        return None
    return (shape[0], tuple(cut(arg, depth - 1) for arg in shape[1]))


def opposite(name: str) -> str:
    """The predicate that says the contrary: `-p` for `p`, `p` for `-p`."""
    return name[1:] if name.startswith("-") else f"-{name}"
