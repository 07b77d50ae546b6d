"""Random small programs of the rule language, for the tests that hold the explainer against clingo.

A program has stated predicates `e0/1 e1/2 e2/1` and derived ones `p0/1 p1/2 p2/1 p3/2`, each derived from what comes
before it (in any form) and, positively, from itself; so every program is stratified and has one model.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

STATED = {"e0": 1, "e1": 2, "e2": 1}
DERIVED = {"p0": 1, "p1": 2, "p2": 1, "p3": 2}
CONSTANTS = ["a", "b", '"s"', '"q\\"\\\\"', "f(a)", "f(1)", "f(f(a))", "()", "(a,1)", "-2", "-1", "0", "1", "2", "3"]
COMMON = ["a", "b", "1", "2", "0", "f(1)"]
"""Constants that most facts are about, so that literals join."""
VARIABLES = ["X", "Y", "Z"]
ARGUMENTS = {1: "Thing", 2: "Thing,Thing'"}
DECLARED = "".join(f"%*! {name}({ARGUMENTS[arity]})\n@helper\n*%\n" for name, arity in {**STATED, **DERIVED}.items())


@dataclass
class Text:
    """A program: its declarations and rules, and its facts."""

    rules: list[str]
    facts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return DECLARED + "\n".join(self.rules) + "\n"


def sometimes(draw: st.DrawFn, chance: int) -> bool:
    """True once in `chance` times."""
    return draw(st.integers(1, chance)) == chance


@st.composite
def argument(draw: st.DrawFn, bound: set[str], binding: bool = True) -> str:
    """An argument of a positive literal; adds the variables that it gives a value to `bound`."""
    kind = draw(st.sampled_from(["variable"] * 7 + ["constant", "any", "shift", "function", "interval", "pool"]))
    name = draw(st.sampled_from(VARIABLES))
    if kind == "constant":
        return draw(st.sampled_from(CONSTANTS))
    if kind == "any":
        return "_"
    if kind == "interval":
        low = draw(st.integers(-1, 2))
        return f"{low}..{low + draw(st.integers(-1, 2))}"
    if kind == "pool":
        return f"({draw(st.sampled_from(CONSTANTS))};{draw(st.sampled_from(CONSTANTS))})"
    if binding:
        bound.add(name)
    if kind == "shift":
        return draw(st.sampled_from([f"{name}+1", f"{name}-1", f"2-{name}", f"1+{name}", f"{name}-1+2"]))
    return f"f({name})" if kind == "function" else name


@st.composite
def term(draw: st.DrawFn, bound: list[str], depth: int = 0) -> str:
    """A term over variables that have values."""
    kinds = ["constant"] + (["variable"] * 4 if bound else [])
    if depth < 2:
        kinds += ["sum", "function", "absolute"]
    kind = draw(st.sampled_from(kinds))
    if kind == "constant":
        return draw(st.sampled_from(CONSTANTS))
    if kind == "variable":
        return draw(st.sampled_from(bound))
    if kind == "function":
        return f"f({draw(term(bound, depth + 1))})"
    if kind == "absolute":
        return f"|{draw(term(bound, depth + 1))}|"
    operator = draw(st.sampled_from(["+", "-", "*", "/", "\\", "**"]))
    left, right = draw(term(bound, depth + 1)), draw(term(bound, depth + 1))
    return f"({left}{operator}{right})"


@st.composite
def atom(draw: st.DrawFn, known: dict[str, int], bound: set[str], binding: bool = True) -> str:
    name = draw(st.sampled_from(sorted(known)))
    sign = "-" if name.startswith("p") and sometimes(draw, 8) else ""
    return f"{sign}{name}({','.join(draw(argument(bound, binding)) for _ in range(known[name]))})"


@st.composite
def test(draw: st.DrawFn, bound: list[str]) -> str:
    """A comparison of terms that have values."""
    operators = st.sampled_from(["<", "<=", ">", ">=", "!=", "="])
    parts = [draw(term(bound)), draw(operators), draw(term(bound))]
    if sometimes(draw, 5):
        return " ".join([*parts, draw(operators), draw(term(bound))])
    return ("not " if sometimes(draw, 5) else "") + " ".join(parts)


@st.composite
def negation(draw: st.DrawFn, lower: dict[str, int], bound: list[str]) -> str:
    name = draw(st.sampled_from(sorted(lower)))
    args = [draw(term(bound)) if not sometimes(draw, 4) else "_" for _ in range(lower[name])]
    return f"not {name}({','.join(args)})"


@st.composite
def condition(draw: st.DrawFn, lower: dict[str, int], bound: list[str], local: str) -> str:
    """The conditions of an element: one literal that binds the local variable, and perhaps a test."""
    name = draw(st.sampled_from(sorted(lower)))
    args = [local] + [draw(st.sampled_from([*bound, local, "_"])) for _ in range(lower[name] - 1)]
    if sometimes(draw, 4):
        args.reverse()
    parts = [f"{name}({','.join(args)})"]
    if sometimes(draw, 3):
        parts.append(draw(test([*bound, local])))
    if sometimes(draw, 4):
        parts.append(draw(negation(lower, [*bound, local])))
    return ", ".join(parts)


@st.composite
def conditional(draw: st.DrawFn, lower: dict[str, int], bound: list[str]) -> str:
    name = draw(st.sampled_from(sorted(lower)))
    inner = [*bound, "L"]
    head = f"{name}({','.join(draw(st.sampled_from([*inner, 'a'])) for _ in range(lower[name]))})"
    head = draw(st.sampled_from([head, f"not {head}", draw(test(inner)), "#false"]))
    return f"{head} : {draw(condition(lower, bound, 'L'))}"


@st.composite
def aggregate(draw: st.DrawFn, lower: dict[str, int], bound: list[str], assign: str) -> str:
    """An aggregate that tests, or that gives `assign` its value where that is a name."""
    function = draw(st.sampled_from(["count", "sum", "sum+", "min", "max"]))
    elements = []
    for local in draw(st.sampled_from([["L"], ["L"], ["L", "K"]])):
        terms = [local] if sometimes(draw, 2) else [draw(term([*bound, local], 1)), local]
        elements.append(f"{','.join(terms)} : {draw(condition(lower, bound, local))}")
    body = f"#{function} {{ {'; '.join(elements)} }}"
    if assign:
        return f"{assign} = {body}"
    operator, guard = draw(st.sampled_from(["<", "<=", ">", ">=", "!=", "="])), draw(term(bound, 1))
    sign = "not " if sometimes(draw, 4) else ""
    if sometimes(draw, 4):
        low = draw(st.integers(-1, 2))
        return f"{sign}{low} <= {body} <= {low + draw(st.integers(-1, 3))}"
    return f"{sign}{guard} {operator} {body}" if sometimes(draw, 2) else f"{sign}{body} {operator} {guard}"


@st.composite
def rule(draw: st.DrawFn, head: str, lower: dict[str, int]) -> str:
    bound: set[str] = set()
    recursive = {**lower, head: DERIVED[head]}
    body = [draw(atom(recursive if sometimes(draw, 2) else lower, bound)) for _ in range(draw(st.integers(1, 3)))]
    looped = any(f"{head}(" in part for part in body)
    have = sorted(bound)
    for _ in range(draw(st.integers(0, 2))):
        kind = draw(st.sampled_from(["test", "negation", "conditional", "aggregate", "assign", "value", "truth"]))
        free = next((v for v in ("V", "W") if v not in have), "")
        if kind == "test":
            body.append(draw(test(have)))
        elif kind == "negation":
            body.append(draw(negation(lower, have)))
        elif kind == "conditional":
            body.append(draw(conditional(lower, have)))
        elif kind == "aggregate":
            body.append(draw(aggregate(lower, have, "")))
        elif kind == "assign" and free:
            body.append(draw(aggregate(lower, have, free)))
            have.append(free)
        elif kind == "value" and free:
            value = draw(st.sampled_from([draw(term(have)), "1..2", "(a;1)"]))
            body.append(draw(st.sampled_from([f"{free} = {value}", f"f({free}) = {value}", f"{free}+1 = {value}"])))
            have.append(free)
        elif kind == "truth":
            body.append(draw(st.sampled_from(["#true", "not #false", "#false"])))
    body = draw(st.permutations(body))
    grown = [] if looped else have
    args = [draw(st.sampled_from(have)) if have and not sometimes(draw, 3) else draw(term(grown, 1 if grown else 2))
            for _ in range(DERIVED[head])]
    sign = "-" if sometimes(draw, 10) else ""
    return f"{sign}{head}({','.join(args)}) :- {'; '.join(body)}."


@st.composite
def programs(draw: st.DrawFn) -> Text:
    """A whole program: some facts, and one to three rules for some of the derived predicates."""
    facts = draw(st.lists(st.sampled_from(sorted(STATED)).flatmap(_fact), min_size=4, max_size=10, unique=True))
    lower, rules = dict(STATED), []
    for name in DERIVED:
        rules += [draw(rule(name, lower)) for _ in range(draw(st.integers(0, 3)))]
        lower[name] = DERIVED[name]
    return Text(rules or ["p0(X) :- e0(X)."], facts)


def _fact(name: str) -> st.SearchStrategy[str]:
    args = st.lists(st.sampled_from(COMMON * 4 + CONSTANTS), min_size=STATED[name], max_size=STATED[name])
    return args.map(lambda found: f"{name}({','.join(found)})")
