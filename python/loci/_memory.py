# SPDX-License-Identifier: Apache-2.0
"""Memory: learn, ask, recall, forget."""

import os
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Iterable, Iterator, Mapping, Optional, Tuple, Type, Union

from . import _loci
from ._answers import Answers, Query
from ._columns import columns_of, is_columnar
from ._errors import Error
from ._evidence import Derivation, Evidence, fact_notation
from ._receipts import ForgetReceipt, LearnFileReceipt, LearnReceipt, Stats
from ._recollection import Recollection
from ._values import Statement, ValueLike

if TYPE_CHECKING:
    import pandas

_FACT, _SUBJECT, _SOURCE, _NAMING = range(4)  # Selector::By of include/loci/memory.h
_UNBOUNDED = 2**64 - 1
_STATEMENTS_AT_ONCE = 1000

Row = Union[Statement, Tuple[str, str, ValueLike], Tuple[str, str, ValueLike, str]]
Fact = Union[str, Statement, Row, Evidence]


class Memory:
    """A memory: a directory of this machine's own disk, made where it is not there.

    Writes are atomic, and on disk when the call returns. Any number of threads and processes may
    use one memory at once; each call sees all that was committed before it. A child made by fork
    opens the memory anew: what its parent opened is refused (Error, usage).

    Calls run without the interpreter's lock. Ctrl-C stops them in the main thread, with the memory
    as it was; only a wait for another process's write is not stopped.

    >>> with Memory(path) as memory:
    ...     memory.learn([("paris", "capital_of", "france"), ("france", "in", "europe")],
    ...                  source="atlas").learned
    ...     memory.ask("capital_of(?city, ?land), in(?land, europe)")
    2
    ?city  ?land
    paris  france
    """

    def __init__(self, path: "Union[str, os.PathLike[str]]", *, create: bool = True,
                 read_only: bool = False) -> None:
        """read_only: write nothing but counters; implies create=False."""
        self._path = os.fspath(path)
        self._memory = _loci.Memory(os.fsencode(path), create, read_only)

    @property
    def path(self) -> str:
        """As it was given."""
        return self._path

    def freeze(self) -> "Memory":
        """This memory as it is at the moment: reads of it repeat whatever others write; it cannot
        be written. It costs little, but holds the space of what is forgotten meanwhile."""
        frozen = Memory.__new__(Memory)
        frozen._path = self._path
        frozen._memory = self._memory.freeze()
        return frozen

    def close(self) -> None:
        """Calls that other threads are in end as they would; later ones are refused. Closing twice
        is closing once."""
        self._memory.close()

    @property
    def closed(self) -> bool:
        return self._memory.closed

    def __enter__(self) -> "Memory":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<loci.Memory {self._path!r}{' closed' if self.closed else ''}>"

    # --- learning ---

    def learn(self, statements: "Union[Iterable[Row], Mapping[str, Any], pandas.DataFrame]", *,
              source: str = "") -> LearnReceipt:
        """Learns statements as one batch: all of them or, where one is refused, none.

        statements: an iterable of (subject, relation, object) or (subject, relation, object,
        source); or columns, a mapping or a pandas.DataFrame of subject, relation, object and
        perhaps source, each of equal length or one value for all rows.
        source: of statements that name none; "api", if empty.

        >>> with Memory(path) as memory:
        ...     memory.learn({"subject": ["rome", "oslo"], "relation": "capital_of",
        ...                   "object": ["italy", "norway"]}).learned
        2
        """
        if is_columnar(statements):
            return LearnReceipt(*self._memory.learn_columns(*columns_of(statements, source)))
        return LearnReceipt(*self._memory.learn_rows(iter(statements), source))

    def learn_file(self, path: "Union[str, os.PathLike[str]]", *, format: str = "",
                   source: str = "", map: str = "", skip_bad: bool = False,
                   max_memory: Optional[int] = None) -> LearnFileReceipt:
        """Learns a file, plain or .gz or .zst, or WordNet's folder, as one batch.

        format: told by the content, if empty; docs/formats.md lists them. source: the file's base
        name, if empty. map: of CSV, which columns make which statements. skip_bad: leave out
        malformed records and count them. max_memory: bytes of statements gathered before the one
        commit; beyond, nothing is learned (Error, no_memory).
        """
        most = _UNBOUNDED if max_memory is None else max_memory
        return LearnFileReceipt(*self._memory.learn_file(os.fsencode(path), format, source, map,
                                                         skip_bad, most))

    def learn_rules(self, rules: str, *, source: str = "") -> LearnReceipt:
        """Learns rules, by which further facts hold: all of them or none.

        >>> with Memory(path) as memory:
        ...     _ = memory.learn([("a", "in", "b"), ("b", "in", "c")])
        ...     _ = memory.learn_rules("part_of(?x, ?z) <- in(?x, ?y), in(?y, ?z);")
        ...     memory.ask("part_of(a, ?whole)")
        ?whole
        c
        """
        return LearnReceipt(*self._memory.learn_rules(rules, source))

    # --- asking ---

    def ask(self, query: Union[str, Query], parameters: Optional[Mapping[str, ValueLike]] = None,
            *, limit: Optional[int] = None, evidence: bool = False, why: bool = False,
            max_work: int = 1_000_000_000, max_memory: int = 4 << 30) -> Answers:
        """Answers a query of docs/query-language.md.

        parameters: values of some of its variables. limit: answers, at most; the query's own limit
        counts too. evidence: cite the facts behind each answer. why: tell how each is derived.
        max_work, max_memory: rows touched, and bytes of any one table; beyond, the call fails
        (Error, limit or no_memory): answers are never cut silently.

        >>> with Memory(path) as memory:
        ...     _ = memory.learn([("paris", "capital_of", "france")], source="atlas")
        ...     answers = memory.ask("capital_of(?x, ?y)", {"y": "france"}, evidence=True)
        ...     print(*answers[0].evidence)
        capital_of(paris, france) from atlas
        """
        made = query if isinstance(query, Query) else Query(query)
        most = _UNBOUNDED if limit is None else limit
        given = {} if parameters is None else dict(parameters)
        return Answers(self._memory.ask(made._query, given, most, evidence, why, max_work,
                                        max_memory))

    def why(self, fact: Fact, *, max_work: int = 1_000_000_000) -> Derivation:
        """Why a fact holds, down to the statements that say so; empty where it does not.

        fact: "relation(subject, object)", where the relation may be a path, alone or with " from
        source"; a statement's address; or a tuple as learn takes it.

        >>> with Memory(path) as memory:
        ...     _ = memory.learn([("a", "in", "b"), ("b", "in", "c")])
        ...     memory.why("in+(a, c)")  # doctest: +ELLIPSIS
        in+(a, c)
        ├─ in(a, b)  from api ...
        └─ in(b, c)  from api ...
        """
        return Derivation(self._memory.why(_fact(fact), max_work))

    def recall(self, cue: str, *, limit: int = 10, offset: int = 0, where: str = "",
               source: str = "", within: str = "", since: str = "", until: str = "",
               unlike: str = "", associate: bool = True, evidence: bool = False,
               max_work: int = 1_000_000_000) -> Recollection:
        """What a cue (a question, some words, a name) brings to mind, the best first.

        where: clauses of a query over ?x, which stands for what is recalled. source: only what this
        source states something of. within: only this and its parts. since, until: only what is of
        that time, in ISO 8601, both included. unlike: nothing that has one of these words.
        associate: also by what the cue's words lead to. evidence: cite the facts behind each.

        >>> with Memory(path) as memory:
        ...     _ = memory.learn([("log#1", "text", Text("Ann said the boat is in the harbour"))])
        ...     [one] = memory.recall("where is the boat?")
        ...     one.name, [one.text[begin:end] for begin, end in one.spans]
        ('log#1', ['boat'])
        """
        return Recollection(self._memory.recall(cue, limit, offset, where, source, within, since,
                                                until, unlike, associate, evidence, max_work))

    # --- forgetting ---

    def forget(self, fact: Optional[Fact] = None, *, subject: Optional[str] = None,
               source: Optional[str] = None, naming: Optional[str] = None, dry_run: bool = False,
               statements: bool = False) -> ForgetReceipt:
        """Forgets a fact (as `why` takes it; with a source: what that one says), all that is said
        about a subject, all that a source said, or all that holds a name in any place: one of them.

        Gone from answers and digest at once; from the bytes of the files with the next consolidate.
        dry_run: count, but change nothing. statements: list them in the receipt.

        >>> with Memory(path) as memory:
        ...     before = memory.digest()
        ...     _ = memory.learn([("lyon", "capital_of", "france")], source="rumour")
        ...     memory.forget(source="rumour").digest == before
        True
        """
        every = ((_FACT, fact), (_SUBJECT, subject), (_SOURCE, source), (_NAMING, naming))
        given = [(by, what) for by, what in every if what is not None]
        if len(given) != 1:
            raise TypeError("forget takes one of: a fact, subject=, source=, naming=")
        by, what = given[0]
        text = what if isinstance(what, str) else _fact(what)
        told: Any = list(self._memory.forget(by, text, dry_run, statements))
        told[5] = tuple(Statement(*fields) for fields in told[5])
        return ForgetReceipt(*told)

    # --- the whole ---

    def digest(self) -> str:
        """64 hex digits, a function of the statements alone: equal for equal memories anywhere."""
        return self._memory.digest()

    def stats(self) -> Stats:
        """How much there is of what."""
        return Stats(*self._memory.stats())

    def statements(self) -> Iterator[Statement]:
        """Every statement in canonical order, as the memory is at the call; a thousand are held at
        a time. One thread at a time may take from it.

        >>> with Memory(path) as memory:
        ...     _ = memory.learn([("rome", "capital_of", "italy")], source="atlas")
        ...     list(memory.statements())
        [Statement(subject='rome', relation='capital_of', object='italy', source='atlas')]
        """
        return _walk(self._memory.all())

    def export(self, to: "Union[str, os.PathLike[str], BinaryIO]", format: str = "tsv") -> int:
        """Writes every statement in canonical order to a file, or to what has write(bytes). format:
        "tsv", "jsonl", "nquads" or "ntriples". Returns the number of records. What it wrote until
        it failed stays."""
        if hasattr(to, "write"):
            return self._memory.export(format, to.write)
        with open(os.fspath(to), "wb") as file:
            return self._memory.export(format, file.write)

    def consolidate(self) -> None:
        """Folds everything into one canonical image, without what was forgotten."""
        self._memory.consolidate()

    def check(self) -> None:
        """Verifies every checksum and invariant; the Error names what is wrong."""
        self._memory.check()


def _walk(statements: _loci.Statements) -> Iterator[Statement]:
    while some := statements.next(_STATEMENTS_AT_ONCE):
        yield from map(Statement._make, some)


def _fact(fact: object) -> str:
    if isinstance(fact, str):
        return fact
    if isinstance(fact, Evidence):
        return fact.fact
    if isinstance(fact, tuple) and len(fact) in (3, 4):
        subject, relation, value, *said_by = fact
        said = f" from {_loci.notation(said_by[0])}" if said_by and said_by[0] else ""
        return fact_notation(subject, relation, value) + said
    raise TypeError(f"a fact is a str, (subject, relation, object[, source]) or loci.Evidence, not "
                    f"{type(fact).__name__}")


Memory.__module__ = "loci"
