# SPDX-License-Identifier: Apache-2.0
"""Recall as a retriever that BEIR evaluates.

    from beir.retrieval.evaluation import EvaluateRetrieval
    from loci.adapters.beir import Search
    retriever = EvaluateRetrieval(Search())
    results = retriever.retrieve(corpus, queries)
    ndcg, *_ = retriever.evaluate(qrels, results, retriever.k_values)

Written to BEIR's contract (EvaluateRetrieval.retrieve of BEIR 2) and untested against the real
package, which Debian lacks; it needs nothing of it. On SciFact a test holds it to nDCG@10 of
`loci eval recall`.
"""
from __future__ import annotations

import tempfile
from collections.abc import Container, Mapping
from itertools import islice
from typing import Any

import loci


class Search:
    """Learns a corpus, then recalls by each query.

    memory: what to learn the corpus into, under the given source. Where none is given each search
    makes one of its own in the system's temporary folder and removes it.
    """

    def __init__(self, memory: loci.Memory | None = None, *, source: str = "corpus") -> None:
        self._memory, self._source = memory, source

    def search(self, corpus: Mapping[str, Mapping[str, str]], queries: Mapping[str, str],
               top_k: int, *args: Any, **kwargs: Any) -> dict[str, dict[str, float]]:
        """Scores in (0, 1] of at most top_k documents for each query, the best first.

        corpus: id -> {"title": ..., "text": ...}. queries: id -> text. A document that has the id
        of a query is no result of it. Further arguments of BEIR, such as the score function, say
        nothing to a memory.
        """
        if self._memory is not None:
            return self._search(self._memory, corpus, queries, top_k)
        with tempfile.TemporaryDirectory(prefix="loci-beir.") as folder:
            with loci.Memory(f"{folder}/corpus.loci") as memory:
                return self._search(memory, corpus, queries, top_k)

    def _search(self, memory: loci.Memory, corpus: Mapping[str, Mapping[str, str]],
                queries: Mapping[str, str], top_k: int) -> dict[str, dict[str, float]]:
        columns: dict[str, list[Any]] = {"subject": [], "relation": [], "object": []}
        for name, document in corpus.items():
            for relation in ("title", "text"):
                if document.get(relation):
                    columns["subject"].append(name)
                    columns["relation"].append(relation)
                    columns["object"].append(loci.Text(document[relation]))
        memory.learn(columns, source=self._source)
        return {query: _recall(memory, query, cue, corpus, top_k) for query, cue in queries.items()}


def _recall(memory: loci.Memory, query: str, cue: str, documents: Container[str],
            top_k: int) -> dict[str, float]:
    """By `like` and not by Memory.recall, which shows first what is not alike: BEIR orders by
    score, and of those that Memory.recall shows first some may not be the best by that."""
    if not cue.strip():
        return {}
    clause = f"(?x) <- like(?x, {loci.notation(loci.Text(cue))})"
    limit = top_k + 1
    while True:  # until there are enough, as a memory may know more than the corpus
        answers = memory.ask(clause, limit=limit)
        found = {name: score for name, score in zip(answers.column("x"), answers.scores.tolist())
                 if type(name) is str and name in documents and name != query}
        if len(found) >= top_k or len(answers) < limit:
            return dict(islice(found.items(), top_k))
        limit *= 4
