# SPDX-License-Identifier: Apache-2.0
"""The adapters on small data: rankings and scores against rules applied by hand, ranking files
there and back, retrieval against `loci eval recall`. PyKEEN and torch are doubles of their
documented contract, where they are not installed."""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import types
import unittest

try:
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}; install python3-numpy", file=sys.stderr)
    sys.exit(77)

sys.path.insert(0, os.path.join(os.environ["LOCI_SOURCE"], "scripts"))

import loci
from recall_sets import retrieval
from loci.adapters import anyburl
from loci.adapters.beir import Search
from loci.adapters.links import Links

NAMES = [f"e{i}" for i in range(12)]
RULES = """
    beside(?x, ?y) <- beside(?y, ?x) conf 0.8;
    beside(?x, ?z) <- in(?x, ?y), in(?z, ?y), ?x != ?z conf 0.5;
"""


def facts(seed):
    picks = random.Random(seed)
    return {(picks.choice(NAMES), picks.choice(["beside", "in"]), picks.choice(NAMES))
            for _ in range(25)}


def scores_by_hand(triples):
    """The fixpoint of RULES, by applying both to everything until nothing is better."""
    scores = {triple: 1.0 for triple in triples}
    while True:
        derived = [((y, "beside", x), 0.8 * score) for (x, r, y), score in scores.items() if r == "beside"]
        derived += [((x, "beside", z), 0.5) for x, r, y in triples if r == "in"
                    for z, q, w in triples if q == "in" and y == w and x != z]
        better = {t: s for t, s in sorted(derived, key=lambda one: one[1])
                  if s > scores.get(t, 0) + 1e-9}
        if not better:
            return scores
        scores.update(better)


