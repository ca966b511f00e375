# SPDX-License-Identifier: Apache-2.0
"""A model that PyKEEN evaluates like its own baselines: nothing is trained.

    from loci.adapters.pykeen import MemoryModel
    model = MemoryModel(triples_factory=dataset.training, memory=memory)
    pykeen.evaluation.RankBasedEvaluator().evaluate(
        model, dataset.testing.mapped_triples,
        additional_filter_triples=[dataset.training.mapped_triples])

The memory holds the training triples, under the labels of the factory, and rules; what it scores is
told in loci.adapters.links. What neither says is tied at 0, so that the rank to look at is PyKEEN's
"realistic" one, the mean of a tie. A memory without rules predicts nothing: of unseen triples all
ends are tied. This will predict more when the engine completes facts without rules (`infer`).

Written to PyKEEN's documented contract (EvaluationOnlyModel, Model.score_t and score_h of PyKEEN
1.10) and tested on doubles of it; untested against the real package, which Debian lacks.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import torch
from pykeen.models import EvaluationOnlyModel

import loci
from loci.adapters.links import Links


class MemoryModel(EvaluationOnlyModel):
    """Scores the ends of links by a memory, on the CPU.

    triples_factory: with labels (TriplesFactory), without inverse triples.
    """

    def __init__(self, triples_factory: Any, memory: loci.Memory) -> None:
        super().__init__(triples_factory=triples_factory)
        if triples_factory.create_inverse_triples:
            raise loci.Error("a memory knows both directions of a relation; make the triples "
                             "factory with create_inverse_triples=False")
        self._links = Links(memory.freeze())
        self._entity_ids: dict[str, int] = dict(triples_factory.entity_to_id)
        self._entities: list[str] = _by_id(self._entity_ids)
        self._relations: list[str] = _by_id(triples_factory.relation_to_id)

    def score_t(self, hr_batch: Any, *, slice_size: int | None = None, mode: Any = None,
                tails: Any = None) -> Any:
        """Pairs of ids (n, 2) -> float32 scores (n, entities), or of the tails that are given."""
        return self._score(
            [(self._entities[h], self._relations[r]) for h, r in numpy.asarray(hr_batch)],
            self._links.tails, tails)

    def score_h(self, rt_batch: Any, *, slice_size: int | None = None, mode: Any = None,
                heads: Any = None) -> Any:
        """Pairs of ids (n, 2) -> float32 scores (n, entities), or of the heads that are given."""
        return self._score(
            [(self._relations[r], self._entities[t]) for r, t in numpy.asarray(rt_batch)],
            self._links.heads, heads)

    def _score(self, pairs: list[tuple[str, str]], ends: Callable[[str, str], dict[str, float]],
               among: Any) -> Any:
        scores = numpy.zeros((len(pairs), len(self._entities)), dtype=numpy.float32)
        for row, pair in zip(scores, pairs):
            for name, score in ends(*pair).items():
                if name in self._entity_ids:
                    row[self._entity_ids[name]] = score
        if among is not None:  # ids, of shape (k,) for all pairs or (n, k)
            chosen = numpy.broadcast_to(among, (len(pairs), numpy.shape(among)[-1]))
            scores = numpy.take_along_axis(scores, chosen, axis=1)
        return torch.from_numpy(scores)


def _by_id(ids: dict[str, int]) -> list[str]:
    return sorted(ids, key=ids.__getitem__)
