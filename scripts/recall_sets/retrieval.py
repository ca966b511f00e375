# SPDX-License-Identifier: Apache-2.0
#
# Collections of one hop: claims and questions over scientific abstracts.

import csv
import io
import re
import zipfile

from .collection import Collection, clean, read_text


def _scifact(data):
    collection = Collection("scifact")
    # A list of sentences as numpy prints one: quoted, either way, without commas.
    sentence = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
    csv.field_size_limit(1 << 30)
    with zipfile.ZipFile(data / "ir/scifact_hf_csv.zip") as archive:
        def rows(name):
            return csv.DictReader(io.StringIO(archive.read(name).decode("utf-8")))
        for row in rows("corpus_train.csv"):
            abstract = " ".join(a or b for a, b in sentence.findall(row["abstract"]))
            collection.passage(row["title"], abstract, own_id=row["doc_id"])
        for name, split in (("claims_train.csv", "tune"), ("claims_validation.csv", "test")):
            claims = {}
            for row in rows(name):
                cited = claims.setdefault(row["id"], (row["claim"], {}))[1]
                cited.update({d: 1 for d in re.findall(r"\d+", row["cited_doc_ids"])
                              if d in collection.known})
            for claim, cited in claims.values():
                collection.question(split, claim, cited)
    return collection


def _nfcorpus(data):
    collection = Collection("nfcorpus")
    folder = data / "ir/nfcorpus"

    def pairs(name):
        return [line.split("\t", 1) for line in read_text(folder / name).splitlines()
                if "\t" in line]
    for name in ("test.docs.gz", "dev.docs.gz"):
        for passage, text in pairs(name):
            collection.passage("", text, own_id=passage)
    for part, split in (("dev", "tune"), ("test", "test")):
        relevant = {}
        for line in read_text(folder / f"{part}.2-1-0.qrel.gz").splitlines():
            query, _, passage, score = line.split()
            if passage in collection.known and int(score) > 0:
                relevant.setdefault(query, {})[passage] = int(score)
        for query, text in pairs(f"{part}.titles.queries.gz"):
            collection.question(split, text, relevant.get(query))
    return collection


def _cranfield(data):
    collection = Collection("cranfield")
    folder = data / "ir/cranfield"

    def field(name, text):
        match = re.search(rf"<{name}>(.*?)(?:</{name}>|$)", text, re.S)
        return match[1] if match else ""
    for doc in re.findall(r"<doc>(.*?)</doc>", read_text(folder / "cran.all.1400.xml.gz"), re.S):
        collection.passage(field("title", doc), field("text", doc),
                           own_id=clean(field("docno", doc)))
    relevant = {}
    for line in read_text(folder / "cranqrel.trec.txt.gz").splitlines():
        query, _, passage, score = line.split()
        if passage in collection.known and int(score) > 0:
            relevant.setdefault(int(query), {})[passage] = 1
    # Judgements count the questions in their order, whatever <num> says.
    tops = re.findall(r"<top>(.*?)</top>", read_text(folder / "cran.qry.xml.gz"), re.S)
    for number, top in enumerate(tops, 1):
        collection.question("tune" if number % 2 else "test", field("title", top),
                            relevant.get(number))
    return collection


def sets(data):
    return [_scifact(data), _nfcorpus(data), _cranfield(data)]
