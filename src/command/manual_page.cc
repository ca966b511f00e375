// SPDX-License-Identifier: Apache-2.0
//
// The manual page: the table of verbs in roff. Characters that roff has a use for are escaped, so
// that what one copies from the page is what one must type; mandoc and groff find nothing to say of
// it.
#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "command/completion.h"
#include "command/help.h"
#include "command/verb.h"

namespace loci {
namespace {

// Plain text as roff shows it: a hyphen is the character that one can copy, a quote is straight,
// and a line that begins with a dot or an apostrophe is no request.
std::string Roff(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins = i == 0 || text[i - 1] == '\n';
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      default:
        out += c;
    }
  }
  return out;
}

constexpr size_t kLine = 78;

// The same in lines of the length that roff's checkers ask for; it fills them anew.
std::string Filled(std::string_view text) {
  std::string out;
  size_t line = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = Roff(text.substr(at, end - at));
    if (line > 0) out += line + 1 + word.size() > kLine ? '\n' : ' ';
    line = out.empty() || out.back() == '\n' ? word.size() : line + 1 + word.size();
    out += word;
    at = end + 1;
  }
  return out;
}

std::string Bold(std::string_view text) {
  return fmt::format("\\fB{}\\fR", Roff(text));
}
std::string Italic(std::string_view text) {
  return fmt::format("\\fI{}\\fR", Roff(text));
}

std::string Tagged(const std::string& tag, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", tag, Filled(text));
}

// Paragraphs as help has them: an empty line ends one, lines that begin with a space stay lines.
std::string Paragraphs(std::string_view text) {
  std::string out;
  bool kept = false, begun = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) {
      begun = false;
      continue;
    }
    const bool keep = line.front() == ' ';
    if (kept && !keep) out += ".fi\n.RE\n";
    if (!begun && !keep) out += ".PP\n";
    if (!kept && keep) out += ".PP\n.RS 2\n.nf\n";
    begun = true;
    kept = keep;
    out += (keep ? Roff(line.substr(2)) : Filled(line)) + "\n";
  }
  return kept ? out + ".fi\n.RE\n" : out;
}

std::string VerbSection(const Verb& verb) {
  std::string out = fmt::format(".SS {}\n", verb.name);
  std::string summary(verb.summary);
  summary[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(summary[0])));
  out += Roff(summary) + ".\n.PP\n";
  out +=
      Bold("loci " + std::string(verb.name)) + Roff(Synopsis(verb).substr(verb.name.size())) + "\n";
  for (const Argument& argument : verb.arguments) {
    out += Tagged(Italic(argument.name), argument.help);
  }
  for (const Flag& flag : verb.flags) {
    std::string tag = flag.letter == 0 ? "" : Bold(fmt::format("-{}", flag.letter)) + ", ";
    tag += Bold(fmt::format("--{}", flag.name));
    if (!flag.value.empty()) tag += " " + Italic(flag.value);
    std::string help(flag.help);
    if (!flag.fallback.empty()) help += fmt::format(" (default: {})", flag.fallback);
    out += Tagged(tag, help);
  }
  out += Paragraphs(verb.details);
  for (const Example& example : verb.examples) {
    out += Tagged(Bold(fmt::format("loci {}", example.command)), example.what);
  }
  return out;
}

}  // namespace

std::string ManualPage() {
  std::string out = fmt::format(
      ".\\\" SPDX-License-Identifier: Apache-2.0\n"
      ".\\\" Printed by `loci help --man`.\n"
      ".TH LOCI 1 {} \"loci {}\" \"User Commands\"\n"
      ".ad l\n.nh\n"
      ".SH NAME\nloci \\- learn statements, answer from them, forget them\n"
      ".SH SYNOPSIS\n.B loci\n.I VERB\n.RI [ ARGUMENT \" ...]\"\n"
      ".SH DESCRIPTION\n",
      LOCI_DATE, LOCI_VERSION);
  out += Filled(
      "Loci is a learning engine and associative memory. It learns by writing statements (subject, "
      "relation, object, source) to a memory and answers by retrieving them, each answer with its "
      "sources. A memory is a directory, made by the first learn; any number of processes may use "
      "one at once.");
  out += "\n.SH VERBS\n";
  for (const Verb& verb : Verbs()) out += VerbSection(verb);
  out += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] :
       {std::pair("0", "Done; an answer was found."),
        std::pair("1", "Done; nothing was found, nothing matched."),
        std::pair("2", "The command line or the query is wrong."),
        std::pair("3", "An input or a memory is malformed, missing, damaged or out of reach."),
        std::pair("4", "Out of memory, of disk space, or of the work allowed."),
        std::pair("130", "Interrupted; the memory is as it was.")}) {
    out += Tagged(Bold(code), meaning);
  }
  out += ".SH FILES\n";
  out += Tagged(Italic("~/.local/state/loci/history"),
                "Lines typed into the shell; where XDG_STATE_HOME is set, loci/history in it.");
  out += Tagged(Italic("~/.editrc"), "Keys of the shell, as editrc(5) tells.");
  return out;
}

}  // namespace loci
