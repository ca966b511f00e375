# SPDX-License-Identifier: Apache-2.0
"""Memory among signals, threads and processes: Ctrl-C stops long work and leaves the memory as it
was, calls run beside each other, and a child made by fork is refused its parent's memory.

Each case that needs a signal is a program of its own, to which a real SIGINT is sent once it says
that it is about to begin."""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import unittest

import loci

# A walk of every length over a graph of 2,000 nodes with 6 ways out of each: seconds of work.
LONG_QUERY = "r+(?a, ?b), r+(?b, ?c), r+(?c, ?d)"
GRAPH = "[(f's{i}', 'r', f's{(i * k + 7) % 2000}') for i in range(2000) for k in range(1, 7)]"
UNBOUNDED = "max_work=2**63, max_memory=2**40"

PROGRAM = """
    import sys, threading, time
    import loci
    memory = loci.Memory(sys.argv[1])
    digest = memory.digest()
    began = time.monotonic()
    print("ready", flush=True)
    try:
    {work}
        print("ended", flush=True)
    except KeyboardInterrupt:
        assert memory.digest() == digest
        memory.check()
        memory.learn([("after", "r", "it")])
        print("interrupted", flush=True)
"""


class WithGraph(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = f"{folder.name}/memory"
        with loci.Memory(self.path) as memory:
            memory.learn(eval(GRAPH))

    def start(self, work: str) -> "subprocess.Popen[str]":
        work = textwrap.indent(textwrap.dedent(work).strip(), "    ")
        program = textwrap.dedent(PROGRAM).format(work=work)
        child = subprocess.Popen([sys.executable, "-B", "-c", program, self.path],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        assert child.stdout is not None
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.stderr.close)
        self.assertEqual(child.stdout.readline(), "ready\n")
        return child

    def interrupt(self, work: str, after: float) -> None:
        child = self.start(work)
        time.sleep(after)
        self.assertIsNone(child.poll(), "it ended before it could be interrupted")
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        out, error = child.communicate(timeout=60)
        self.assertEqual((out, child.returncode), ("interrupted\n", 0), error)
        self.assertLess(time.monotonic() - sent, 20)  # seconds of a busy machine; alone, some tenths


class Signals(WithGraph):
    def test_a_question(self) -> None:
        self.interrupt(f"memory.ask('{LONG_QUERY}', {UNBOUNDED})", 0.3)

    def test_a_derivation_by_recursive_rules(self) -> None:
        with loci.Memory(self.path) as memory:
            memory.learn_rules("far(?x, ?y) <- r(?x, ?y); far(?x, ?z) <- far(?x, ?y), far(?y, ?z);")
        self.interrupt(f"memory.ask('far(?a, ?b), far(?c, ?d)', {UNBOUNDED})", 0.3)

    def test_learning_from_an_iterable_without_end(self) -> None:
        self.interrupt("import itertools; memory.learn((f's{i % 9}', 'r', 'o') "
                       "for i in itertools.count())", 0.2)

    def test_consolidation(self) -> None:
        self.interrupt("while True: memory.consolidate()", 0.2)

    def test_a_handler_of_the_program_runs_meanwhile_and_its_error_is_raised(self) -> None:
        work = f"""
        import signal
        heard = []
        signal.signal(signal.SIGUSR1, lambda *_: heard.append(1) or print("heard", flush=True))
        def stop(*_): raise KeyboardInterrupt if heard else AssertionError("no USR1 was heard")
        signal.signal(signal.SIGUSR2, stop)
        print("set", flush=True)
        memory.ask('{LONG_QUERY}', {UNBOUNDED})"""
        child = self.start(work)
        self.assertEqual(child.stdout.readline(), "set\n")
        child.send_signal(signal.SIGUSR1)
        self.assertEqual(child.stdout.readline(), "heard\n")  # and the question goes on
        self.assertIsNone(child.poll())
        child.send_signal(signal.SIGUSR2)
        out, error = child.communicate(timeout=60)
        self.assertEqual((out, child.returncode), ("interrupted\n", 0), error)


class Threads(WithGraph):
    def test_the_lock_of_the_interpreter_is_free_during_a_call(self) -> None:
        counted = []
        done = threading.Event()

        def count() -> None:
            while not done.is_set():
                counted.append(1)
                time.sleep(0.001)

        with loci.Memory(self.path) as memory:
            thread = threading.Thread(target=count)
            thread.start()
            before = len(counted)
            with self.assertRaises(loci.Error):
                memory.ask(LONG_QUERY, max_work=3_000_000, max_memory=2**40)
            during = len(counted) - before
            done.set()
            thread.join()
        self.assertGreater(during, 3)

    def test_many_threads_lose_nothing(self) -> None:
        errors = []
        query = loci.Query("wrote(?who, ?n)")

        def work(who: str) -> None:
            try:
                for n in range(20):
                    memory.learn([(who, "wrote", n)])
                    if len(memory.ask(query, {"who": who})) != n + 1:
                        errors.append((who, n))
            except BaseException as error:  # told by the main thread
                errors.append(error)

        with loci.Memory(self.path) as memory:
            threads = [threading.Thread(target=work, args=(f"t{i}",)) for i in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(errors, [])
            self.assertEqual(len(memory.ask(query)), 80)

    def test_closing_takes_the_memory_from_no_call(self) -> None:
        memory = loci.Memory(self.path)
        outcome = []

        def ask() -> None:
            try:
                memory.ask(LONG_QUERY, max_work=5_000_000, max_memory=2**40)
            except loci.Error as error:
                outcome.append(error.kind)

        thread = threading.Thread(target=ask)
        thread.start()
        time.sleep(0.01)
        memory.close()
        thread.join()
        self.assertIn(outcome, [["limit"], ["usage"]])  # usage: it had not begun


class Fork(WithGraph):
    def test_a_child_opens_the_memory_anew(self) -> None:
        memory = loci.Memory(self.path)
        self.addCleanup(memory.close)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                for call in (memory.digest, lambda: memory.learn([("a", "r", "b")])):
                    try:
                        call()
                        os._exit(2)
                    except loci.Error as error:
                        if error.kind != "usage" or "fork" not in str(error):
                            os._exit(3)
                with loci.Memory(self.path) as again:
                    again.learn([("a", "r", "b")], source="child")
                code = 0
            finally:
                os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertTrue(memory.ask("r(a, b) from child"))

    def test_processes_lose_nothing(self) -> None:
        writer = ("import sys, loci\nmemory = loci.Memory(sys.argv[1])\n"
                  "for n in range(25): memory.learn([(sys.argv[2], 'wrote', n)])\n")
        writers = [subprocess.Popen([sys.executable, "-B", "-c", writer, self.path, f"p{i}"])
                   for i in range(3)]
        self.assertEqual([child.wait() for child in writers], [0, 0, 0])
        with loci.Memory(self.path) as memory:
            self.assertEqual(len(memory.ask("wrote(?p, ?n)")), 75)


if __name__ == "__main__":
    unittest.main()
