# SPDX-License-Identifier: Apache-2.0
"""Receipts: what a write did, and what a memory holds."""

from typing import NamedTuple, Tuple

from . import _table
from ._values import Statement


class LearnReceipt(NamedTuple):
    """What learning did."""

    learned: int  # statements that were new
    known: int  # statements that were there already
    digest: str  # of the memory afterwards, 64 hex digits


class LearnFileReceipt(NamedTuple):
    """What learning a file did."""

    learned: int
    known: int
    digest: str
    format: str  # as told or given
    skipped: int  # malformed records
    bad: Tuple[str, ...]  # the first of them: file:line:column: why


class ForgetReceipt(NamedTuple):
    """The receipt of an erasure. It holds no digest from before: the difference of the two would be
    the hash of what was erased."""

    forgotten: int  # statements
    facts_gone: int  # facts that nobody says any more
    facts_kept: int  # facts that other sources still say
    still_named: int  # of a subject: facts that name it as object or relation
    still_source: int  # of a subject: statements whose source it is
    statements: Tuple[Statement, ...]  # in canonical order, where asked for
    digest: str  # of the memory afterwards


class Stats(NamedTuple):
    """What a memory holds; bytes of its files."""

    statements: int
    facts: int
    symbols: int
    texts: int
    numbers: int
    dates: int
    relations: int
    sources: int
    bytes: int

    def __str__(self) -> str:
        return _table.text(["", "count"], self._lines(), total=len(self))

    def _repr_html_(self) -> str:
        return _table.as_html(["", "count"], self._lines(), total=len(self))

    def _lines(self) -> "list[list[str]]":
        return [[name, f"{count:,}"] for name, count in zip(self._fields, self)]


for _receipt in (LearnReceipt, LearnFileReceipt, ForgetReceipt, Stats):
    _receipt.__module__ = "loci"