class InMemory(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.memory = self.enterContext(loci.Memory(self.folder / "m.loci"))

    def learn(self, seed):
        triples = facts(seed)
        self.memory.learn(triples, source="training")
        self.memory.learn_rules(RULES)
        return triples


class LinkTest(InMemory):
    def test_scores_are_those_of_rules_applied_by_hand(self):
        for seed in range(5):
            with self.subTest(seed=seed):
                self.memory.forget(source="training") if seed else None
                expected = scores_by_hand(self.learn(seed))
                links = Links(self.memory)
                for relation in ("beside", "in"):
                    for name in NAMES:
                        self.assert_close(links.tails(name, relation), {
                            t: s for (h, r, t), s in expected.items() if (h, r) == (name, relation)})
                        self.assert_close(links.heads(relation, name), {
                            h: s for (h, r, t), s in expected.items() if (r, t) == (relation, name)})

    def assert_close(self, found, expected):
        self.assertEqual(found.keys(), expected.keys())
        for name, score in found.items():
            self.assertAlmostEqual(score, expected[name], places=8)
        self.assertEqual(list(found.values()), sorted(found.values(), reverse=True))

    def test_only_names_are_ends(self):
        self.memory.learn([("a", "r", "b"), ("a", "r", loci.Text("b")), ("a", "r", 3)])
        self.assertEqual(Links(self.memory).tails("a", "r"), {"b": 1.0})

    def test_relation_is_any_name(self):
        for relation in ("not", "born in", "like", "http://e/r>", "2"):
            self.memory.learn([("a b", relation, "c")])
            self.assertEqual(Links(self.memory).tails("a b", relation), {"c": 1.0})
            self.assertEqual(Links(self.memory).heads(relation, "c"), {"a b": 1.0})


class AnyburlTest(InMemory):
    def test_filtered_ranking(self):
        self.memory.learn([("marta", "born_in", "rome"), ("enrico", "born_in", "rome"),
                           ("italy", "capital", "rome"), ("enrico", "citizen_of", "italy")])
        self.memory.learn_rules("citizen_of(?x, ?y) <- born_in(?x, ?z), capital(?y, ?z) conf 0.5;")
        test = ("marta", "citizen_of", "italy")
        [plain] = anyburl.rank(self.memory, [test])
        self.assertEqual(plain.heads, (("enrico", 1.0), ("marta", 0.5)))
        self.assertEqual(plain.tails, (("italy", 0.5),))
        known = [test, ("enrico", "citizen_of", "italy")]
        [filtered] = anyburl.rank(self.memory, [test], known=known)
        self.assertEqual(filtered.heads, (("marta", 0.5),))
        self.assertEqual(anyburl.mean_reciprocal_rank([plain]), 0.75)
        self.assertEqual(anyburl.mean_reciprocal_rank([filtered]), 1.0)
        [cut] = anyburl.rank(self.memory, [test], top_k=1)
        self.assertEqual(cut.heads, (("enrico", 1.0),))
        self.assertEqual(anyburl.mean_reciprocal_rank([cut]), 0.5)

    def test_file_there_and_back(self):
        triples = sorted(self.learn(7))
        rankings = list(anyburl.rank(self.memory, triples, known=triples))
        self.assertTrue(any(ranking.heads for ranking in rankings))
        path = self.folder / "rankings.txt"
        self.assertEqual(anyburl.write(rankings, path), len(triples))
        self.assertEqual(list(anyburl.read(path)), rankings)

    def test_what_others_write(self):
        path = self.folder / "rankings.txt"
        path.write_text("a\tr\tb\nTails: b\t0.25\t\nHeads: \n\n")
        self.assertEqual(list(anyburl.read(path)),
                         [anyburl.Ranking("a", "r", "b", (), (("b", 0.25),))])
        path.write_text("a r b\nHeads: a\t1e-05\tc\t0\t\nTails: \n")
        self.assertEqual(list(anyburl.read(path)),
                         [anyburl.Ranking("a", "r", "b", (("a", 1e-5), ("c", 0.0)), ())])

    def test_bad_files_say_where(self):
        path = self.folder / "rankings.txt"
        good = "a r b\nHeads: \nTails: \n"
        for bad in ("a r\nHeads: \nTails: \n", "a r b\nHeads: \n", "a r b\nHeads: \nHeads: \n",
                    "a r b\nHeads: x\t\nTails: \n", "a r b\nHeads: x\ty\t\nTails: \n"):
            path.write_text(good + bad)
            with self.assertRaisesRegex(loci.Error, "rankings.txt:4: ") as caught:
                list(anyburl.read(path))
            self.assertEqual(caught.exception.kind, loci.ErrorKind.BAD_INPUT)
        with self.assertRaisesRegex(loci.Error, "'New York' cannot"):
            anyburl.write([anyburl.Ranking("a", "r", "New York", (), ())], path)


def pykeen_or_doubles():
    try:
        from loci.adapters import pykeen
        return pykeen
    except ImportError:
        pass

    class EvaluationOnlyModel:
        def __init__(self, triples_factory):
            self.num_entities = triples_factory.num_entities

    sys.modules["torch"] = types.SimpleNamespace(from_numpy=lambda array: array)
    sys.modules["pykeen"] = types.ModuleType("pykeen")
    sys.modules["pykeen.models"] = types.SimpleNamespace(EvaluationOnlyModel=EvaluationOnlyModel)
    from loci.adapters import pykeen
    return pykeen


class PykeenTest(InMemory):
    def setUp(self):
        super().setUp()
        self.expected = scores_by_hand(self.learn(3))
        self.factory = types.SimpleNamespace(
            num_entities=len(NAMES), create_inverse_triples=False, relation_to_id={"beside": 1, "in": 0},
            entity_to_id={name: i for i, name in enumerate(reversed(NAMES))})
        self.pykeen = pykeen_or_doubles()

    def test_scores_of_all_entities_and_of_some(self):
        model = self.pykeen.MemoryModel(triples_factory=self.factory, memory=self.memory)
        ids, beside = self.factory.entity_to_id, self.factory.relation_to_id["beside"]
        heads = numpy.array([[ids[name], beside] for name in NAMES])
        scores = numpy.asarray(model.score_t(heads))
        self.assertEqual((scores.shape, scores.dtype), ((12, 12), numpy.float32))
        for row, head in enumerate(NAMES):
            for tail in NAMES:
                self.assertAlmostEqual(float(scores[row, ids[tail]]),
                                       self.expected.get((head, "beside", tail), 0), places=6)
        tails = heads[:, ::-1]
        by_heads = numpy.asarray(model.score_h(tails))
        order = [ids[name] for name in NAMES]
        numpy.testing.assert_array_equal(by_heads[:, order], scores[:, order].T)
        some = numpy.array([3, 0])
        numpy.testing.assert_array_equal(numpy.asarray(model.score_t(heads, tails=some)),
                                         scores[:, some])
        each = numpy.arange(24).reshape(12, 2) % 12
        numpy.testing.assert_array_equal(numpy.asarray(model.score_t(heads, tails=each)),
                                         numpy.take_along_axis(scores, each, 1))

    def test_inverse_triples_are_refused(self):
        self.factory.create_inverse_triples = True
        with self.assertRaisesRegex(loci.Error, "create_inverse_triples=False"):
            self.pykeen.MemoryModel(triples_factory=self.factory, memory=self.memory)


def ndcg_at_10(results, judged):
    def gain(grades):
        return sum(grade / math.log2(rank + 2) for rank, grade in enumerate(grades[:10]))

    total = 0.0
    for query, grades in judged.items():
        found = sorted(results[query].items(), key=lambda one: -one[1])
        ideal = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
        total += gain([grades.get(document, 0) for document, _ in found]) / gain(ideal)
    return total / len(judged)


class BeirTest(InMemory):
    CORPUS = {"d1": {"title": "Oaks", "text": "An oak is a tree whose fruit is the acorn."},
              "d2": {"title": "", "text": "The harbour is closed in winter."},
              "d3": {"title": "Boats", "text": "The boat lies in the harbour."}}
    QUERIES = {"q1": "what is the fruit of an oak?", "q2": "boat in the harbour", "d3": "harbour",
               "q4": " "}

    def test_results(self):
        for memory in (None, self.memory):
            results = Search(memory).search(self.CORPUS, self.QUERIES, 10, "cos_sim")
            self.assertEqual(list(results), list(self.QUERIES))
            self.assertEqual(next(iter(results["q1"])), "d1")
            self.assertEqual(list(results["q2"]), ["d3", "d2"])
            self.assertEqual(list(results["d3"]), ["d2"])  # not the document that has its id
            self.assertEqual(results["q4"], {})
            self.assertTrue(all(0 < s <= 1 for one in results.values() for s in one.values()))
        self.assertEqual(len(Search().search(self.CORPUS, self.QUERIES, 1, None)["q2"]), 1)

    def test_only_the_corpus_is_found_in_a_memory_that_knows_more(self):
        # These come between the two of the corpus, so that more has to be asked for, and again.
        said = "where does the boat lie now, in which harbour, and until when"
        self.memory.learn([(f"note {i}", "text", loci.Text(f"page {i}: {said}"))
                           for i in range(30)], source="me")
        query = "where does the boat lie, until when, in which harbour"
        results = Search(self.memory).search(self.CORPUS, {"q": query}, 2)
        self.assertEqual(results["q"].keys(), {"d2", "d3"})
        names = self.memory.ask(f'(?x) <- like(?x, "{query}")').column("x")
        self.assertGreater(max(names.index("d2"), names.index("d3")), 20)

    def test_scifact_as_the_command_measures_it(self):
        data = pathlib.Path(os.environ.get("LOCI_DATA", "/")) / "recall"
        program = os.environ.get("LOCI_PROGRAM", "")
        if not (data / "ir").is_dir() or not program:
            self.skipTest("LOCI_DATA has no recall/ir, or LOCI_PROGRAM names no command")
        [scifact] = [one for one in retrieval.sets(data) if one.name == "scifact"]
        scifact.write(self.folder)
        measured = json.loads(subprocess.run(
            [program, "eval", "recall", self.folder / "scifact", "--json"], check=True,
            capture_output=True).stdout)

        judged = {}
        for query, document, grade in scifact.judged["test"]:
            judged.setdefault(query, {})[document] = grade
        corpus = {one["_id"]: one for one in scifact.corpus}
        queries = {one["_id"]: one["text"] for one in scifact.queries if one["_id"] in judged}
        results = Search(self.memory).search(corpus, queries, 10)
        self.assertAlmostEqual(ndcg_at_10(results, judged), measured["ndcg@10"], places=5)  # as printed


if __name__ == "__main__":
    unittest.main()
