// SPDX-License-Identifier: Apache-2.0
#include "double.h"

#include <algorithm>
#include <cstdlib>

#include "base/hash.h"
#include "recording_files.h"

namespace loci::faults {
namespace {

std::string IdOf(const Term& term) {
  const char kind = static_cast<char>(term.kind);
  const Hash256 hash = Sha256({std::string_view(&kind, 1), term.bytes});
  return {reinterpret_cast<const char*>(hash.data()), 16};
}

// Remembered, as digests are asked for after every step of a test.
Hash256 HashOf(const Statement& s) {
  thread_local std::map<Statement, Hash256> known;
  const auto [it, added] = known.try_emplace(s);
  if (added) {
    it->second =
        Sha256({"loci1", IdOf(s.subject), IdOf(s.relation), IdOf(s.object), IdOf(s.source)});
  }
  return it->second;
}

Term Take(Result<Term> made) {
  return made.ok() ? made.take() : Term{};
}

Statement StatementFrom(const Snapshot& snapshot, const Fact& fact, TermId source) {
  const auto own = [&](TermId id) {
    const TermView view = snapshot.Name(id);
    return Term{view.kind, std::string(view.bytes)};
  };
  return {own(fact.subject), own(fact.relation), own(fact.object), own(source)};
}

}  // namespace

Batch ToBatch(const Changes& changes) {
  Batch batch;
  for (const Change& change : changes) batch.Add(change.statement.view(), change.removed);
  return batch;
}

void Double::Apply(const Changes& changes) {
  digest_.clear();
  for (const Change& change : changes) {
    if (change.removed) {
      statements_.erase(change.statement);
    } else {
      statements_.insert(change.statement);
    }
  }
}

const std::string& Double::Digest() const {
  if (!digest_.empty()) return digest_;
  std::array<unsigned, 32> sum{};  // most significant byte first
  for (const Statement& s : statements_) {
    const Hash256 hash = HashOf(s);
    unsigned carry = 0;
    for (int i = 31; i >= 0; --i) {
      carry += sum[i] + hash[i];
      sum[i] = carry & 0xFF;
      carry >>= 8;
    }
  }
  std::string bytes;
  for (unsigned byte : sum) bytes.push_back(static_cast<char>(byte));
  return digest_ = Hex(bytes);
}

Result<std::set<Statement>> StatementsOf(const Snapshot& snapshot) {
  std::set<Statement> all;
  std::vector<TermId> subjects;
  snapshot.Subjects(&subjects);
  for (TermId subject : subjects) {
    std::vector<Edge> edges;
    snapshot.EdgesFrom(subject, &edges);
    for (const Edge& edge : edges) {
      const Fact fact{subject, edge.relation, edge.other};
      for (TermId source : snapshot.Sources(fact)) {
        all.insert(StatementFrom(snapshot, fact, source));
      }
    }
  }
  LOCI_TRY(snapshot.damage());
  return all;
}

Result<std::string> Differences(const Snapshot& snapshot, const Double& expected) {
  LOCI_ASSIGN(const std::set<Statement> found, StatementsOf(snapshot));
  const std::set<Statement>& wanted = expected.statements();
  if (found != wanted) {
    std::vector<Statement> missing, excess;
    std::set_difference(wanted.begin(), wanted.end(), found.begin(), found.end(),
                        std::back_inserter(missing));
    std::set_difference(found.begin(), found.end(), wanted.begin(), wanted.end(),
                        std::back_inserter(excess));
    std::string message = std::to_string(missing.size()) + " statements missing, " +
                          std::to_string(excess.size()) + " too many";
    for (const auto* list : {&missing, &excess}) {
      if (!list->empty()) message += "; " + ToNotation(list->front().subject);
    }
    return message;
  }
  if (snapshot.statements() != wanted.size()) return std::string("statements() differs");
  if (snapshot.digest().Hex() != expected.Digest()) return std::string("digest() differs");

  // The same facts from their other end.
  std::set<std::tuple<std::string_view, std::string_view, Kind, std::string_view>> facts, inverse;
  std::set<std::string_view> relations;
  std::set<std::pair<Kind, std::string_view>> objects;
  for (const Statement& s : wanted) {
    facts.insert({s.subject.bytes, s.relation.bytes, s.object.kind, s.object.bytes});
    relations.insert(s.relation.bytes);
    objects.insert({s.object.kind, s.object.bytes});
  }
  for (const auto& [kind, bytes] : objects) {
    const std::optional<TermId> id = snapshot.Find({kind, bytes});
    if (!id) return "an object cannot be found: " + ToNotation({kind, bytes}).substr(0, 60);
    std::vector<Edge> edges;
    snapshot.EdgesTo(*id, &edges);
    for (const Edge& edge : edges) {
      inverse.insert(
          {snapshot.Name(edge.other).bytes, snapshot.Name(edge.relation).bytes, kind, bytes});
    }
  }
  std::vector<TermId> relation_ids;
  snapshot.Relations(&relation_ids);
  LOCI_TRY(snapshot.damage());
  if (inverse != facts) return std::string("the facts by object differ from those by subject");
  if (relation_ids.size() != relations.size()) return std::string("Relations() differs");
  return std::string();
}

Result<std::string> ImageOf(const Double& knowledge) {
  auto files = std::make_shared<RecordingFiles>();
  LOCI_ASSIGN(auto store, Store::Open(files, {.create = true}));
  Batch batch;
  for (const Statement& s : knowledge.statements()) batch.Add(s.view(), false);
  LOCI_TRY(store->Apply(batch));
  LOCI_TRY(store->Consolidate(nullptr));
  LOCI_ASSIGN(const StoreStats stats, store->Stats());
  if (stats.layers.empty()) return std::string();
  if (stats.layers.size() != 1)
    return Error{ErrorKind::kDamaged, "consolidated, yet not one layer"};
  return files->Read(stats.layers[0].name, 0);
}

Term Symbol(std::string_view name) {
  return Take(MakeSymbol(name));
}
Term Text(std::string_view text) {
  return Take(MakeText(text));
}

Statement RandomStatement(std::mt19937_64& random) {
  const auto pick = [&](const char* stem, unsigned n) {
    return Symbol(stem + std::to_string(random() % n));
  };
  Statement s{pick("subject-", 30), pick("relation-", 5), {}, pick("source-", 3)};
  const unsigned n = static_cast<unsigned>(random() % 20);
  switch (random() % 6) {
    case 0:
      s.object = Text("text number " + std::to_string(n));
      break;
    case 1:
      s.object = Take(MakeTaggedText("texte " + std::to_string(n), '@', "fr"));
      break;
    case 2:
      s.object = Take(MakeNumber(std::to_string(n) + ".5"));
      break;
    case 3:
      s.object = Take(MakeDate("2024-05-" + std::to_string(10 + n)));
      break;
    case 4:
      s.object = pick("subject-", 30);
      break;
    default:
      s.object = pick("object-", 20);
      break;
  }
  return s;
}

int Scaled(int count) {
  const char* scale = std::getenv("LOCI_TEST_SCALE");
  const double factor = scale == nullptr ? 1.0 : std::strtod(scale, nullptr);
  return std::max(1, static_cast<int>(count * factor));
}

}  // namespace loci::faults
