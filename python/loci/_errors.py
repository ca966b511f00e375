# SPDX-License-Identifier: Apache-2.0
"""What goes wrong: one exception, with a kind that a program can act on."""

import enum


class ErrorKind(str, enum.Enum):
    """What a program can act on, in the library's order (include/loci/result.h).

    >>> ErrorKind.NOT_FOUND == "not_found"
    True
    """

    USAGE = "usage"  # the request itself is wrong: a query, an option, a name
    BAD_INPUT = "bad_input"  # what was read is malformed; the message has file, line and column
    NOT_FOUND = "not_found"  # the thing named does not exist
    DAMAGED = "damaged"  # bytes of a memory are not what they were when written
    UNSUPPORTED = "unsupported"  # well-formed, but this version lacks it
    IO = "io"  # the system refused: permission, failing disk
    NO_SPACE = "no_space"  # disk full or quota reached; nothing was changed
    NO_MEMORY = "no_memory"  # a memory limit was reached; nothing was changed
    LIMIT = "limit"  # a stated limit was reached; never a silent cut
    CANCELLED = "cancelled"


class Error(Exception):
    """What the library refuses or fails at; str() names the offending value and the next step.

    Values of a wrong type are a TypeError, as everywhere in Python, and Ctrl-C is a
    KeyboardInterrupt. All else is an Error.
    """

    def __init__(self, message: str, kind: ErrorKind = ErrorKind.USAGE) -> None:
        super().__init__(message)
        self.kind = kind

    def __reduce__(self) -> "tuple[type[Error], tuple[str, ErrorKind]]":
        return Error, (str(self), self.kind)


Error.__module__ = ErrorKind.__module__ = "loci"
