# SPDX-License-Identifier: Apache-2.0
#
# The same questions, mistyped: one edit in every word of at least five letters.
#
# An edit leaves out a letter, adds one, replaces one or swaps two, each as often, anywhere in the
# word. The question's own text is the seed, so that a question is mistyped in the same way wherever
# it stands. random() alone is used: it is the one method whose sequence Python promises to keep.

import random
import re

from .collection import Collection

_LONG_WORD = re.compile(r"[^\W\d_]{5,}")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _mistyped(word, below):
    while True:  # until the edit shows: a swap of two like letters does not
        edit, at, letter = below(4), below(len(word)), _LETTERS[below(len(_LETTERS))]
        if edit == 0:
            changed = word[:at] + word[at + 1:]
        elif edit == 1:
            changed = word[:at] + letter + word[at:]
        elif edit == 2:
            changed = word[:at] + letter + word[at + 1:]
        else:
            changed = word[:at] + word[at + 1:at + 2] + word[at] + word[at + 2:]
        if changed != word:
            return changed


def mistyped(text):
    source = random.Random(text)
    return _LONG_WORD.sub(lambda word: _mistyped(word[0], lambda n: int(source.random() * n)), text)


def with_typos(collection):
    """The collection's passages and judgements under its mistyped questions."""
    copy = Collection(collection.name + "-typo")
    copy.corpus, copy.judged = collection.corpus, collection.judged
    copy.queries = [{**query, "text": mistyped(query["text"])} for query in collection.queries]
    return copy
