# SPDX-License-Identifier: Apache-2.0
"""What an answer rests on: facts with their sources, and derivations as trees."""

import html
from dataclasses import dataclass
from typing import Any, Iterator, Sequence, Tuple, Union, overload

from . import _loci
from ._values import Value, ValueLike


@dataclass(frozen=True)
class Evidence:
    """A fact behind an answer, and who said it.

    >>> print(Evidence("paris", "capital_of", "france", ("atlas",), ("00c3d2af5b1e9f44",)))
    capital_of(paris, france) from atlas
    """

    subject: str
    relation: str
    object: Value
    sources: Tuple[str, ...]  # sorted
    addresses: Tuple[str, ...]  # of the statements, one per source; Memory.forget takes them

    @property
    def fact(self) -> str:
        """In notation: what Memory.ask, why and forget take."""
        return fact_notation(self.subject, self.relation, self.object)

    def __str__(self) -> str:
        return f"{self.fact} from {', '.join(map(_loci.notation, self.sources))}"


def fact_notation(subject: str, relation: str, value: ValueLike) -> str:
    return f"{_loci.notation(relation)}({_loci.notation(subject)}, {_loci.notation(value)})"


@dataclass(frozen=True)
class Step:
    """One step of a derivation, with what makes it true below it.

    kind is "statement" (a stored fact), "derived" (by a rule), "rule", "path", "or", "not",
    "compare", "again" (told above), "more" (something is left out), "like" (what a cue recalls) or
    "link" (that led there).
    """

    kind: str
    clause: str  # in the query language
    score: float  # in (0, 1]
    sources: Tuple[str, ...]  # of a statement or a rule, sorted
    addresses: Tuple[str, ...]  # one per source
    words: Tuple[Tuple[str, float], ...]  # of "like": (word, weight), by descending weight
    below: Tuple["Step", ...]

    def __str__(self) -> str:
        said = ", ".join(f"{_loci.notation(s)} {a}" for s, a in zip(self.sources, self.addresses))
        said = f"  from {said}" if said else ""
        score = "" if self.score == 1 else f"  score {self.score:.6g}"
        if self.kind == "rule":
            return f"rule {self.clause}{said}"
        if self.kind == "again":
            return f"{self.clause}{score}  as above"
        if self.kind == "path":
            return self.clause + score + ("" if self.below else "  the walk of no step")
        if self.kind == "not":
            return f"nothing is known of: {self.clause}"
        if self.kind == "compare":
            return f"{self.clause}  holds"
        if self.kind == "more":
            return f"... {self.clause}"
        if self.kind == "like":
            words = ", ".join(f"{word} {weight:.3g}" for word, weight in self.words)
            return self.clause + score + (f"  by {words}" if words else "")
        if self.kind in ("derived", "or"):
            return self.clause + score
        return self.clause + said


class Derivation(Sequence[Step]):
    """Why something holds: steps whose leaves are statements. Empty where it does not hold.

    print() draws the tree, as `loci why` does; a notebook shows it to be folded.
    """

    def __init__(self, steps: Sequence[tuple]) -> None:
        """steps: in preorder, as the library tells them: level, then the fields of Step."""
        self._steps = tuple(_nest(list(steps), 0, 0)[0])

    def __len__(self) -> int:
        return len(self._steps)

    @overload
    def __getitem__(self, index: int) -> Step: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Step]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Step, Sequence[Step]]:
        return self._steps[index]

    def __str__(self) -> str:
        return "\n".join(line for step in self._steps for line in _draw(step)) or "no"

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return "".join(map(_fold, self._steps)) or "no"

    def statements(self) -> Iterator[Step]:
        """The leaves that are statements, from left to right."""
        def walk(step: Step) -> Iterator[Step]:
            if step.kind == "statement":
                yield step
            for below in step.below:
                yield from walk(below)

        for step in self._steps:
            yield from walk(step)


def _nest(steps: Sequence[tuple], at: int, level: int) -> "tuple[list[Step], int]":
    """The steps of a level from `at` on, and where they end."""
    out = []
    while at < len(steps) and steps[at][0] >= level:
        fields: Any = list(steps[at][1:])
        below, at = _nest(steps, at + 1, level + 1)
        out.append(Step(*[*fields, tuple(below)]))
    return out, at


def _draw(step: Step) -> Iterator[str]:
    yield str(step)
    for i, below in enumerate(step.below):
        is_last = i + 1 == len(step.below)
        lines = _draw(below)
        yield ("└─ " if is_last else "├─ ") + next(lines)
        for line in lines:
            yield ("   " if is_last else "│  ") + line


def _fold(step: Step) -> str:
    told = f"<code>{html.escape(str(step))}</code>"
    if not step.below:
        return f"<div style='margin-left:1em'>{told}</div>"
    inner = "".join(map(_fold, step.below))
    return f"<details open style='margin-left:1em'><summary>{told}</summary>{inner}</details>"


Evidence.__module__ = Step.__module__ = Derivation.__module__ = "loci"
