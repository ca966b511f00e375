#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# scripts/recall-sets: how questions are mistyped and dictionaries read; and, where LOCI_DATA has
# the collections, that each set is whole, that its judgements speak of what is there, and that two
# runs write the same bytes whatever Python's hash seed.

import json
import os
import pathlib
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(PROJECT / "scripts"))

from recall_sets import dictionary, typos  # noqa: E402

# passages, tune and test questions, as the README of the data and the publications count them
COUNTS = {
    "2wiki101": (6119, 0, 101), "2wiki164": (7005, 0, 164), "2wiki-train": (3112, 500, 0),
    "musique": (7890, 300, 200), "hotpot": (3950, 100, 0), "union": (21420, 900, 465),
    "union-typo": (21420, 900, 465), "scifact": (5183, 809, 300), "nfcorpus": (3395, 324, 323),
    "cranfield": (1400, 113, 112), "locomo-0": (419, 197, 0), "locomo-1": (369, 105, 0),
    "locomo-2": (663, 193, 0), "locomo-3": (629, 259, 0), "locomo-4": (680, 242, 0),
    "locomo-5": (675, 0, 158), "locomo-6": (689, 0, 190), "revdict": (77503, 97, 97),
}


def is_one_edit(a, b):
    """Whether b is a with one letter left out, added or replaced, or two neighbours swapped."""
    if a == b:
        return False
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    a, b = a[start:], b[start:]
    return a[1:] == b or a == b[1:] or a[1:] == b[1:] or \
        (a[:2] == b[1::-1] and a[2:] == b[2:])


def check_typos():
    assert is_one_edit("abc", "acb") and is_one_edit("abc", "ab") and not is_one_edit("abc", "cba")
    text = "Who is the father of Edward Baring, 1st Baron Revelstoke's wife? Ångström12345 über"
    lengths = set()
    for number in range(500):
        words = text.split() + [f"q{number}"]
        changed = typos.mistyped(" ".join(words)).split()
        assert len(changed) == len(words), changed
        for old, new in zip(words, changed):
            long = len(old.rstrip("?,'s12345")) >= 5
            assert is_one_edit(old, new) if long else old == new, (old, new)
            lengths.add(len(new) - len(old))
    assert lengths == {-1, 0, 1}, lengths
    # One question is mistyped in one way for ever: figures of different years can be compared.
    assert typos.mistyped("the highest mountain") == "the highets mountaig", typos.mistyped("the highest mountain")


def check_entry():
    said = dictionary._said(
        'Forget \\For*get"\\, v. t. [imp. {Forgot}({Forgat}, Obs.) [OE. x]; p. p.\n   {Forgotten}]\n'
        '   1. To lose the remembrance of;\n      [1913 Webster]\n\n'
        '            forget not all his\n            benefits.      --Ps. ciii. 2.\n\n'
        '   2. To slight. --Shak.\n\n   {To forget one\'s self}.\n      (a) To be unselfish.\n')
    assert " ".join(said.split()) == \
        "Forget , v. t. To lose the remembrance of; To slight.", " ".join(said.split())


def run(data, out, seed):
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    subprocess.run([PROJECT / "scripts/recall-sets", data, out], check=True, env=environment,
                   stdout=subprocess.DEVNULL)


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


def check_set(folder, counts):
    passages = [json.loads(line)["_id"] for line in lines(folder / "corpus.jsonl")]
    questions = [json.loads(line)["_id"] for line in lines(folder / "queries.jsonl")]
    assert len(set(passages)) == len(passages) and len(set(questions)) == len(questions), folder
    asked = {}
    for split in ("tune", "test"):
        file = folder / f"qrels/{split}.tsv"
        rows = [line.split("\t") for line in lines(file)[1:]] if file.exists() else []
        asked[split] = {query for query, _, _ in rows}
        assert {passage for _, passage, _ in rows} <= set(passages), file
        assert all(int(score) > 0 for _, _, score in rows), file
    assert not asked["tune"] & asked["test"] and asked["tune"] | asked["test"] == set(questions)
    found = (len(passages), len(asked["tune"]), len(asked["test"]))
    assert found == counts, f"{folder.name}: {found}, not {counts}"


def main():
    check_typos()
    check_entry()
    data = pathlib.Path(os.environ.get("LOCI_DATA", "")) / "recall"
    if not (data / "multihop").is_dir():
        print("skipped: LOCI_DATA has no recall/multihop")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as temporary:
        one, two = pathlib.Path(temporary, "1"), pathlib.Path(temporary, "2")
        run(data, one, "1")
        run(data, two, "2")
        subprocess.run(["diff", "-r", one, two], check=True)
        found = {folder.name for folder in one.iterdir()}
        assert set(COUNTS) - found <= {"revdict"} and found <= set(COUNTS), found
        for name in found:
            check_set(one / name, COUNTS[name])
        print(f"{len(found)} sets as expected")


if __name__ == "__main__":
    main()
