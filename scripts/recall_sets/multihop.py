# SPDX-License-Identifier: Apache-2.0
#
# Questions whose answer needs two to four passages: 2WikiMultiHopQA, MuSiQue, HotpotQA, each set
# by itself and all in one memory.
#
# The passages of one question's context are shared by all questions of the set, as in the published
# evaluations. HotpotQA has judged questions of its tune part only; its other contexts distract.

import re

from .collection import Collection, clean, read_json
from .typos import with_typos


def _hipporag_corpus(collection, folder):
    for passage in read_json(folder / "2wiki_hipporag_corpus.json.gz"):
        collection.passage(passage["title"], passage["text"])


def _q101(collection, folder):
    for x in read_json(folder / "2wiki_hipporag_q101.jsonl.gz"):
        collection.question("test", x["question"],
                            {collection.known[clean(t)]: 1 for t in x["gold_titles"]}, "2wiki101")


def _contexts(collection, path, split, kind):
    """2Wiki's and HotpotQA's form: titled paragraphs as lists of sentences."""
    for x in read_json(path):
        if "context" not in x:
            continue
        ids = {}
        for title, sentences in x["context"]:
            ids.setdefault(title, collection.passage(title, " ".join(map(clean, sentences))))
        gold = {ids[title]: 1 for title, _ in x["supporting_facts"] if title in ids}
        collection.question(split, x["question"], gold, kind)


def _musique(collection, path, split):
    for x in read_json(path):
        gold = {}
        for p in x["paragraphs"]:
            passage = collection.passage(p["title"], p["paragraph_text"])
            if p["is_supporting"]:
                gold[passage] = 1
        collection.question(split, x["question"], gold, "musique-" + x["id"].split("_")[0])


def _hotpot_distractors(collection, folder):
    """Contexts without judgements: paragraphs "Title. text" on lines of their own."""
    titles = {p["title"] for p in collection.corpus}
    for x in read_json(folder / "hotpotqa_dev300_contexts.json.gz"):
        for line in x["document"].splitlines():
            match = re.match(r"(.{2,80}?)\. (.+)", line)
            if match and len(line) > 80 and clean(match[1]) not in titles:
                titles.add(clean(match[1]))
                collection.passage(match[1], match[2])


def _include(union, sources):
    """Adds collections of 2Wiki to the one memory: one passage of each title among them all."""
    by_title = {}
    for source in sources:
        ids = {}
        for p in source.corpus:
            if p["title"] not in by_title:
                by_title[p["title"]] = union.passage(p["title"], p["text"])
            ids[p["_id"]] = by_title[p["title"]]
        for split, rows in source.judged.items():
            gold = {}
            for query, passage, score in rows:
                gold.setdefault(query, {})[ids[passage]] = score
            for query in source.queries:
                union.question(split, query["text"], gold.get(query["_id"]),
                               query["metadata"]["kind"])


def sets(data):
    folder = data / "multihop"
    one = Collection("2wiki101", by_title=True)
    _hipporag_corpus(one, folder)
    _q101(one, folder)
    two = Collection("2wiki164", by_title=True)
    _hipporag_corpus(two, folder)
    _contexts(two, folder / "2wiki_dev200.jsonl.gz", "test", "2wiki164")
    train = Collection("2wiki-train", by_title=True)
    _contexts(train, folder / "2wiki_train500.json.gz", "tune", "2wiki")
    musique, hotpot, union = Collection("musique"), Collection("hotpot"), Collection("union")
    for collection in (musique, union):
        _musique(collection, folder / "musique_dev200.jsonl.gz", "test")
        _musique(collection, folder / "musique_train100_hipporag.json.gz", "tune")
        _musique(collection, folder / "musique_train200.jsonl.gz", "tune")
    for collection in (hotpot, union):
        _contexts(collection, folder / "hotpotqa_train100_hipporag.json.gz", "tune", "hotpot")
        _hotpot_distractors(collection, folder)
    _include(union, (one, two, train))
    return [one, two, train, musique, hotpot, union, with_typos(union)]
