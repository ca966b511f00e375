# SPDX-License-Identifier: Apache-2.0
"""Values: what programs put into a memory and get out of it.

A name is a str: names are what graphs are made of, and what most columns of a data frame hold. A
text is a Text, so that "dog" the name and "dog" the text stay two, as they are in the memory: what
comes out goes in again as the same. Both Text and Date are str, with all its methods, but never
equal to a plain one.
"""

import datetime
import decimal
from typing import NamedTuple, Union


class Text(str):
    """A text, of a language or a datatype where it has one.

    >>> Text("le chien", "fr")
    Text('le chien', 'fr')
    >>> Text("dog") == "dog", str(Text("dog")) == "dog"
    (False, True)
    """

    __slots__ = ("language", "datatype")
    language: str
    datatype: str

    def __new__(cls, text: str = "", language: str = "", datatype: str = "") -> "Text":
        self = super().__new__(cls, text)
        self.language = language
        self.datatype = datatype
        return self

    def __str__(self) -> str:
        return "".join(self)

    def __repr__(self) -> str:
        tag = f", {self.language!r}" if self.language else ""
        tag += f", datatype={self.datatype!r}" if self.datatype else ""
        return f"Text({str(self)!r}{tag})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, str):
            return NotImplemented
        return isinstance(other, Text) and _key(self) == _key(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(_key(self))

    def __reduce__(self) -> "tuple[type[Text], tuple[str, str, str]]":
        return Text, (str(self), self.language, self.datatype)


class Date(str):
    """A date of ISO 8601 as the memory keeps it: partial where it was given so, in UTC where it had
    a zone.

    >>> Date("2024-05")
    Date('2024-05')
    >>> Date("2024-05-17").to_python()
    datetime.date(2024, 5, 17)
    """

    __slots__ = ()

    def to_python(self) -> Union[datetime.date, datetime.datetime]:
        """A date, or a datetime where there is a time; ValueError for a partial date, or one beyond
        the years 1 to 9999 or the microseconds of Python."""
        text = str(self)
        if "T" in text:
            return datetime.datetime.fromisoformat(text)
        return datetime.date.fromisoformat(text)

    def __str__(self) -> str:
        return "".join(self)

    def __repr__(self) -> str:
        return f"Date({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, str):
            return NotImplemented
        return isinstance(other, Date) and str(self) == str(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((Date, str(self)))

    def __reduce__(self) -> "tuple[type[Date], tuple[str]]":
        return Date, (str(self),)


def _key(text: Text) -> "tuple[type, str, str, str]":
    return Text, str(text), text.language, text.datatype


# What comes out of a memory, and what may go in.
Value = Union[str, Text, Date, int, decimal.Decimal]
ValueLike = Union[Value, float, datetime.date, datetime.datetime]


class Statement(NamedTuple):
    """Who said what: source says that relation(subject, object).

    >>> Statement("paris", "capital_of", "france")
    Statement(subject='paris', relation='capital_of', object='france', source='')
    """

    subject: str
    relation: str
    object: ValueLike
    source: str = ""  # empty: the default of the call, "api"


Text.__module__ = Date.__module__ = Statement.__module__ = "loci"
