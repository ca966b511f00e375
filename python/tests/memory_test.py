# SPDX-License-Identifier: Apache-2.0
"""Memory as a program uses it: values, learning in every form, answers, recall, forgetting, errors.
What the engine does with a question is tested where it does it."""

import copy
import datetime
import decimal
import io
import os
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile
import unittest

import loci
from loci import Date, ErrorKind, Statement, Text

ATLAS = [("paris", "capital_of", "france"), ("rome", "capital_of", "italy"), ("france", "in", "europe")]


class WithMemory(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.memory = loci.Memory(f"{folder.name}/memory")
        self.addCleanup(self.memory.close)

    def refuses(self, kind: ErrorKind, part: str):
        """A context in which an Error of that kind, which says that, must be raised."""
        test = self

        class Refuses:
            def __enter__(self):
                return self

            def __exit__(self, _, error, __):
                test.assertIsInstance(error, loci.Error)
                test.assertEqual(error.kind, kind)
                test.assertIn(part, str(error))
                return True

        return Refuses()


class Values(WithMemory):
    SAME = [  # what goes in, and what comes out
        ("dog", "dog"), ("New York", "New York"), ("Zürich", "Zürich"), ("犬", "犬"),
        ("e\u0301", "é"),  # names are in NFC
        (Text("dog"), Text("dog")), (Text("chien", "fr"), Text("chien", "fr")),
        (Text("#fff", datatype="colour"), Text("#fff", datatype="colour")),
        (0, 0), (-7, -7), (10**33, 10**33), (decimal.Decimal("-12.50"), decimal.Decimal("-12.5")),
        (decimal.Decimal("1E+40"), decimal.Decimal("1E+40")), (0.1, decimal.Decimal("0.1")),
        (2.0, 2), (1e300, decimal.Decimal("1E+300")),
        (Date("2024-05"), Date("2024-05")), (Date("-0044-03-15"), Date("-0044-03-15")),
        (datetime.date(2024, 5, 17), Date("2024-05-17")),
        (datetime.datetime(2024, 5, 17, 8, 30), Date("2024-05-17T08:30:00")),
        (datetime.datetime(2024, 5, 17, 8, 30, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
         Date("2024-05-17T06:30:00Z")),
    ]

    def test_what_comes_out_goes_in_again_as_the_same(self) -> None:
        for i, (given, expected) in enumerate(self.SAME):
            self.memory.learn([(f"s{i}", "r", given)])
            [[found]] = self.memory.ask("r(?s, ?o)", {"s": f"s{i}"}).column("o"),
            self.assertEqual(found, expected)
            self.assertIs(type(found), type(expected))
            self.assertEqual(self.memory.learn([(f"s{i}", "r", found)]).known, 1)
            self.assertEqual(len(self.memory.ask("r(?s, ?o)", {"o": found, "s": f"s{i}"})), 1)
            self.assertEqual(loci.from_notation(loci.notation(found)), found)

    def test_a_text_is_no_name(self) -> None:
        for one in (Text("dog"), Text("dog", "en"), Date("2024")):
            self.assertNotEqual(one, str(one))
            self.assertNotEqual(str(one), one)
            self.assertEqual(len({one, str(one), copy.deepcopy(one)}), 2)
            again = pickle.loads(pickle.dumps(one))
            self.assertEqual(again, one)
            self.assertIs(type(again), type(one))
            self.assertIs(type(str(one)), str)
        self.assertNotEqual(Text("dog"), Text("dog", "en"))
        self.assertEqual(Text("Dog").lower(), "dog")
        self.memory.learn([("a", "r", "dog"), ("a", "r", Text("dog"))])
        self.assertEqual(self.memory.ask("r(?x, dog)").column("x"), ["a"])
        self.assertEqual(set(self.memory.ask("r(a, ?x)").column("x")), {"dog", Text("dog")})

    def test_dates_of_python(self) -> None:
        self.assertEqual(Date("2024-05-17T06:30:00Z").to_python(),
                         datetime.datetime(2024, 5, 17, 6, 30, tzinfo=datetime.timezone.utc))
        with self.assertRaises(ValueError):
            Date("2024-05").to_python()

    def test_what_is_no_value_is_refused(self) -> None:
        for bad in (None, True, b"x", ["x"], object()):
            with self.assertRaisesRegex(TypeError, "statement 1: "):
                self.memory.learn([ATLAS[0], ("a", "r", bad)])
        for bad in (float("nan"), float("inf"), decimal.Decimal("sNaN"), 10**40 + 1, Date("soon"), ""):
            with self.refuses(ErrorKind.BAD_INPUT, "statement 1: object: "):
                self.memory.learn([ATLAS[0], ("a", "r", bad)])
        with self.refuses(ErrorKind.USAGE, "lone surrogate"):
            self.memory.learn([("a", "r", "\ud800")])
        self.assertEqual(self.memory.stats().statements, 0)


class Learning(WithMemory):
    def test_every_form_is_the_same_statements(self) -> None:
        rng = random.Random(5)
        rows = [Statement(f"s{rng.randrange(50)}", f"r{rng.randrange(4)}",
                          rng.choice([f"o{rng.randrange(9)}", rng.randrange(99), Text("hé", "fr"),
                                      Date("2024")]), f"from{rng.randrange(3)}")
                for _ in range(500)]
        columns = dict(zip(Statement._fields, map(list, zip(*rows))))
        forms = {
            "list": rows, "iterator": iter(rows), "generator": (list(row) for row in rows),
            "columns": columns, "tuples": {name: tuple(column) for name, column in columns.items()},
        }
        try:
            import numpy
            import pandas
            forms["frame"] = pandas.DataFrame(columns)
            forms["arrays"] = {name: numpy.array(column, dtype=object)
                               for name, column in columns.items()}
        except ImportError:
            print("Skipped: forms of numpy and pandas, which are not installed")
        digests = {}
        for name, form in forms.items():
            with loci.Memory(f"{self.folder}/{name}") as memory:
                receipt = memory.learn(form)
                self.assertEqual(receipt.learned, len(set(rows)), name)
                self.assertEqual(receipt.digest, memory.digest())
                digests[name] = receipt.digest
                memory.check()
        self.assertEqual(len(set(digests.values())), 1, digests)

    def test_columns_of_arrays_and_single_values(self) -> None:
        try:
            import numpy
            import pandas
        except ImportError:
            self.skipTest("numpy or pandas is not installed")
        self.memory.learn({"subject": numpy.array(["a", "b"]), "relation": "n",
                           "object": numpy.array([1, 2]), "source": "arrays"})
        self.memory.learn({"subject": "a", "relation": "f", "object": numpy.float32(0.1)})
        self.memory.learn({"subject": ["a"], "relation": "d",
                           "object": numpy.array(["2024-05-17T08:00"], dtype="datetime64[ns]")})
        self.memory.learn(pandas.DataFrame({
            "subject": ["a"], "relation": ["t"], "object": pandas.to_datetime(["2024-05-17"])}))
        self.assertEqual(self.memory.ask("n(?x, ?n) from arrays").column("n"), [1, 2])
        self.assertEqual(self.memory.ask("f(a, ?f)").column("f"), [decimal.Decimal("0.1")])
        self.assertEqual(self.memory.ask("d(a, ?d)").column("d"), [Date("2024-05-17T08:00:00")])
        self.assertEqual(self.memory.ask("t(a, ?d)").column("d"), [Date("2024-05-17T00:00:00")])

    def test_wrong_columns_are_named(self) -> None:
        with self.assertRaisesRegex(TypeError, "found 'head', 'relation'"):
            self.memory.learn({"head": ["a"], "relation": ["r"]})
        with self.refuses(ErrorKind.USAGE, "column object has 1 values, others have 2"):
            self.memory.learn({"subject": ["a", "b"], "relation": "r", "object": ["c"]})
        with self.assertRaisesRegex(TypeError, "statement 0: object: expected|statement 0: no term"):
            self.memory.learn({"subject": ["a"], "relation": "r", "object": [None]})
        for bad in (("a", "r", "b"), [("a", "r")], [("a", "r", "b", "s", "t")], "text", [{"a": 1}]):
            with self.assertRaisesRegex(TypeError, "statement 0"):
                self.memory.learn(bad)
        for bad in (7, None):
            with self.assertRaisesRegex(TypeError, "is not iterable"):
                self.memory.learn(bad)
        with self.assertRaisesRegex(TypeError, "subject: expected a str, not int"):
            self.memory.learn([(1, "r", "b")])
        self.assertEqual(self.memory.stats().statements, 0)

    def test_what_an_iterable_raises_is_raised(self) -> None:
        def broken():
            yield ATLAS[0]
            raise KeyError("of the program")

        with self.assertRaisesRegex(KeyError, "of the program"):
            self.memory.learn(broken())
        self.assertEqual(self.memory.stats().statements, 0)

    def test_sources(self) -> None:
        self.memory.learn(ATLAS[:1])
        self.memory.learn(ATLAS[:1], source="atlas")
        self.memory.learn([(*ATLAS[0], "mine"), (*ATLAS[0], "")], source="yours")
        [answer] = self.memory.ask("capital_of(paris, ?x)", evidence=True)
        self.assertEqual(answer.evidence[0].sources, ("api", "atlas", "mine", "yours"))

    def test_files_and_rules(self) -> None:
        file = f"{self.folder}/two.tsv"
        with open(file, "w", encoding="utf-8") as out:
            out.write("rome\tcapital_of\titaly\nparis\tcapital_of\n")
        with self.refuses(ErrorKind.BAD_INPUT, "two.tsv:2:17"):
            self.memory.learn_file(file)
        with open(f"{self.folder}/many.tsv", "w", encoding="utf-8") as out:
            out.writelines(f"s{i}\tr\to\n" for i in range(1000))
        with self.refuses(ErrorKind.NO_MEMORY, "max_memory"):
            self.memory.learn_file(f"{self.folder}/many.tsv", max_memory=1000)
        receipt = self.memory.learn_file(file, skip_bad=True)
        self.assertEqual((receipt.learned, receipt.format, receipt.skipped), (1, "tsv", 1))
        self.assertIn("two.tsv:2:17", receipt.bad[0])
        self.assertEqual(self.memory.learn_rules("of(?y, ?x) <- capital_of(?x, ?y);").learned, 1)
        self.assertEqual(self.memory.ask("of(italy, ?x)").column("x"), ["rome"])
        with self.refuses(ErrorKind.USAGE, ""):
            self.memory.learn_rules("of(?y, ?x) <-")


class Asking(WithMemory):
    def setUp(self) -> None:
        super().setUp()
        self.memory.learn(ATLAS, source="atlas")

    def test_answers_are_a_sequence_of_tuples(self) -> None:
        answers = self.memory.ask("capital_of(?city, ?land)")
        self.assertEqual(answers.variables, ("city", "land"))
        self.assertEqual([tuple(answer) for answer in answers], [("paris", "france"), ("rome", "italy")])
        self.assertEqual(answers[-1], ("rome", "italy"))
        self.assertEqual(answers[1:], [("rome", "italy")])
        self.assertEqual(answers[0]["city"], "paris")
        self.assertEqual(answers[0]["?land"], "france")
        self.assertEqual(answers[0][1], "france")
        self.assertEqual(answers[0].score, 1)
        self.assertEqual(pickle.loads(pickle.dumps(answers[0])), ("paris", "france"))
        self.assertIn(("rome", "italy"), answers)
        with self.assertRaises(IndexError):
            answers[2]
        with self.assertRaisesRegex(KeyError, "has city, land"):
            answers.column("sea")
        with self.assertRaises(KeyError):
            answers[0]["sea"]

    def test_tables(self) -> None:
        answers = self.memory.ask("capital_of(?city, ?land)")
        self.assertEqual(repr(answers), "?city  ?land\nparis  france\nrome   italy")
        self.assertIn("<td>paris</td>", answers._repr_html_())
        self.assertEqual(repr(self.memory.ask("capital_of(paris, france)")), "yes")
        self.assertEqual(repr(self.memory.ask("capital_of(paris, italy)")), "no")
        self.assertEqual(repr(self.memory.ask("capital_of(?x, spain)")), "no answers")
        self.assertTrue(self.memory.ask("capital_of(paris, france)"))
        self.assertFalse(self.memory.ask("capital_of(paris, italy)"))
        self.memory.learn([(f"s{i:03}", "n", Text("<b>" * 50)) for i in range(30)])
        table = repr(self.memory.ask("n(?x, ?t)")).splitlines()
        self.assertEqual((len(table), table[-1]), (22, "... 10 more"))
        self.assertLess(max(map(len, table)), 80)
        self.assertNotIn("<b>", self.memory.ask("n(?x, ?t)")._repr_html_())

    def test_numpy_and_pandas(self) -> None:
        try:
            import numpy
            import pandas
        except ImportError:
            self.skipTest("numpy or pandas is not installed")
        self.memory.learn_rules("big(?x, ?y) <- capital_of(?x, ?y) conf 0.5;")
        answers = self.memory.ask("big(?city, ?land)")
        self.assertEqual((answers.scores.dtype, answers.scores.shape), (numpy.float64, (2,)))
        self.assertEqual(answers.scores.tolist(), [answer.score for answer in answers])
        self.assertIn("score", repr(answers))
        frame = answers.to_pandas(scores=True)
        self.assertEqual(frame.columns.tolist(), ["city", "land", "score"])
        self.assertEqual(frame["city"].tolist(), ["paris", "rome"])
        self.assertEqual(self.memory.ask("capital_of(paris, france)").to_pandas().shape, (1, 0))
        with loci.Memory(f"{self.folder}/again") as again:
            renamed = self.memory.ask("capital_of(?subject, ?object)").to_pandas()
            again.learn(renamed.assign(relation="capital_of", source="atlas"))
            self.assertEqual(len(again.ask("capital_of(?x, ?y)")), 2)
        self.assertIsInstance(self.memory.recall("paris").to_pandas(), pandas.DataFrame)

    def test_parameters_and_prepared_queries(self) -> None:
        query = loci.Query("capital_of(?city, ?land)")
        self.assertEqual(repr(query), "Query('capital_of(?city, ?land)')")
        for land, city in (("france", "paris"), ("italy", "rome")):
            self.assertEqual(self.memory.ask(query, {"land": land})[0]["city"], city)
        self.assertEqual(len(self.memory.ask(query, limit=1)), 1)
        self.assertEqual(len(self.memory.ask(query, limit=0)), 0)
        with self.assertRaisesRegex(TypeError, r"\?land: "):
            self.memory.ask(query, {"land": None})
        with self.refuses(ErrorKind.USAGE, "sea"):
            self.memory.ask(query, {"sea": "x"})

    def test_evidence_and_why(self) -> None:
        [answer] = self.memory.ask("capital_of/in(?city, europe)", evidence=True, why=True)
        self.assertEqual([str(fact) for fact in answer.evidence],
                         ["capital_of(paris, france) from atlas", "in(france, europe) from atlas"])
        lines = str(answer.why).splitlines()
        self.assertEqual(lines[0], "capital_of/in(paris, europe)")
        self.assertRegex(lines[1], r"^├─ capital_of\(paris, france\)  from atlas [0-9a-f]{16}$")
        self.assertRegex(lines[2], r"^└─ in\(france, europe\)  from atlas [0-9a-f]{16}$")
        self.assertEqual([step.clause for step in answer.why.statements()],
                         ["capital_of(paris, france)", "in(france, europe)"])
        self.assertIn("<details open", answer.why._repr_html_())
        self.assertEqual(self.memory.ask("capital_of(?x, ?y)")[0].evidence, ())

    def test_why(self) -> None:
        [step] = self.memory.why(ATLAS[0])
        self.assertEqual((step.kind, step.sources), ("statement", ("atlas",)))
        for same in ("capital_of(paris, france)", step.addresses[0], (*ATLAS[0], "atlas"),
                     Statement(*ATLAS[0])):
            self.assertEqual(str(self.memory.why(same)), str(step))
        self.assertFalse(self.memory.why((*ATLAS[0], "hearsay")))
        self.assertEqual(str(self.memory.why("capital_of(x, y)")), "no")
        with self.refuses(ErrorKind.USAGE, "?x"):
            self.memory.why("capital_of(?x, france)")
        self.memory.learn_rules("within(?x, ?z) <- capital_of(?x, ?y), in(?y, ?z) conf 0.5;")
        tree = str(self.memory.why("within(paris, europe)")).splitlines()
        self.assertTrue(tree[0].startswith("within(paris, europe)  score 0.5"), tree)
        self.assertTrue(any("rule within(?x, ?z)" in line for line in tree), tree)

    def test_limits(self) -> None:
        self.memory.learn([(f"s{i}", "n", i) for i in range(1000)])
        product = "n(?a, ?x), n(?b, ?y), n(?c, ?z)"
        with self.refuses(ErrorKind.LIMIT, "work"):
            self.memory.ask(product, max_work=100_000)
        with self.refuses(ErrorKind.NO_MEMORY, ""):
            self.memory.ask(product, max_memory=1 << 20)

    def test_an_error_is_one_class_with_a_kind(self) -> None:
        with self.refuses(ErrorKind.USAGE, "column 18"):
            self.memory.ask("capital_of(?city ?land)")
        with self.refuses(ErrorKind.NOT_FOUND, "nowhere"):
            loci.Memory(f"{self.folder}/nowhere", create=False)
        with self.refuses(ErrorKind.NOT_FOUND, "nowhere"):
            loci.Memory(f"{self.folder}/nowhere", read_only=True)
        error = pickle.loads(pickle.dumps(loci.Error("no", ErrorKind.LIMIT)))
        self.assertEqual((str(error), error.kind, error.kind == "limit"), ("no", ErrorKind.LIMIT, True))


class WithoutNumpy(unittest.TestCase):
    def test_only_arrays_and_frames_need_it(self) -> None:
        program = """
import sys, tempfile
sys.modules["numpy"] = sys.modules["pandas"] = None  # imports of them fail
import loci
with tempfile.TemporaryDirectory() as folder, loci.Memory(folder + "/memory") as memory:
    memory.learn({"subject": ["a"], "relation": "r", "object": ["b"]})
    memory.learn([("a", "text", loci.Text("the boat"))])
    answers, recalled = memory.ask("r(a, ?x)", evidence=True), memory.recall("boat")
    assert (answers[0].score, recalled[0].name, repr(answers)) == (1, "a", "?x\\nb")
    for needing in (lambda: answers.scores, lambda: recalled.scores, answers.to_pandas):
        try:
            needing()
        except ImportError:
            continue
        sys.exit("did not need it")
"""
        subprocess.run([sys.executable, "-B", "-c", program], check=True)


class Recalling(WithMemory):
    def setUp(self) -> None:
        super().setUp()
        self.memory.learn([
            ("log#1", "text", Text("Änn said the boat is in the harbour now")),
            ("log#1", "part_of", "log"), ("log#1", "time", Date("2024-05-17")),
            ("log#2", "text", Text("the harbour is closed in winter")),
            ("log#2", "part_of", "log"), ("log#2", "time", Date("2024-06-02"))], source="talk")

    def test_recalls_with_spans_of_characters(self) -> None:
        recalled = self.memory.recall("where is the boat?", evidence=True)
        self.assertEqual(recalled[0].name, "log#1")
        self.assertEqual(recalled[0].sources, ("talk",))
        self.assertTrue(0 < recalled[0].score <= 1)
        self.assertEqual([recalled[0].text[b:e] for b, e in recalled[0].spans], ["boat"])
        self.assertEqual(recalled[0].evidence[0].relation, "text")
        self.assertEqual(recalled[0].evidence[0].object, Text(recalled[0].text))
        self.assertIn("log#1", repr(recalled))
        self.assertIn("<td>log#1</td>", recalled._repr_html_())
        self.assertEqual(repr(self.memory.recall("zebra")), "nothing was recalled")

    def test_every_filter_chooses(self) -> None:
        def names(**options):
            return [one.name for one in self.memory.recall("harbour", associate=False, **options)]

        self.assertEqual(sorted(names()), ["log#1", "log#2"])
        self.assertEqual(names(limit=1) + names(limit=1, offset=1), names())
        self.assertEqual(names(since="2024-06"), ["log#2"])
        self.assertEqual(names(until="2024-05"), ["log#1"])
        self.assertEqual(names(unlike="winter"), ["log#1"])
        self.assertEqual(names(source="nobody"), [])
        self.assertEqual(names(within="diary"), [])
        self.assertEqual(names(where='time(?x, ?t), ?t > "2024-06"^^date'), ["log#2"])
        self.assertEqual(self.memory.recall("harbour", limit=1).found, 2)
        with self.refuses(ErrorKind.USAGE, "since: "):
            names(since="soon")


class Forgetting(WithMemory):
    def test_forgets_by_every_selector(self) -> None:
        empty = self.memory.digest()
        for given in ({"fact": "capital_of(paris, france)"}, {"fact": ATLAS[0]},
                      {"fact": (*ATLAS[0], "rumour")}, {"subject": "paris"}, {"source": "rumour"},
                      {"naming": "france"}):
            self.memory.learn(ATLAS[:1], source="rumour")
            rehearsed = self.memory.forget(**given, dry_run=True, statements=True)
            self.assertEqual(rehearsed.statements, (Statement(*ATLAS[0], "rumour"),))
            self.assertNotEqual(rehearsed.digest, empty)
            receipt = self.memory.forget(**given)
            self.assertEqual((receipt.forgotten, receipt.facts_gone, receipt.digest), (1, 1, empty))
            self.assertEqual(receipt.statements, ())
        self.memory.learn(ATLAS, source="rumour")
        [answer] = self.memory.ask("capital_of(paris, ?x)", evidence=True)
        self.memory.forget(answer.evidence[0])
        self.memory.forget(self.memory.ask("in(?x, europe)", evidence=True)[0].evidence[0].addresses[0])
        self.assertEqual(len(self.memory.ask("?r(?x, ?y)")), 1)
        for bad in ({}, {"fact": "r(a, b)", "source": "s"}):
            with self.assertRaisesRegex(TypeError, "one of"):
                self.memory.forget(**bad)
        with self.assertRaisesRegex(TypeError, "a fact is"):
            self.memory.forget(7)

    def test_statements_are_told_in_order_without_holding_them(self) -> None:
        self.assertEqual(list(self.memory.statements()), [])
        rows = [Statement(f"s{i:05}", "r", Text("x", "en") if i % 2 else i, f"from{i % 3}")
                for i in range(2500)]
        self.memory.learn(reversed(rows))
        told = self.memory.statements()
        self.assertEqual(next(told), rows[0])
        self.memory.forget(source="from1")  # not what was begun before
        self.assertEqual(list(told), rows[1:])
        with loci.Memory(f"{self.folder}/copy") as other:
            other.learn(self.memory.statements())
            self.assertEqual(other.digest(), self.memory.digest())

    def test_consolidate_check_export_freeze(self) -> None:
        self.memory.learn(ATLAS, source="atlas")
        frozen = self.memory.freeze()
        digest = self.memory.digest()
        self.memory.forget(subject="paris")
        self.memory.consolidate()
        self.memory.check()
        self.assertEqual((len(frozen.ask("?r(?x, ?y)")), frozen.digest()), (3, digest))
        with self.refuses(ErrorKind.USAGE, "frozen"):
            frozen.learn(ATLAS)
        out = io.BytesIO()
        self.assertEqual(frozen.export(out), 3)
        self.assertEqual(out.getvalue().splitlines()[0], b"france\tin\teurope\tatlas")
        self.assertEqual(frozen.export(f"{self.folder}/all.jsonl", "jsonl"), 3)
        with loci.Memory(f"{self.folder}/copy") as other:
            other.learn_file(f"{self.folder}/all.jsonl")
            self.assertEqual(other.digest(), digest)
        with self.refuses(ErrorKind.USAGE, "word"):
            frozen.export(io.BytesIO(), "word")

        class Full:
            def write(self, block: bytes) -> int:
                raise OSError("full")

        with self.assertRaisesRegex(OSError, "full"):
            frozen.export(Full())
        self.assertEqual((self.memory.stats().statements, self.memory.stats().sources), (2, 1))
        self.assertIn("statements  2", str(self.memory.stats()))

    def test_a_closed_memory_is_refused(self) -> None:
        with self.memory as memory:
            memory.learn(ATLAS)
        self.assertTrue(memory.closed)
        self.assertIn("closed", repr(memory))
        memory.close()
        for call in (memory.digest, memory.stats, lambda: memory.learn(ATLAS), memory.freeze):
            with self.refuses(ErrorKind.USAGE, "closed"):
                call()

    def test_paths(self) -> None:
        for path in (pathlib.Path(self.folder, "päth"), os.fsencode(self.folder) + b"/\xff"):
            with loci.Memory(path) as memory:
                memory.learn(ATLAS)
                self.assertEqual(memory.path, os.fspath(path))
            self.assertTrue(os.path.isdir(path))
        with self.refuses(ErrorKind.USAGE, "zero byte"):
            loci.Memory(f"{self.folder}/a\0b")
        with self.assertRaises(TypeError):
            loci.Memory(7)
        with self.assertRaises(TypeError):
            self.memory.export(7)

    def test_read_only(self) -> None:
        self.memory.learn(ATLAS)
        with loci.Memory(self.memory.path, read_only=True) as reader:
            self.assertEqual(len(reader.ask("capital_of(?x, ?y)")), 2)
            with self.assertRaises(loci.Error):
                reader.learn(ATLAS)


if __name__ == "__main__":
    unittest.main()
