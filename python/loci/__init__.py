# SPDX-License-Identifier: Apache-2.0
"""Loci: a memory that learns statements, answers by retrieving them, and forgets.

>>> import loci
>>> with loci.Memory(path) as memory:
...     _ = memory.learn([("paris", "capital_of", "france")], source="atlas")
...     print(memory.ask("capital_of(?city, france)"))
?city
paris

docs/python.md is the guide. numpy and pandas are needed by what returns their objects, not by the
rest.
"""

from ._answers import Answer, Answers, Query
from ._errors import Error, ErrorKind
from ._evidence import Derivation, Evidence, Step
from ._loci import from_notation, notation
from ._memory import Memory
from ._receipts import ForgetReceipt, LearnFileReceipt, LearnReceipt, Stats
from ._recollection import Recalled, Recollection
from ._values import Date, Statement, Text, Value, ValueLike

__all__ = [
    "Answer", "Answers", "Date", "Derivation", "Error", "ErrorKind", "Evidence", "ForgetReceipt",
    "LearnFileReceipt", "LearnReceipt", "Memory", "Query", "Recalled", "Recollection", "Statement",
    "Stats", "Step", "Text", "Value", "ValueLike", "from_notation", "notation",
]
