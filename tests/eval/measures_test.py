#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# The figures of `loci eval recall`, computed once more from the files that it writes and from runs
# made here (seeded: graded judgements, ties, queries without an answer, documents twice as good as
# others), by the formulas of trec_eval written out in another language; where the program trec_eval
# is on the path, by that as well.
#
#   measures_test.py LOCI

import collections
import json
import math
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

DEPTHS = (2, 5, 10, 20, 100)
WORDS = "kiln oven pot glaze clay wheel fire ash salt slip bowl jar lid cone shelf".split()


def as_float(text):
    """The 32-bit float that a score is kept as."""
    return struct.unpack("f", struct.pack("f", float(text)))[0]


def read_run(path):
    run = collections.defaultdict(list)
    for line in path.read_text().splitlines():
        query, _, document, _, score, _ = line.split()
        run[query].append((as_float(score), document))
    return {query: [d for _, d in sorted(hits, reverse=True)] for query, hits in run.items()}


def read_qrels(path):
    qrels = collections.defaultdict(dict)
    for line in path.read_text().splitlines():
        query, _, document, grade = line.split()
        qrels[query][document] = int(grade)
    return qrels


def figures(ranking, grades):
    gains = [max(grades.get(document, 0), 0) for document in ranking]
    relevant = sum(grade > 0 for grade in grades.values())
    out = {f"recall@{k}": sum(g > 0 for g in gains[:k]) / relevant for k in DEPTHS}
    ideal = sorted((max(grade, 0) for grade in grades.values()), reverse=True)
    dcg, best = (sum(g / math.log2(rank + 2) for rank, g in enumerate(order[:10]))
                 for order in (gains, ideal))
    out["ndcg@10"] = dcg / best
    out["mrr@10"] = max([1 / (rank + 1) for rank, g in enumerate(gains[:10]) if g > 0], default=0)
    return out


def expected(run, qrels):
    """The means and their 95 % intervals."""
    each = [figures(run.get(query, []), grades) for query, grades in sorted(qrels.items())]
    means, intervals = {}, {}
    for name in each[0]:
        values = [one[name] for one in each]
        mean = sum(values) / len(values)
        variance = sum((v - mean) ** 2 for v in values) / (len(values) - 1)
        half = 1.959963984540054 * math.sqrt(variance / len(values))
        means[name], intervals[name] = mean, (max(0, mean - half), min(1, mean + half))
    return means, intervals


def check(what, told, run, qrels):
    means, intervals = expected(run, qrels)
    for name, mean in means.items():
        for got, want in [(told[name], mean), *zip(told["ci95"][name], intervals[name])]:
            assert abs(got - want) < 1.01e-5, f"{what}: {name} is {got}, not {want}"
    assert told["queries"] == len(qrels), what


def check_by_trec_eval(what, told, qrels, run):
    program = shutil.which("trec_eval")
    if program is None:
        return
    lines = subprocess.run(
        [program, "-c", "-m", "recall.2,5,10,20,100", "-m", "ndcg_cut.10", qrels, run],
        text=True, capture_output=True, check=True).stdout.splitlines()
    for line in lines:
        name, _, value = line.split()
        ours = told[name.replace("ndcg_cut_", "ndcg@").replace("recall_", "recall@")]
        assert abs(ours - float(value)) < 6e-5, f"{what}: trec_eval has {line}, we {ours}"


def make_task(folder, rng):
    """A BEIR directory of random sentences, judged at random."""
    documents = {f"d{i}": " ".join(rng.choices(WORDS, k=rng.randint(1, 12))) for i in range(150)}
    documents["q3"] = "kiln kiln"  # of a query's own name: it must not be found for it
    queries = {f"q{i}": " ".join(rng.choices(WORDS, k=rng.randint(1, 4))) for i in range(40)}
    queries["q39"] = "unheard of"
    (folder / "qrels").mkdir(parents=True)
    with open(folder / "corpus.jsonl", "w") as out:
        for name, text in documents.items():
            print(json.dumps({"_id": name, "title": "", "text": text, "metadata": {}}), file=out)
    with open(folder / "queries.jsonl", "w") as out:
        for name, text in queries.items():
            print(json.dumps({"_id": name, "text": text}), file=out)
    with open(folder / "qrels/test.tsv", "w") as out:
        print("query-id\tcorpus-id\tscore", file=out)
        for query in queries:
            judged = rng.sample(sorted(documents.keys() - {query}), rng.randint(1, 30))
            for rank, document in enumerate(judged):
                print(query, document, rng.randint(-1, 3) if rank else 1, sep="\t", file=out)


def random_run(qrels, rng):
    lines = []
    for query, grades in qrels.items():
        if rng.random() < 0.1:
            continue  # nothing was found
        documents = set(rng.sample(sorted(grades), rng.randint(0, len(grades))))
        documents |= {f"d{rng.randint(0, 200)}" for _ in range(rng.randint(0, 150))}
        for document in sorted(documents - {query}):
            score = rng.choice([rng.random(), rng.randint(-3, 3)])
            lines.append(f"{query} Q0 {document} 0 {score!r} x")
    rng.shuffle(lines)
    return "\n".join(lines) + "\n"


def main():
    loci = pathlib.Path(sys.argv[1]).resolve()
    rng = random.Random(4)
    with tempfile.TemporaryDirectory(prefix="loci-eval-") as scratch:
        scratch = pathlib.Path(scratch)
        for round_number in range(3):
            task, run, qrels = (scratch / f"{name}{round_number}" for name in ("task", "run", "qrels"))
            make_task(task, rng)

            def evaluate(*flags):
                return json.loads(subprocess.run([loci, "eval", "recall", task, "--json", *flags],
                                                 check=True, capture_output=True).stdout)

            told = evaluate("--run", run, "--qrels", qrels)
            found, judged = read_run(run), read_qrels(qrels)
            assert "q39" not in found and "q3" not in found["q3"], "found what cannot be"
            check("asked", told, found, judged)
            check_by_trec_eval("asked", told, qrels, run)
            again = evaluate("--score-run", run)
            for name in ("ci95", "queries", "mrr@10", "ndcg@10", "recall@5"):
                assert again[name] == told[name], f"scored again, {name} differs"
            for _ in range(5):
                run.write_text(random_run(judged, rng))
                told = evaluate("--score-run", run)
                check("a random run", told, read_run(run), judged)
                check_by_trec_eval("a random run", told, qrels, run)
    print("ok")


if __name__ == "__main__":
    main()
