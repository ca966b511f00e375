// SPDX-License-Identifier: Apache-2.0
#include "eval/trec.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "base/unicode.h"
#include "eval/lines.h"

namespace loci::eval {
namespace {

constexpr std::string_view kForm = "write query Q0 document rank score tag";

// From -1e30 to 1e30: as floats, what ties there can still be lowered step by step.
bool ParseScore(std::string_view field, float* score) {
  constexpr double kMost = 1e30;
  double value = 0;
  const auto [stop, code] = std::from_chars(field.data(), field.data() + field.size(), value);
  *score = static_cast<float>(value);
  return code == std::errc() && stop == field.data() + field.size() && std::abs(value) <= kMost;
}

bool Before(const Hit& a, const Hit& b) {
  return a.score != b.score ? a.score > b.score : a.document > b.document;
}

}  // namespace

Result<void> CheckTrecId(std::string_view id) {
  if (FieldsBySpace(id).size() == 1 && id.find_first_of(" \t\r\n") == std::string_view::npos) {
    return {};
  }
  return Error{ErrorKind::kUnsupported,
               fmt::format("the id \"{}\" has a space, which TREC's files have no place for; "
                           "give it another",
                           Excerpt(id, 40))};
}

void AppendRun(const std::string& query, const std::vector<Hit>& hits, std::string_view tag,
               std::string* out) {
  float last = std::numeric_limits<float>::infinity();
  for (size_t i = 0; i < hits.size(); ++i) {
    last = std::min(hits[i].score, std::nextafter(last, -std::numeric_limits<float>::infinity()));
    *out += fmt::format("{} Q0 {} {} {} {}\n", query, hits[i].document, i + 1, last, tag);
  }
}

void AppendQrels(const std::string& query, const Grades& grades, std::string* out) {
  for (const auto& [document, grade] : grades) {
    *out += fmt::format("{} 0 {} {}\n", query, document, grade);
  }
}

Result<Run> ReadRun(const std::string& path) {
  Run run;
  std::set<std::pair<std::string, std::string>> known;
  LOCI_TRY(
      EachLine(path, [&](std::string_view line, uint64_t number, Reading* reading) -> Result<void> {
        const std::vector<Field> fields = FieldsBySpace(line);
        if (fields.size() != 6) {
          return reading->Bad(
              number, 0,
              fmt::format("\"{}\" has {} fields, not 6; {}", Excerpt(line), fields.size(), kForm));
        }
        Hit hit;
        if (!ParseScore(fields[4].text, &hit.score)) {
          return reading->BadAt(number, line, fields[4].offset,
                                fmt::format("\"{}\" is not a number from -1e30 to 1e30; {}",
                                            Excerpt(fields[4].text, 20), kForm));
        }
        // Ids as the task's files have them: names in normal form.
        LOCI_ASSIGN(const Term query, MakeSymbol(fields[0].text));
        LOCI_ASSIGN(Term document, MakeSymbol(fields[2].text));
        hit.document = std::move(document.bytes);
        if (!known.emplace(query.bytes, hit.document).second) {
          return reading->BadAt(
              number, line, fields[2].offset,
              fmt::format("the document {} was there before for the query {}; leave "
                          "out one of the two",
                          Excerpt(hit.document, 40), Excerpt(query.bytes, 40)));
        }
        run[query.bytes].push_back(std::move(hit));
        return {};
      }));
  for (auto& [query, hits] : run) std::sort(hits.begin(), hits.end(), Before);
  return run;
}

}  // namespace loci::eval
