# SPDX-License-Identifier: Apache-2.0
#
# Passages and judged questions on their way into a folder of BEIR's layout.

import gzip
import json
import re

_SPACES = re.compile(r"\s+")


def clean(text):
    return _SPACES.sub(" ", str(text)).strip()


def read_text(path):
    return gzip.decompress(path.read_bytes()).decode("utf-8", "replace")


def read_json(path):
    """A JSON document, or a list of the lines of JSONL."""
    text = read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]


class Collection:
    """A passage is known by its own id, by its title (by_title: where two have one title the first
    stands for both) or by title and text; one that is added again is the first one."""

    def __init__(self, name, by_title=False):
        self.name, self.by_title = name, by_title
        self.corpus, self.known = [], {}
        self.queries, self.judged = [], {"tune": [], "test": []}

    def passage(self, title, text, own_id=None, **metadata):
        """Adds a passage unless it is there; its id."""
        title, text = clean(title), clean(text)
        key = own_id or (title if self.by_title else (title, text))
        if key not in self.known:
            self.known[key] = own_id or f"p{len(self.corpus)}"
            self.corpus.append({"_id": self.known[key], "title": title, "text": text,
                                "metadata": metadata})
        return self.known[key]

    def question(self, split, text, relevant, kind=""):
        """relevant: the scores of passages by id. A question without any is left out."""
        if not relevant:
            return
        query = f"q{len(self.queries)}"
        self.queries.append({"_id": query, "text": clean(text), "metadata": {"kind": kind}})
        self.judged[split] += [(query, passage, score) for passage, score in relevant.items()]

    def write(self, out):
        """Writes the folder; a line that says what is in it."""
        folder = out / self.name
        (folder / "qrels").mkdir(parents=True, exist_ok=True)
        for name, rows in (("corpus", self.corpus), ("queries", self.queries)):
            with open(folder / f"{name}.jsonl", "w", encoding="utf-8") as file:
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        for split, rows in self.judged.items():
            if rows:
                with open(folder / "qrels" / f"{split}.tsv", "w", encoding="utf-8") as file:
                    file.write("query-id\tcorpus-id\tscore\n")
                    file.writelines("\t".join(map(str, row)) + "\n" for row in rows)
        counts = ", ".join(f"{len({q for q, _, _ in rows})} {split}"
                           for split, rows in self.judged.items() if rows)
        return f"{self.name}: {len(self.corpus)} passages, questions: {counts}"
