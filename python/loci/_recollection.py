# SPDX-License-Identifier: Apache-2.0
"""What a cue brings to mind."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, List, Sequence, Tuple, Union, overload

from . import _loci, _table
from ._evidence import Evidence

if TYPE_CHECKING:
    import numpy
    import pandas


@dataclass(frozen=True)
class Recalled:
    """One memory that was recalled."""

    name: str
    score: float  # in (0, 1], a multiple of 2**-32
    title: str  # or empty
    text: str  # whole; empty where it has none
    spans: Tuple[Tuple[int, int], ...]  # text[begin:end] is a word of the cue; in characters
    words: Tuple[Tuple[str, float], ...]  # (word, its part of the score), by descending weight
    links: Tuple[str, ...]  # that led there from other memories, in words
    sources: Tuple[str, ...]  # who states the text; sorted
    addresses: Tuple[str, ...]  # of these statements, one per source
    evidence: Tuple[Evidence, ...]  # the facts that led there, where evidence=True


class Recollection(Sequence[Recalled]):
    """What was recalled, the best first; those whose words others have covered a little later."""

    __slots__ = ("_recollection",)

    def __init__(self, recollection: _loci.Recollection) -> None:
        self._recollection = recollection

    @property
    def found(self) -> int:
        """All that pass the filters, of which these are the `limit` after the first `offset`."""
        return self._recollection.found

    @property
    def scores(self) -> "numpy.ndarray[Any, numpy.dtype[numpy.float64]]":
        """Of shape (len(self),), each in (0, 1]. Needs numpy."""
        return self._recollection.scores()

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame with the columns name, score, title, text and sources."""
        import pandas

        rows = [(r.name, r.score, r.title, r.text, r.sources) for r in self]
        return pandas.DataFrame(rows, columns=["name", "score", "title", "text", "sources"])

    def __len__(self) -> int:
        return len(self._recollection)

    @overload
    def __getitem__(self, index: int) -> Recalled: ...

    @overload
    def __getitem__(self, index: slice) -> List[Recalled]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Recalled, List[Recalled]]:
        if isinstance(index, slice):
            return [self._at(i) for i in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"memory {index} of {len(self)}")
        return self._at(at)

    def __iter__(self) -> Iterator[Recalled]:
        return map(self._at, range(len(self)))

    def _at(self, index: int) -> Recalled:
        fields: Any = list(self._recollection.memory(index))
        fields[-1] = tuple(Evidence(*cited) for cited in fields[-1])
        return Recalled(*fields)

    def _lines(self) -> "tuple[list[str], list[list[str]]]":
        rows = [[r.name, f"{r.score:.6g}", r.text or r.title] for r in self[:_table.MOST_ROWS]]
        return ["name", "score", "text"], rows

    def __repr__(self) -> str:
        return _table.text(*self._lines(), total=len(self)) if len(self) else "nothing was recalled"

    def _repr_html_(self) -> str:
        return _table.as_html(*self._lines(), total=len(self)) if len(self) else repr(self)


Recalled.__module__ = Recollection.__module__ = "loci"
