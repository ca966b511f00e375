# SPDX-License-Identifier: Apache-2.0
"""Questions made ready, and answers."""

from typing import TYPE_CHECKING, Any, Iterator, List, Sequence, Tuple, Union, overload

from . import _loci, _table
from ._evidence import Derivation, Evidence
from ._values import Value

if TYPE_CHECKING:
    import numpy
    import pandas


class Query:
    """A query made ready: parsed and checked once, asked often, of any memory; thread-safe. With
    parameters it is the fast way to look up.

    >>> Query("capital_of(?city ?land)")
    Traceback (most recent call last):
    loci.Error: column 18: found "?land", expected "," and the other end
    """

    __slots__ = ("_query", "text")

    def __init__(self, text: str) -> None:
        self._query = _loci.Query(text)
        self.text = text

    def __repr__(self) -> str:
        return f"Query({self.text!r})"


class Answer(Tuple[Value, ...]):
    """One answer: a tuple of the values of the query's variables, also to be had by their names.

    >>> with Memory(path) as memory:
    ...     _ = memory.learn([("paris", "capital_of", "france")])
    ...     for city, land in memory.ask("capital_of(?city, ?land)"):
    ...         print(city, land)
    ...     memory.ask("capital_of(?city, ?land)")[0]["city"]
    paris france
    'paris'
    """

    _answers: _loci.Answers
    _row: int

    def __new__(cls, answers: _loci.Answers, row: int) -> "Answer":
        self = super().__new__(cls, answers.values(row))  # type: ignore[arg-type]
        self._answers = answers
        self._row = row
        return self

    def __getitem__(self, key: Any) -> Any:
        """By place, as of any tuple, or by the variable's name."""
        if isinstance(key, str):
            return super().__getitem__(_column(self._answers, key))
        return super().__getitem__(key)

    @property
    def score(self) -> float:
        """In (0, 1], a multiple of 2**-32; a stored fact is 1."""
        return self._answers.score(self._row)

    @property
    def evidence(self) -> Tuple[Evidence, ...]:
        """The facts behind it, where the question said evidence=True."""
        return tuple(Evidence(*fields) for fields in self._answers.evidence(self._row))

    @property
    def why(self) -> Derivation:
        """How it is derived, where the question said why=True."""
        return Derivation(self._answers.why(self._row))

    def __reduce__(self) -> "tuple[type, tuple[tuple]]":
        return tuple, (tuple(self),)  # a copy elsewhere has the values, not what they rest on


class Answers(Sequence[Answer]):
    """Distinct answers, by descending score and then in the canonical order of their values, or as
    `order by` says: the same in the same order on every run and every machine.

    Of a query without variables the truth value is the answer. Objects are made where they are
    looked at: to ask for a million and read ten costs ten.
    """

    __slots__ = ("_answers",)

    def __init__(self, answers: _loci.Answers) -> None:
        self._answers = answers

    @property
    def variables(self) -> Tuple[str, ...]:
        """Without '?'."""
        return self._answers.variables

    @property
    def scores(self) -> "numpy.ndarray[Any, numpy.dtype[numpy.float64]]":
        """Of shape (len(self),), each in (0, 1]. Needs numpy."""
        return self._answers.scores()

    def column(self, variable: str) -> List[Value]:
        """The values of one variable, one per answer."""
        return self._answers.column(_column(self._answers, variable))

    def to_pandas(self, scores: bool = False) -> "pandas.DataFrame":
        """A data frame of dtype object with a column per variable; scores: and one of the scores."""
        import pandas

        columns: "dict[str, Any]" = {name: pandas.Series(self.column(name), dtype=object)
                                     for name in self.variables}
        if scores:
            columns["score"] = self.scores
        return pandas.DataFrame(columns, index=pandas.RangeIndex(len(self)))

    def __len__(self) -> int:
        return len(self._answers)

    @overload
    def __getitem__(self, index: int) -> Answer: ...

    @overload
    def __getitem__(self, index: slice) -> List[Answer]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Answer, List[Answer]]:
        if isinstance(index, slice):
            return [Answer(self._answers, row) for row in range(*index.indices(len(self)))]
        row = index + len(self) if index < 0 else index
        if not 0 <= row < len(self):
            raise IndexError(f"answer {index} of {len(self)}")
        return Answer(self._answers, row)

    def __iter__(self) -> Iterator[Answer]:
        return (Answer(self._answers, row) for row in range(len(self)))

    def _lines(self) -> "tuple[list[str], list[list[str]]]":
        scored = any(self._answers.score(row) != 1 for row in range(min(len(self), _table.MOST_ROWS)))
        rows = [[_loci.notation(value) for value in answer]
                + ([f"{answer.score:.6g}"] if scored else []) for answer in self[:_table.MOST_ROWS]]
        return [f"?{name}" for name in self.variables] + (["score"] if scored else []), rows

    def __repr__(self) -> str:
        if not self.variables:
            return "yes" if self else "no"
        return _table.text(*self._lines(), total=len(self)) if len(self) else "no answers"

    def _repr_html_(self) -> str:
        if not self.variables or not len(self):
            return repr(self)
        return _table.as_html(*self._lines(), total=len(self))


def _column(answers: _loci.Answers, variable: str) -> int:
    try:
        return answers.variables.index(variable.removeprefix("?"))
    except ValueError:
        raise KeyError(f"{variable!r} is no variable of the query; it has "
                       f"{', '.join(answers.variables) or 'none'}") from None


Query.__module__ = Answer.__module__ = Answers.__module__ = "loci"
