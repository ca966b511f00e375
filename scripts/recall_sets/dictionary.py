# SPDX-License-Identifier: Apache-2.0
#
# The reverse dictionary: a description leads to the word (Hill et al. 2016, 200 descriptions).
#
# A document for each single word of WordNet, in small letters as in its index. Its text: the
# glosses of all its senses with their synonyms; what they lead to (hypernyms, similar, derived and
# related words) by name, and the glosses of the hypernyms; then its own entries in GCIDE without
# etymology, pronunciation, quotations and the phrases that dictionaries run on to an entry.

import gzip
import json
import pathlib
import re

from .collection import Collection

WORDNET = pathlib.Path("/usr/share/wordnet")
GCIDE = pathlib.Path("/usr/share/dictd")

_DIGITS = {c: n for n, c in enumerate(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}
_WORD = re.compile(r"[A-Za-z]+")
_BRACKETS = re.compile(r"\[[^][]*\]")
_PRONUNCIATION = re.compile(r"\\[^\\]*\\")
_NUMBER = re.compile(r"(?m)^ *(?:\d+\.|\([a-z]\)) ")
_CITED = re.compile(r"--[A-Z][^.]*\.")
_TO_NAME = {"@", "@i", "&", "+", "^", "\\", "=", "*", ">", "$", "<"}
_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


def _synsets():
    """(part, offset) to (lemmas, pointers, gloss), in the order of the files."""
    synsets = {}
    for part, letter in _PARTS.items():
        for line in open(WORDNET / f"data.{part}", encoding="ascii"):
            if line.startswith(" "):
                continue
            head, _, gloss = line.partition(" | ")
            fields = head.split()
            count = int(fields[3], 16)
            lemmas = [re.sub(r"\(.*\)", "", w).replace("_", " ") for w in fields[4:4 + 2 * count:2]]
            at = 5 + 2 * count
            pointers = [(fields[at + 4 * i], (fields[at + 4 * i + 2], fields[at + 4 * i + 1]))
                        for i in range(int(fields[at - 1]))]
            synsets[letter, fields[0]] = (lemmas, pointers, gloss.strip())
    return synsets


def _number(digits):
    value = 0
    for digit in digits:
        value = value * 64 + _DIGITS[digit]
    return value


def _definitions(words):
    """word to what GCIDE's own entries of it say, in the order of the dictionary."""
    with gzip.open(GCIDE / "gcide.dict.dz") as file:
        text = file.read()
    entries = {}
    for line in open(GCIDE / "gcide.index", encoding="utf-8"):
        head, offset, size = line.rstrip("\n").split("\t")
        word = head.lower()
        if word not in words:
            continue
        start = _number(offset)
        entry = text[start:start + _number(size)].decode("utf-8", "replace")
        # The index also leads from inflections and phrases to the entry that explains them.
        if re.match(re.escape(word) + r"\b", entry, re.IGNORECASE):
            entries.setdefault(word, {})[start] = entry
    return {word: " ".join(_said(at[start]) for start in sorted(at))
            for word, at in entries.items()}


def _said(entry):
    entry = entry.split("\n\n   {", 1)[0]  # phrases that run on
    lines = [line for line in entry.split("\n") if not line.startswith(" " * 12)]  # quotations
    entry = _NUMBER.sub("", _PRONUNCIATION.sub(" ", "\n".join(lines)))
    while True:  # etymologies hold brackets in brackets
        shorter = _BRACKETS.sub(" ", entry)
        if shorter == entry:
            break
        entry = shorter
    return _CITED.sub(" ", entry).replace("{", "").replace("}", "")


def _documents():
    synsets = _synsets()
    senses = {}
    for key, (lemmas, _, _) in synsets.items():
        for lemma in lemmas:
            if _WORD.fullmatch(lemma):
                senses.setdefault(lemma.lower(), []).append(key)
    definitions = _definitions(senses)
    for word in sorted(senses):
        parts = []
        for key in senses[word]:
            lemmas, pointers, gloss = synsets[key]
            parts.append(f"{', '.join(w for w in lemmas if w.lower() != word)}: {gloss}.")
            for kind, target in pointers:
                named, _, meaning = synsets[target]
                if kind in _TO_NAME:
                    parts.append(", ".join(w for w in named if w.lower() != word) + ".")
                if kind in ("@", "@i"):
                    parts.append(meaning.split('; "', 1)[0] + ".")
        yield word, " ".join(parts + [definitions.get(word, "")])


def sets(data):
    absent = [f"{package} ({file})" for package, file in (
        ("wordnet-base", WORDNET / "data.noun"), ("dict-gcide", GCIDE / "gcide.index"))
        if not file.exists()]
    if absent:
        print("revdict: left out; install " + ", ".join(absent))
        return []
    collection = Collection("revdict")
    for word, text in _documents():
        collection.passage(word, text, own_id=word)
    with open(data / "revdict/hill2016_concept_descriptions_200.json", encoding="utf-8") as file:
        for number, x in enumerate(json.load(file)):
            relevant = {x["word"]: 1} if x["word"] in collection.known else None
            collection.question("tune" if number % 2 else "test", x["definitions"], relevant)
    return [collection]
