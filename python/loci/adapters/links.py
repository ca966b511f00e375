# SPDX-License-Identifier: Apache-2.0
"""How well a memory holds that a name is linked to a name: what link prediction is judged by.

A link scores 1 where it is stated, the score of its best derivation where rules of the memory
derive it (docs/query-language.md, Rules), and 0 where nothing is known of it. Nothing else is
guessed: without rules, every link that is not stated scores 0.
"""
from __future__ import annotations

import loci


class Links:
    """Links between names, each question as a prepared query."""

    def __init__(self, memory: loci.Memory) -> None:
        self._memory = memory
        self._queries: dict[str, loci.Query] = {}

    def tails(self, head: str, relation: str) -> dict[str, float]:
        """The names that relation(head, ?) holds of and their scores in (0, 1], best first."""
        return self._ends("head", head, relation, "tail")

    def heads(self, relation: str, tail: str) -> dict[str, float]:
        """The names that relation(?, tail) holds of and their scores in (0, 1], best first."""
        return self._ends("tail", tail, relation, "head")

    def _ends(self, given: str, name: str, relation: str, sought: str) -> dict[str, float]:
        query = self._queries.get(relation)
        if query is None:
            query = loci.Query(f"{loci.notation(relation)}(?head, ?tail)")
            self._queries[relation] = query
        answers = self._memory.ask(query, {given: name})
        # A text, a number and a date are no names.
        return {end: score for end, score in zip(answers.column(sought), answers.scores.tolist())
                if type(end) is str}
