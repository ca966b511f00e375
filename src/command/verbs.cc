// SPDX-License-Identifier: Apache-2.0
//
// The table itself. Every text here is read by users: plain, exact, no superlatives.
#include <fmt/format.h>

#include "command/verb.h"
#include "formats/export.h"
#include "formats/format.h"
#include "store/settings.h"

namespace loci {
namespace {

constexpr Argument kMemory{"MEMORY", Argument::Count::kOne, {}, "the directory of the memory"};

Flag Switch(std::string_view name, std::string_view help, std::string_view group = {}) {
  Flag flag;
  flag.name = name;
  flag.help = help;
  flag.group = group;
  return flag;
}

// A flag with a value; fallback says in words what holds without it.
Flag Valued(std::string_view name, Flag::Type type, std::string_view value, std::string_view help,
            std::string_view fallback = {}, std::string_view group = {}) {
  Flag flag = Switch(name, help, group);
  flag.type = type;
  flag.value = value;
  flag.fallback = fallback;
  return flag;
}

Flag Named(std::string_view name, std::string_view help, std::string_view group) {
  return Valued(name, Flag::Type::kText, "NAME", help, {}, group);
}

Flag WithLetter(char letter, Flag flag) {
  flag.letter = letter;
  return flag;
}

template <class Infos>
Flag OneOf(const Infos& infos, Flag flag) {
  for (const auto& info : infos) flag.choices.push_back(info.name);
  return flag;
}

// The details of learn list the formats, which only their own table knows.
std::string_view LearnDetails() {
  static const std::string details = [] {
    std::string text =
        "All files of one command are learned together: at its end all is there, or, after an "
        "error, nothing. With --every N each N statements are committed by themselves, and a line "
        "'committed M' says that the first M of the input are on disk. A statement that was known "
        "already changes nothing. Files may be compressed with gzip or zstd.\n\nFormats:\n";
    for (const FormatInfo& format : Formats()) {
      text += fmt::format("  {:<12}{}\n", format.name, format.summary);
    }
    return text;
  }();
  return details;
}

constexpr std::string_view kAskDetails =
    "On a terminal the answers are a table, elsewhere tab-separated values with a header of "
    "variables; both write terms as a query would. A query without variables is answered by yes or "
    "no. The order of answers never depends on the order of clauses. Exit code 1 means that "
    "nothing was found.\n\nA query is one or more facts with ?variables, joined by commas:\n"
    "  capital_of(?x, france)            a stored fact\n"
    "  hypernym+(dog, ?x)                follow a relation: r/s ^r r+ r* r? (r|s)\n"
    "  born_in(?p, ?c), in(?c, france)   several at once\n"
    "  ?r(dog, ?x)                       all that is known of dog\n"
    "  (?x) <- age(?x, ?n), ?n > 30 order by ?n desc limit 3\n";

constexpr std::string_view kRecallDetails =
    "The cue is any text: a question, some words, a name. What it recalls are passages and other "
    "names of which something is known, best first: first those that have its words, then those to "
    "which these lead, by names that they mention, phrases that they share, facts, and order. Each "
    "is printed with its score, its title, its text and who states it. 'ask' has the same as a "
    "clause, like(?x, \"cue\").\n\nTexts are cut at 2,000 bytes, and shorter where --max-bytes is "
    "given: that bounds all that is printed; what is left out is said on standard error. Exit code "
    "1 means that nothing was recalled.";

constexpr std::string_view kMcpDetails =
    "Standard input and output carry the protocol; a client starts the program itself (docs/mcp.md "
    "has the settings of the common ones). The tools are the nine of the reference server "
    "@modelcontextprotocol/server-memory, and recall, ask, why, learn, forget and stats. Any "
    "number "
    "of servers may serve one memory at once; each sees what the others wrote at its next call.\n\n"
    "Where MEMORY is the memory.jsonl of the reference server, or is not given and the variable "
    "MEMORY_FILE_PATH names one, the memory is memory.loci beside it, made from it at the first "
    "start; the file itself is never changed.\n\n"
    "With --http the endpoint's URL is printed on standard error, and Ctrl-C ends the server. One "
    "of "
    "--token-file and --no-token goes with it: every user of the machine reaches the port.";

constexpr std::string_view kWhyDetails =
    "A FACT is relation(subject, object), where the relation may be a path, alone or followed by "
    "'from source'; or the address of a statement, as evidence cites it. The leaves of the tree "
    "are statements, each with its sources and their addresses. 'ask --why' explains the answers "
    "of a query in the same way. Exit code 1 means that nothing is known of the fact.";

constexpr std::string_view kForgetDetails =
    "A FACT is relation(subject, object), alone or followed by 'from source'; or the address of a "
    "statement, as evidence cites it. Without 'from', every source's statement of the fact goes.\n"
    "\nWhat is forgotten is gone from answers and digest at once, and from the bytes of the "
    "memory's files after the next consolidate. The receipt names the digest after, never the one "
    "before. Exit code 1 means that nothing matched.";

constexpr std::string_view kConsolidateDetails =
    "Afterwards no file of the memory holds a byte of what was forgotten before. The image depends "
    "on nothing but the statements: not on the order of learning, not on the machine. Others may "
    "read and write meanwhile. Interrupted, it leaves the memory as it was.";

constexpr std::string_view kDigestDetails =
    "64 hex digits that depend on the set of statements and on nothing else: two memories with the "
    "same digest know the same, and a memory that learned and forgot has the digest that it had. "
    "It detects accidents, not forgers.";

constexpr std::string_view kCopyDetails =
    "The copy is one image and has the digest of the original at the moment of copying; it holds "
    "nothing that was forgotten before. Others may read and write the original meanwhile. The copy "
    "is filled under the name NEW.part and then put in its place at once: interrupted, nothing of "
    "it is left.";

constexpr std::string_view kUpgradeDetails =
    "Names are kept in Unicode's normal form C. A program with a newer Unicode than a memory's "
    "reads it as it is, and refuses to write it before upgrade has written all its names anew and "
    "told which of them changed. Formats of files have one version so far. A memory of a newer "
    "program is refused. Others may read meanwhile; writers wait. Interrupted, it leaves the "
    "memory as it was.";

constexpr std::string_view kEvalDetails =
    "The measures are those of trec_eval: recall@k, ndcg@10 with the grades as gains, and mrr@10, "
    "each a mean over the queries with its 95 % interval (normal approximation). Where queries "
    "have a metadata.kind, the figures of each kind follow. As in BEIR, a document that has the "
    "query's id is passed over; a query for which nothing is found counts as 0.\n\nThe time of "
    "the index is that from the corpus's file to a consolidated memory on disk; a query's is that "
    "of one recall, on one core. The digest is the memory's, of several their sum.";

constexpr std::string_view kShellDetails =
    "A query is typed as it is and may span lines: it ends where it is whole, or at an empty line. "
    "A line that begins with a dot is a command: .help lists them. The verbs of loci are commands "
    "too, without MEMORY: .learn facts.tsv, .forget --source atlas.\n\nOn a terminal lines are "
    "edited and kept in ~/.local/state/loci/history (but for those that begin with a space), Tab "
    "completes commands, relations and names, and Ctrl-C interrupts the query, not the shell. From "
    "elsewhere the lines are a script; lines that begin with # are comments, and the first error "
    "ends it with its exit code, unless .bail is off.";

// The details of config list the settings, which only their own table knows.
std::string_view ConfigDetails() {
  static const std::string details = [] {
    std::string text =
        "Settings are kept in the memory and hold for all who use it, from their next operation "
        "on.\n\nSettings:\n";
    for (const SettingInfo& info : KnownSettings()) {
      text +=
          fmt::format("  {:<15}{}{}\n", info.key, info.meaning,
                      info.fallback.empty() ? "" : fmt::format(" (default: {})", info.fallback));
    }
    return text;
  }();
  return details;
}

std::string_view ExportDetails() {
  static const std::string details = [] {
    std::string text =
        "Statements come in their canonical order: memories that know the same give the same "
        "bytes. Exporting and learning again gives the same digest, but where sources are left "
        "out.\n\nFormats:\n";
    for (const ExportFormat& format : ExportFormats()) {
      text += fmt::format("  {:<12}{}\n", format.name, format.summary);
    }
    return text;
  }();
  return details;
}

const Flag kMaxWork = Valued("max-work", Flag::Type::kCount, "N",
                             "give up, with exit code 4, after touching N rows", "1000000000");

}  // namespace

const std::vector<Verb>& Verbs() {
  using Type = Flag::Type;
  using Count = Argument::Count;
  static const std::vector<Verb> verbs = {
      {"learn",
       "learn statements from files or standard input",
       {kMemory,
        {"FILE",
         Count::kAny,
         {},
         "what to read; none, or -: standard input; for WordNet its "
         "directory"}},
       {Valued("source", Type::kText, "NAME", "who says so, where the input does not tell",
               "the file's base name, or stdin"),
        OneOf(Formats(), Valued("format", Type::kText, "FORMAT", "how to read the files",
                                "told from the content")),
        Switch("skip-bad", "leave out records that are malformed, and count them"),
        Valued("map", Type::kText, "MAP",
               "which columns of a CSV file make which statements, e.g. "
               "'subject=id,name,born:date' (docs/formats.md)",
               "subject, relation, object, source"),
        Valued("rules", Type::kText, "FILE",
               "learn the rules of FILE, as in 'pet(?x, ?y) <- feeds(?y, ?x) conf 0.9;' "
               "(docs/query-language.md)"),
        Valued("every", Type::kCount, "N", "commit each N statements", "one batch, at the end"),
        Switch("json", "print the receipt as a JSON object")},
       LearnDetails(),
       {{{"learn world.loci facts.tsv --source atlas",
          "Learns subject<TAB>relation<TAB>object lines, said by atlas."},
         {"learn words.loci /usr/share/wordnet", "Learns all of WordNet."}}},
       RunLearn},
      {"ask",
       "answer a query, with the statements behind each answer",
       {kMemory, {"QUERY", Count::kOne, {}, "what to ask, in quotes"}},
       {WithLetter('k', Valued("limit", Type::kCount, "N", "print the first N answers", "all")),
        Switch("json", "print one JSON object, with evidence", "form"),
        Switch("jsonl", "print one JSON object a line, with evidence", "form"),
        Switch("tsv", "print tab-separated values, on a terminal too", "form"),
        Switch("evidence",
               "add the facts behind each answer, with their sources, to a table or TSV", "behind"),
        Switch("why", "print the derivation of each answer, as a tree", "behind"), kMaxWork},
       kAskDetails,
       {{{"ask world.loci 'capital_of(?city, france)'", "Prints the capital of France."},
         {"ask words.loci 'hypernym+(dog.n.01, ?x)' -k 5 --json",
          "Prints five of the kinds of thing that a dog is, and the facts that lead there."}}},
       RunAsk},
      {"recall",
       "recall memories by a cue: a question, words, a name",
       {kMemory, {"CUE", Count::kOne, {}, "what to recall by, in quotes; -: standard input"}},
       {WithLetter('k', Valued("limit", Type::kCount, "N", "print N memories", "10")),
        Valued("offset", Type::kCount, "N", "leave out the first N"),
        Valued("max-bytes", Type::kCount, "N", "print at most N bytes"),
        Valued("where", Type::kText, "CLAUSES",
               "only what these clauses of a query hold of, as ?x: 'author(?x, ann)'"),
        Valued("from-source", Type::kText, "NAME", "only what NAME states something of"),
        Valued("within", Type::kText, "NAME", "only NAME and its parts (part_of)"),
        Valued("since", Type::kText, "DATE", "only what is of that time (time) or later"),
        Valued("until", Type::kText, "DATE", "only what is of that time or earlier"),
        Valued("not", Type::kText, "WORDS", "nothing that has one of these words"),
        Switch("lexical", "go by the cue's words alone, not by what they lead to"),
        Switch("why", "tell the words and links that brought each, the words in bold"),
        Switch("evidence", "add the facts behind each, with their sources"),
        Switch("json", "print one JSON object", "form"),
        Switch("jsonl", "print one JSON object a line", "form"), kMaxWork},
       kRecallDetails,
       {{{"recall world.loci 'who hunts in packs' -k 3", "Prints the three best memories."},
         {"recall chats.loci 'the trip' --since 2024-05 --max-bytes 4000 --json",
          "The same for a program with little room, of May 2024 and later."}}},
       RunRecall},
      {"why",
       "tell why a fact holds, down to the statements and sources",
       {kMemory, {"FACT", Count::kOne, {}, "what to explain, in quotes"}},
       {Switch("json", "print one JSON object"), kMaxWork},
       kWhyDetails,
       {{{"why world.loci 'capital_of(paris, france)'", "Prints who said so."},
         {"why world.loci 370fd27523e815f3", "The same of a statement, by its address."}}},
       RunWhy},
      {"forget",
       "forget a fact, a subject or all that a source said",
       {kMemory, {"FACT", Count::kOptional, "what", "what to forget, in quotes"}},
       {Named("subject", "every statement whose subject is NAME", "what"),
        Named("source", "every statement that NAME is the source of", "what"),
        Named("naming", "every statement with NAME in it: as subject, relation, object or source",
              "what"),
        Switch("dry-run", "change nothing, show what would be forgotten"),
        Switch("json", "print the receipt as a JSON object")},
       kForgetDetails,
       {{{"forget world.loci 'capital_of(paris, france) from atlas'",
          "Forgets one statement; the fact stays where another source has it."},
         {"forget world.loci --source atlas --dry-run",
          "Shows what would go if all that atlas said were forgotten."}}},
       RunForget},
      {"consolidate",
       "fold all that was written into one image",
       {kMemory},
       {Switch("json", "print the result as a JSON object")},
       kConsolidateDetails,
       {{{"consolidate world.loci", "Folds the memory."},
         {"consolidate world.loci --json", "The same, for scripts."}}},
       RunConsolidate},
      {"export",
       "write all statements in a format that learn reads",
       {kMemory},
       {OneOf(ExportFormats(), Valued("format", Type::kText, "FORMAT", "what to write", "tsv"))},
       ExportDetails(),
       {{{"export world.loci > world.tsv", "Writes every statement with its source."},
         {"export world.loci --format nquads | gzip > world.nq.gz",
          "Writes them as N-Quads, for other tools."}}},
       RunExport},
      {"stats",
       "count what a memory knows and list its files",
       {kMemory},
       {Switch("json", "print one JSON object")},
       {},
       {{{"stats world.loci", "Prints one count a line."},
         {"stats world.loci --json", "The same as an object, for scripts."}}},
       RunStats},
      {"digest",
       "print the hash of what a memory knows",
       {kMemory},
       {},
       kDigestDetails,
       {{{"digest world.loci", "Prints the digest."},
         {"digest copy.loci", "Prints the same if the copy knows the same."}}},
       RunDigest},
      {"check",
       "verify every byte of a memory",
       {kMemory},
       {},
       "Prints ok and counts, or names what is wrong and ends with exit code 3.",
       {{{"check world.loci", "Verifies checksums, order and counts of all files."},
         {"check world.loci && loci consolidate world.loci", "Consolidates a sound memory."}}},
       RunCheck},
      {"copy",
       "make a copy of a memory while it is in use",
       {kMemory, {"NEW", Count::kOne, {}, "the directory of the copy, not there yet"}},
       {Switch("json", "print the result as a JSON object")},
       kCopyDetails,
       {{{"copy world.loci backup.loci", "Copies what the memory knows at this moment."},
         {"copy world.loci backup.loci && loci digest backup.loci",
          "Prints the digest, that of the original."}}},
       RunCopy},
      {"config",
       "list, read or change the settings of a memory",
       {kMemory,
        {"KEY", Count::kOptional, {}, "the setting; none: list all"},
        {"VALUE", Count::kOptional, {}, "what to set it to; none: print its value"}},
       {Switch("json", "list the settings as a JSON object")},
       ConfigDetails(),
       {{{"config world.loci", "Lists the settings with their values."},
         {"config world.loci slow_query_ms 20",
          "Counts queries of 20 milliseconds and more as slow."}}},
       RunConfig},
      {"upgrade",
       "bring a memory to this program's formats and Unicode",
       {kMemory},
       {Switch("json", "print what changed as a JSON object")},
       kUpgradeDetails,
       {{{"upgrade world.loci", "Rewrites the memory if that is needed."},
         {"upgrade world.loci --json", "The same, for scripts."}}},
       RunUpgrade},
      {"eval",
       "measure the engine on a public task",
       {{"TASK", Count::kOne, {}, "recall: retrieval, as BEIR measures it"},
        {"DIR",
         Count::kAny,
         {},
         "a BEIR directory: corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv; several are one task of "
         "all their queries, each asked of its own corpus"}},
       {Valued("split", Type::kText, "NAME", "which judgements: qrels/NAME.tsv", "test"),
        Valued("memory", Type::kText, "MEMORY", "ask this memory, which has learned the corpus",
               "a new one, gone at the end", "system"),
        Valued("score-run", Type::kText, "FILE",
               "score this TREC run, of another system, and ask nothing", {}, "system"),
        Valued("run", Type::kText, "FILE", "write what was found as a TREC run"),
        Valued("qrels", Type::kText, "FILE", "write the judgements as TREC has them"),
        WithLetter('k', Valued("limit", Type::kCount, "N",
                               "rank N documents for each query; measures see no more", "100")),
        Switch("lexical", "without association: the words of the cue alone"),
        Switch("no-titles", "names and titles in a text lead nowhere"),
        Switch("json", "print one JSON object")},
       kEvalDetails,
       {{{"eval recall scifact", "Learns the corpus, asks the test queries, prints the figures."},
         {"eval recall scifact --run loci.run --qrels scifact.qrels",
          "Writes the files from which trec_eval computes the same."}}},
       RunEval},
      {"mcp",
       "serve a memory to agents over the Model Context Protocol",
       {{"MEMORY", Count::kOptional, {}, "a path, or a memory.jsonl; made if there is none"}},
       {Valued("source", Flag::Type::kText, "NAME", "who says what clients write",
               "the client's own name"),
        Valued("max-bytes", Flag::Type::kCount, "N", "the most bytes of text in a result", "32000"),
        Valued("http", Flag::Type::kText, "PORT", "serve over HTTP on 127.0.0.1; 0: any free port",
               "standard input and output"),
        Valued("token-file", Flag::Type::kText, "FILE",
               "the token that HTTP clients must show; made if there is none", {}, "token"),
        Switch("no-token", "serve whoever reaches the port over HTTP", "token")},
       kMcpDetails,
       {{{"mcp memory.jsonl", "Takes over what the reference memory server has stored."},
         {"mcp world.loci --http 8420 --token-file token", "Serves over HTTP instead."}}},
       RunMcp},
      {"shell",
       "ask and command a memory line by line",
       {kMemory},
       {},
       kShellDetails,
       {{{"shell world.loci", "Opens the memory and waits for queries."},
         {"shell world.loci < questions", "Runs a script of queries and commands."}}},
       RunShell},
      {"help",
       "tell about loci or one of its verbs",
       {{"VERB", Count::kOptional, {}, "the verb to tell about"}},
       {Switch("man", "print the manual page, as man reads it", "form"),
        Switch("bash", "print the completion for bash", "form"),
        Switch("zsh", "print the completion for zsh", "form")},
       {},
       {{{"help", "Lists the verbs."}, {"help ask", "Tells about ask."}}},
       RunHelp},
  };
  return verbs;
}

const Verb* FindVerb(std::string_view name) {
  for (const Verb& verb : Verbs()) {
    if (verb.name == name) return &verb;
  }
  return nullptr;
}

}  // namespace loci
