# SPDX-License-Identifier: Apache-2.0
#
# A program at a pseudo-terminal: type, wait for what it prints, read the rest. As a person does, a
# test waits for a prompt before it types; it fails, with all that was printed, after a time limit.

import os
import pty
import re
import select
import signal
import time

LIMIT_SECONDS = 60


class Terminal:
    def __init__(self, words, cwd, environment):
        self.text = ""
        self.seen = 0
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.execvpe(words[0], words, environment)

    def type(self, text):
        os.write(self.fd, text.encode())

    def _read(self, seconds):
        """Reads what is there; False at the end of the program's output."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            got = os.read(self.fd, 65536)
        except OSError:  # the other end is closed
            got = b""
        self.text += got.decode(errors="replace")
        return got != b""

    def expect(self, pattern):
        """Waits for the pattern in what was printed since the last one; returns the match."""
        end = time.monotonic() + LIMIT_SECONDS
        more = True
        while True:
            match = re.compile(pattern).search(self.text, self.seen)
            if match:
                self.seen = match.end()
                return match
            assert more and time.monotonic() < end, f"no {pattern!r} in {self.text[self.seen:]!r}"
            more = self._read(0.2)

    def interrupt(self):
        self.type("\x03")

    def wait(self):
        """The exit code, as shells count it."""
        end = time.monotonic() + LIMIT_SECONDS
        while self._read(0.2):
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                raise AssertionError(f"still running after {self.text[-300:]!r}")
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
