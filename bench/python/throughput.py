#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""throughput.py FACTS.tsv [FOLDER]: what a fact and a question cost from Python, beside peers.

How many facts a second does each learn from Python's own values, to the durable end where it has
one; and how long do a lookup, (subject, relation) -> objects, and a join of two take? Loci, the
module sqlite3 (one table of text, covering indexes in both directions, executemany in one
transaction) and rdflib (in memory), on the same facts and questions, in one run and process.
All three must answer the same. Needs the package in PYTHONPATH and Debian's python3-rdflib.

CPU seconds are of all threads of the process: other work on the machine disturbs them less than it
does wall seconds, which are given beside. FACTS.tsv: `make_triples 1000000`. Writes below FOLDER.
"""
import contextlib
import pathlib
import random
import sqlite3
import sys
import tempfile
import time

import pandas
import rdflib

import loci

LOOKUPS, JOINS, SINGLES = 20_000, 2_000, 200


class Loci:
    name = "loci"

    def __init__(self, folder):
        self.memory = loci.Memory(str(folder / "facts.loci"))
        self.by_relation = {}

    @staticmethod
    def input_of(rows):
        return rows

    def learn(self, rows):
        self.memory.learn(rows)

    def ask(self, subject, relation):
        query = self._query(f"{relation}(?s, ?o)")
        return self.memory.ask(query, {"s": subject}).column("o")

    def join(self, subject, first, second):
        query = self._query(f"(?s, ?o) <- {first}(?s, ?m), {second}(?m, ?o)")
        return self.memory.ask(query, {"s": subject}).column("o")

    def _query(self, text):
        if text not in self.by_relation:
            self.by_relation[text] = loci.Query(text)
        return self.by_relation[text]

    def close(self):
        self.memory.close()


class LociColumns(Loci):
    name = "loci, columns"

    @staticmethod
    def input_of(rows):
        return dict(zip(("subject", "relation", "object"), map(list, zip(*rows))))


class LociFrame(Loci):
    name = "loci, data frame"

    @staticmethod
    def input_of(rows):
        return pandas.DataFrame(rows, columns=["subject", "relation", "object"])


class Sqlite:
    name = "sqlite3"
    input_of = staticmethod(Loci.input_of)

    def __init__(self, folder):
        self.db = sqlite3.connect(folder / "facts.db", isolation_level=None)
        self.db.execute("PRAGMA synchronous = FULL")
        self.db.execute("PRAGMA cache_size = -1000000")
        self.db.execute("CREATE TABLE facts (s TEXT, r TEXT, o TEXT, PRIMARY KEY (s, r, o)) "
                        "WITHOUT ROWID")

    def learn(self, rows):
        self.db.execute("BEGIN")
        self.db.executemany("INSERT OR IGNORE INTO facts VALUES (?, ?, ?)", rows)
        self.db.execute("CREATE INDEX IF NOT EXISTS by_object ON facts (o, r, s)")
        self.db.execute("COMMIT")

    def ask(self, subject, relation):
        return [o for o, in self.db.execute("SELECT o FROM facts WHERE s = ? AND r = ?",
                                            (subject, relation))]

    def join(self, subject, first, second):
        return [o for o, in self.db.execute(
            "SELECT DISTINCT b.o FROM facts a JOIN facts b ON b.s = a.o AND b.r = ? "
            "WHERE a.s = ? AND a.r = ?", (second, subject, first))]

    def close(self):
        self.db.close()


class Rdflib:
    name = "rdflib"
    input_of = staticmethod(Loci.input_of)

    def __init__(self, folder):
        self.graph = rdflib.Graph()

    def learn(self, rows):
        node = rdflib.URIRef
        self.graph.addN((node(s), node(r), node(o), self.graph) for s, r, o in rows)

    def ask(self, subject, relation):
        return list(map(str, self.graph.objects(rdflib.URIRef(subject), rdflib.URIRef(relation))))

    def join(self, subject, first, second):
        middles = self.graph.objects(rdflib.URIRef(subject), rdflib.URIRef(first))
        return list({str(o) for middle in middles
                     for o in self.graph.objects(middle, rdflib.URIRef(second))})

    def close(self):
        pass


@contextlib.contextmanager
def timed(name, count, unit):
    cpu, wall = time.process_time(), time.perf_counter()
    yield
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    rate = f"{count / cpu:10,.0f} {unit}/CPU s" if cpu else ""
    print(f"  {name:17} {rate}  {1e6 * wall / count:10.2f} us each  wall {wall:7.2f} s", flush=True)


def questions(rows):
    """Of facts, so that most have an answer: of the subject of each its relation, and two of them."""
    chosen = random.Random(20261201).choices(rows, k=LOOKUPS)
    relations = sorted({relation for _, relation, _ in rows})
    picks = random.Random(1).choices(relations[:10], k=JOINS)
    return ([(s, r) for s, r, _ in chosen],
            [(s, r, second) for (s, r, _), second in zip(chosen, picks)])


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = [tuple(line.rstrip("\n").split("\t")) for line in file]
    lookups, joins = questions(rows)
    base = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory(prefix="loci-bench.", dir=base) as temporary:
        engines = []
        print(f"learn {len(rows):,} facts in one batch")
        for kind in (Loci, LociColumns, LociFrame, Sqlite, Rdflib):
            folder = pathlib.Path(temporary) / kind.__name__
            folder.mkdir()
            engine, given = kind(folder), kind.input_of(rows)
            with timed(kind.name, len(rows), "facts"):
                engine.learn(given)
            if kind in (Loci, Sqlite, Rdflib):
                engines.append(engine)
            else:
                engine.close()
        for what, asked in (("ask", lookups), ("join", joins)):
            print(f"{what} {len(asked):,} questions")
            answers = {}
            for engine in engines:
                with timed(engine.name, len(asked), "questions"):
                    found = [getattr(engine, what)(*question) for question in asked]
                answers[engine.name] = [sorted(one) for one in found]
            counts = {name: sum(map(len, found)) for name, found in answers.items()}
            if any(found != answers["loci"] for found in answers.values()):
                sys.exit(f"throughput.py: the answers differ: {counts}")
            print(f"  {counts['loci']:,} answers, the same of each")
        print(f"learn {SINGLES} facts, each durable by itself")
        for engine in engines[:2]:
            with timed(engine.name, SINGLES, "facts"):
                for i in range(SINGLES):
                    engine.learn([(f"single_{i}", "rel_0", "entity_0")])
            engine.close()


if __name__ == "__main__":
    main()
