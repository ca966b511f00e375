// SPDX-License-Identifier: Apache-2.0
#include "store/upgrade.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "base/unicode.h"

namespace loci {
namespace {

// The numbers of "15.0.0"; nothing where it is not of that form.
std::optional<std::vector<int>> ParseVersion(std::string_view text) {
  std::vector<int> numbers;
  for (const char *at = text.data(), *const end = at + text.size();; ++at) {
    int number = 0;
    const auto [stop, code] = std::from_chars(at, end, number);
    if (code != std::errc() || number < 0) return std::nullopt;
    numbers.push_back(number);
    if (stop == end) return numbers;
    if (*stop != '.') return std::nullopt;
    at = stop;
  }
}

// What the settings say where it is not what the program has.
std::optional<std::string> OtherUnicode(const Settings& settings) {
  const auto found = settings.find(kUnicodeSetting);
  if (found == settings.end() || found->second == ProgramUnicode()) return std::nullopt;
  return found->second;
}

// What is not known to be older is newer: it may have names that this program cannot judge.
bool IsOlder(const std::string& unicode) {
  const auto version = ParseVersion(unicode);
  return version && *version < *ParseVersion(ProgramUnicode());
}

Error TooNew(const std::string& unicode, const std::string& root) {
  return {ErrorKind::kUnsupported,
          fmt::format("{} is of Unicode {}, this program has {}: it can be read, and written only "
                      "by a program that has the newer one",
                      root, Excerpt(unicode), ProgramUnicode())};
}

Result<Term> Normalized(TermView term) {
  if (term.kind == Kind::kSymbol) return MakeSymbol(term.bytes);
  if (term.kind == Kind::kText) {
    const TextParts parts = SplitText(term.bytes);
    if (parts.tag_kind == '^') return MakeTaggedText(parts.text, parts.tag_kind, parts.tag);
  }
  return Term{term.kind, std::string(term.bytes)};
}

bool MayChange(TermView term) {
  const bool has_name = term.kind == Kind::kSymbol || term.kind == Kind::kText;
  return has_name && !IsPlainlyNfc(term.bytes);
}

constexpr uint64_t kBetweenCalls = 1 << 14;  // terms or facts from one call of progress to the next

Result<void> Tell(const ProgressFn& progress, uint64_t done, uint64_t total) {
  if (!progress || done % kBetweenCalls != 0 || progress("normalizing", done, total)) return {};
  return Error{ErrorKind::kCancelled, "interrupted; the memory is as it was"};
}

// Terms of a snapshot in their new form, each normalized once.
class Names {
 public:
  Names(const Snapshot& snapshot, Batch* batch) : snapshot_(snapshot), batch_(batch) {}

  Result<Batch::Ref> operator()(TermId id) {
    const auto found = refs_.find(id);
    if (found != refs_.end()) return found->second;
    const TermView name = snapshot_.Name(id);
    Batch::Ref ref;
    if (MayChange(name)) {
      LOCI_ASSIGN(Term normal, Normalized(name));
      ref = batch_->Intern(normal);
      if (normal != Term{name.kind, std::string(name.bytes)}) {
        renamed_.emplace_back(Term{name.kind, std::string(name.bytes)}, std::move(normal));
      }
    } else {
      ref = batch_->Intern(name);
    }
    refs_.emplace(id, ref);
    return ref;
  }

  std::vector<std::pair<Term, Term>> TakeRenamed() {
    std::sort(renamed_.begin(), renamed_.end(),
              [](const auto& a, const auto& b) { return CompareTerms(a.first, b.first) < 0; });
    return std::move(renamed_);
  }

 private:
  const Snapshot& snapshot_;
  Batch* batch_;
  std::unordered_map<TermId, Batch::Ref> refs_;
  std::vector<std::pair<Term, Term>> renamed_;
};

}  // namespace

std::string ProgramUnicode() {
  return utf8proc_unicode_version();
}

Result<void> CheckUnicode(const Settings& settings, const std::string& root) {
  const auto other = OtherUnicode(settings);
  if (!other) return {};
  if (!IsOlder(*other)) return TooNew(*other, root);
  return Error{ErrorKind::kUnsupported,
               fmt::format("{} is of Unicode {}, this program has {}: it can be read; before it is "
                           "written or checked, `loci upgrade {}` must normalize its names anew",
                           root, *other, ProgramUnicode(), root)};
}

Result<void> CheckUpgradable(const Settings& settings, const std::string& root) {
  const auto other = OtherUnicode(settings);
  if (other && !IsOlder(*other)) return TooNew(*other, root);
  return {};
}

Result<bool> AnyNameChanges(const Snapshot& snapshot, const ProgressFn& progress) {
  uint64_t done = 0, total = 0;
  for (const auto& layer : snapshot.layers()) total += layer->terms();
  for (const auto& layer : snapshot.layers()) {
    for (LocalId id = 0; id < layer->terms(); ++id) {
      LOCI_TRY(Tell(progress, ++done, total));
      const TermView name = layer->Name(id);
      if (!MayChange(name)) continue;
      LOCI_ASSIGN(const Term normal, Normalized(name));
      if (normal.bytes != name.bytes) return true;
    }
    LOCI_TRY(layer->damage());
  }
  return false;
}

Result<Batch> Renormalize(const Snapshot& snapshot, const ProgressFn& progress,
                          std::vector<std::pair<Term, Term>>* renamed) {
  Batch batch;
  Names names(snapshot, &batch);
  std::vector<TermId> subjects;
  snapshot.Subjects(&subjects);
  std::vector<Edge> edges;
  for (size_t i = 0; i < subjects.size(); ++i) {
    LOCI_TRY(Tell(progress, i + 1, subjects.size()));
    LOCI_ASSIGN(const Batch::Ref subject, names(subjects[i]));
    edges.clear();
    snapshot.EdgesFrom(subjects[i], &edges);
    for (const Edge& edge : edges) {
      LOCI_ASSIGN(const Batch::Ref relation, names(edge.relation));
      LOCI_ASSIGN(const Batch::Ref object, names(edge.other));
      for (TermId id : snapshot.Sources({subjects[i], edge.relation, edge.other})) {
        LOCI_ASSIGN(const Batch::Ref source, names(id));
        batch.Add(Batch::Row{subject, relation, object, source}, false);
      }
    }
  }
  LOCI_TRY(snapshot.damage());
  *renamed = names.TakeRenamed();
  return batch;
}

}  // namespace loci
