# SPDX-License-Identifier: Apache-2.0
#
# LoCoMo's conversations, each a memory of its own: a turn is a passage of its session.
#
# Turns are named as the questions cite them, D1:3 the third of session D1, so that the numbers give
# their order; a turn carries its session's time.

import datetime
import re

from .collection import Collection, read_json


def _iso_time(written):
    """"1:56 pm on 8 May, 2023" as ISO 8601 writes it."""
    return datetime.datetime.strptime(written, "%I:%M %p on %d %B, %Y").isoformat("T", "minutes")


def _conversation(number, x):
    collection = Collection(f"locomo-{number}")
    talk = x["conversation"]
    session = 1
    while f"session_{session}_date_time" in talk:
        time = _iso_time(talk[f"session_{session}_date_time"])
        for turn in talk.get(f"session_{session}", []):
            text = turn["text"]
            if turn.get("blip_caption"):
                text += f" [image: {turn['blip_caption']}]"
            collection.passage("", text, own_id=turn["dia_id"], speaker=turn["speaker"],
                               time=time, part_of=f"D{session}")
        session += 1
    for question in x["qa"]:
        turns = re.findall(r"D:?(\d+):0*(\d+)", " ".join(map(str, question["evidence"])))
        gold = {f"D{a}:{b}": 1 for a, b in turns if f"D{a}:{b}" in collection.known}
        collection.question("tune" if number < 5 else "test", question["question"], gold,
                            f"category-{question['category']}")
    return collection


def sets(data):
    return [_conversation(number, x)
            for number, x in enumerate(read_json(data / "agent/locomo_0-6.json.gz"))]
