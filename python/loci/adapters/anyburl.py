# SPDX-License-Identifier: Apache-2.0
"""Ranking files as AnyBURL, PyClause and SAFRAN write and evaluate them.

Three lines for each judged triple, candidates with their confidences, the best first::

    marta citizenOf italy
    Heads: marta<TAB>0.8<TAB>enrico<TAB>0.5<TAB>
    Tails: italy<TAB>0.8<TAB>

Untested against these programs, which Debian does not package; the format is that of PyClause's
``RankingHandler.write_ranking`` and ``clause.eval.evaluation.Ranking``. They split the first line
at spaces, so that no name may have any.
"""
from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

import loci
from loci.adapters.links import Links

Triple = tuple[str, str, str]
Candidates = tuple[tuple[str, float], ...]


class Ranking(NamedTuple):
    """A judged triple, and who could stand at each of its ends, as (name, confidence)."""

    head: str
    relation: str
    tail: str
    heads: Candidates
    tails: Candidates


def rank(memory: loci.Memory, triples: Iterable[Triple], *, known: Iterable[Triple] = (),
         top_k: int = 100) -> Iterator[Ranking]:
    """What the memory holds of both ends of each triple, at most top_k candidates for either.

    known: triples whose ends are no candidates but in the ranking of themselves: the training, the
    validation and the test triples, for what is called the filtered setting. Of equal confidence
    the first in the order of names' bytes comes first.
    """
    links = Links(memory.freeze())
    heads_of: dict[tuple[str, str], set[str]] = {}
    tails_of: dict[tuple[str, str], set[str]] = {}
    for head, relation, tail in known:
        heads_of.setdefault((relation, tail), set()).add(head)
        tails_of.setdefault((head, relation), set()).add(tail)
    for head, relation, tail in triples:
        yield Ranking(
            head, relation, tail,
            _best(links.heads(relation, tail), heads_of.get((relation, tail), set()) - {head}, top_k),
            _best(links.tails(head, relation), tails_of.get((head, relation), set()) - {tail}, top_k))


def write(rankings: Iterable[Ranking], path: str | os.PathLike[str]) -> int:
    """Writes a file of rankings; how many."""
    count = 0
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for ranking in rankings:
            names = [*ranking[:3], *(name for name, _ in ranking.heads + ranking.tails)]
            for name in names:
                if not name or any(character.isspace() for character in name):
                    raise _bad(f"{name!r} cannot be in a ranking file, which splits names at "
                               "spaces; learn it under another name")
            file.write(" ".join(ranking[:3]) + "\n")
            for what, candidates in (("Heads", ranking.heads), ("Tails", ranking.tails)):
                file.write(f"{what}: " + "".join(f"{n}\t{c!r}\t" for n, c in candidates) + "\n")
            count += 1
    return count


def read(path: str | os.PathLike[str]) -> Iterator[Ranking]:
    """The rankings of a file. The first line may be split by tabs, and Tails come before Heads."""
    with open(path, encoding="utf-8") as file:
        number = 0
        while True:
            lines = [line.rstrip("\r\n") for line in islice(file, 3)]
            if not any(lines):
                return
            where = f"{os.fspath(path)}:{number + 1}"
            number += 3
            triple = lines[0].split("\t" if "\t" in lines[0] else " ")
            ends = dict(line.split(":", 1) for line in lines[1:] if ":" in line)
            if len(triple) != 3 or set(ends) != {"Heads", "Tails"}:
                raise _bad(f"{where}: found {lines}, expected a line of head, relation and tail, "
                           'one with "Heads: ", one with "Tails: "')
            head, relation, tail = triple
            yield Ranking(head, relation, tail, heads=_candidates(ends["Heads"], where),
                          tails=_candidates(ends["Tails"], where))


def mean_reciprocal_rank(rankings: Iterable[Ranking]) -> float:
    """The mean of 1/rank over both ends of all triples; 0 for an end that is not ranked."""
    reciprocals: list[float] = []
    for ranking in rankings:
        for end, candidates in ((ranking.head, ranking.heads), (ranking.tail, ranking.tails)):
            names = [name for name, _ in candidates]
            reciprocals.append(1 / (names.index(end) + 1) if end in names else 0.0)
    return sum(reciprocals) / len(reciprocals) if reciprocals else 0.0


def _best(scores: dict[str, float], without: set[str], top_k: int) -> Candidates:
    return tuple(islice(((n, s) for n, s in scores.items() if n not in without), top_k))


def _candidates(text: str, where: str) -> Candidates:
    fields = text.strip().split("\t") if text.strip() else []
    try:
        return tuple(zip(fields[::2], map(float, fields[1::2]), strict=True))
    except ValueError as error:
        raise _bad(f"{where}: candidates are names and confidences in turn, parted by tabs: "
                   f"{error}") from None


def _bad(message: str) -> loci.Error:
    return loci.Error(message, loci.ErrorKind.BAD_INPUT)
