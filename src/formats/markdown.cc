// SPDX-License-Identifier: Apache-2.0
//
// Markdown: passages as in plain text, and besides
//   - a heading (# or underlined) ends a passage and gives those after it the title
//     "Heading > Subheading", all levels above included; a heading with nothing beneath it is a
//     passage of its own, so that nothing written is lost
//   - fenced code stays whole, blank lines included, however long
//   - front matter (--- to --- at the start) is one passage
//   - a line that only separates (***, ---) separates
// What stands within a passage is kept as written: its markup is not interpreted.
#include <string>
#include <vector>

#include "formats/markdown_line.h"
#include "formats/passages.h"
#include "formats/readers.h"

namespace loci {
namespace {

class Document {
 public:
  explicit Document(Reading* reading) : passages_(reading) {}

  Result<void> Line(std::string_view line, uint64_t number) {
    if (in_front_matter_ || (number == 1 && line == "---")) {
      passages_.AddLine(line, number);
      passages_.KeepWhole();
      in_front_matter_ = number == 1 || (line != "---" && line != "...");
      return in_front_matter_ ? Result<void>() : ClosePassage();
    }
    if (fence_.length != 0) {
      passages_.AddLine(line, number);
      if (ClosesFence(line, fence_)) fence_ = {};
      return {};
    }
    if (line.find_first_not_of(" \t\f\v") == std::string_view::npos) return ClosePassage();
    if (const AtxHeading heading = ParseAtx(line); heading.level != 0) {
      LOCI_TRY(ClosePassage());
      LOCI_ASSIGN(const bool good, passages_.IsText(line, number));
      return good ? Heading(heading.level, heading.title, number) : Result<void>();
    }
    if (const int level = SetextLevel(line);
        level != 0 && passages_.open() && MayBeSetextTitle(passages_.text())) {
      std::string title = passages_.text();
      title.erase(title.find_last_not_of(" \t") + 1).erase(0, title.find_first_not_of(" \t"));
      for (char& c : title) c = c == '\n' ? ' ' : c;
      const uint64_t first_line = passages_.first_line();
      LOCI_ASSIGN(const bool good, passages_.IsText(passages_.text(), first_line));
      passages_.Drop();
      return good ? Heading(level, title, first_line) : Result<void>();
    }
    if (IsThematicBreak(line)) return ClosePassage();
    fence_ = OpeningFence(line);
    passages_.AddLine(line, number);
    if (fence_.length != 0) passages_.KeepWhole();
    return {};
  }

  Result<void> End() {
    LOCI_TRY(ClosePassage());
    return CloseEmptyHeading();
  }

 private:
  struct Level {
    int level;
    std::string title;
  };

  std::string Title() const {
    std::string title;
    for (const Level& level : path_) {
      if (level.title.empty()) continue;
      if (!title.empty()) title += " > ";
      title += level.title;
    }
    return title;
  }

  Result<void> ClosePassage() {
    if (!passages_.open()) return {};
    heading_is_empty_ = false;
    return passages_.Close(Title());
  }

  Result<void> CloseEmptyHeading() {
    if (!heading_is_empty_ || path_.empty() || path_.back().title.empty()) return {};
    heading_is_empty_ = false;
    passages_.AddLine(path_.back().title, heading_line_);
    return passages_.Close(Title());
  }

  Result<void> Heading(int level, std::string_view title, uint64_t number) {
    if (!path_.empty() && level <= path_.back().level) LOCI_TRY(CloseEmptyHeading());
    while (!path_.empty() && path_.back().level >= level) path_.pop_back();
    path_.push_back({level, std::string(title)});
    heading_is_empty_ = true;
    heading_line_ = number;
    return {};
  }

  Passages passages_;
  std::vector<Level> path_;
  bool heading_is_empty_ = false;
  uint64_t heading_line_ = 0;
  Fence fence_;
  bool in_front_matter_ = false;
};

}  // namespace

Result<void> ReadMarkdown(LineReader* lines, Reading* reading) {
  Document document(reading);
  for (std::string_view line; lines->Next(&line);) {
    LOCI_TRY(document.Line(WithoutCr(line), lines->number()));
  }
  LOCI_TRY(lines->status());
  return document.End();
}

}  // namespace loci
