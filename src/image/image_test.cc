// SPDX-License-Identifier: Apache-2.0
//
// Reader and writer against maps and sets: every call on an image gives what the statements that it
// was written from say.
#include "image/image.h"

#include <gtest/gtest.h>

#include "image/testing.h"

namespace loci {
namespace {

using test::Opened;
using test::Random;
using test::RandomStatement;
using test::Said;
using test::Statement;
using test::Symbol;
using test::TermLess;
using test::Vocabulary;

constexpr char kSettings[] = "effort 3\nunicode 15.0.0\n";

// What an image should answer, worked out statement by statement.
struct Expected {
  using Edges = std::set<std::pair<uint32_t, LocalId>>;  // (dense relation, other end)

  std::vector<Term> terms;
  std::vector<LocalId> relations, sources;
  std::map<LocalId, Edges> row, inverse;
  std::map<std::vector<LocalId>, std::map<LocalId, bool>> sets;  // of (subject, dense, object)
  uint64_t learned = 0, removed = 0;
  Sum256 digest;

  explicit Expected(const Said& said) {
    std::set<Term, TermLess> all, relation_names, source_names;
    for (const auto& [s, is_removed] : said) {
      all.insert({s.subject, s.relation, s.object, s.source});
      relation_names.insert(s.relation);
      source_names.insert(s.source);
    }
    terms.assign(all.begin(), all.end());
    for (const Term& name : relation_names) relations.push_back(Number(name));
    for (const Term& name : source_names) sources.push_back(Number(name));
    for (const auto& [s, is_removed] : said) {
      const LocalId subject = Number(s.subject), object = Number(s.object);
      const auto dense = static_cast<uint32_t>(
          std::lower_bound(relations.begin(), relations.end(), Number(s.relation)) -
          relations.begin());
      row[subject].insert({dense, object});
      inverse[object].insert({dense, subject});
      sets[{subject, dense, object}][Number(s.source)] = is_removed;
      ++(is_removed ? removed : learned);
      const Hash256 hash = StatementHash(s.view());
      is_removed ? digest.Subtract(hash) : digest.Add(hash);
    }
  }

  LocalId Number(const Term& term) const {
    return static_cast<LocalId>(std::lower_bound(terms.begin(), terms.end(), term, TermLess()) -
                                terms.begin());
  }
};

void ExpectTerms(const Image& image, const Expected& e) {
  ASSERT_EQ(image.terms(), e.terms.size());
  for (LocalId t = 0; t < image.terms(); ++t) {
    ASSERT_EQ(image.Name(t), e.terms[t].view());
    ASSERT_EQ(image.KindOf(t), e.terms[t].kind);
    ASSERT_EQ(image.Id(t), NameId(e.terms[t]));
    ASSERT_EQ(image.Find(e.terms[t]), t);
    ASSERT_EQ(t >= image.first_symbol(), e.terms[t].kind == Kind::kSymbol);
    for (Kind other : {Kind::kNumber, Kind::kText, Kind::kSymbol}) {
      const Term absent{other, e.terms[t].bytes + "!"};
      const bool known = std::binary_search(e.terms.begin(), e.terms.end(), absent, TermLess());
      ASSERT_EQ(image.Find(absent).has_value(), known);
    }
  }
}

void ExpectRelations(const Image& image, const Expected& e) {
  ASSERT_EQ(image.relations(), e.relations.size());
  std::vector<std::set<LocalId>> subjects(e.relations.size()), objects(e.relations.size());
  std::vector<uint32_t> facts(e.relations.size());
  for (const auto& [subject, edges] : e.row) {
    for (const auto& [relation, object] : edges) {
      subjects[relation].insert(subject);
      objects[relation].insert(object);
      ++facts[relation];
    }
  }
  for (uint32_t r = 0; r < image.relations(); ++r) {
    ASSERT_EQ(image.RelationTerm(r), e.relations[r]);
    ASSERT_EQ(image.RelationFacts(r), facts[r]);
    ASSERT_EQ(image.RelationObjects(r), objects[r].size());
    std::vector<LocalId> listed;
    const Range entries = image.RelationSubjects(r);
    for (uint32_t i = entries.begin; i < entries.end; ++i) {
      listed.push_back(image.SubjectOfRelation(i));
    }
    ASSERT_EQ(listed, std::vector<LocalId>(subjects[r].begin(), subjects[r].end()));
  }
  for (LocalId t = 0; t < image.terms(); ++t) {
    const auto at = std::lower_bound(e.relations.begin(), e.relations.end(), t);
    const bool is = at != e.relations.end() && *at == t;
    ASSERT_EQ(image.FindRelation(t), is ? std::optional(at - e.relations.begin()) : std::nullopt);
  }
}

// Each edge by itself, and how far the entries of its relation reach.
template <class RowOf, class Part, class At>
void ExpectEdges(const Expected::Edges& edges, RowOf whole, Part part, At at) {
  const Range range = whole();
  ASSERT_EQ(range.size(), edges.size());
  uint32_t i = range.begin;
  for (auto edge = edges.begin(); edge != edges.end(); ++edge, ++i) {
    ASSERT_EQ(at(i), *edge);
    const Range same = part(edge->first);
    ASSERT_TRUE(same.begin <= i && i < same.end);
    ASSERT_EQ(same.begin == i, edge == edges.begin() || std::prev(edge)->first != edge->first);
    ASSERT_EQ(same.end == i + 1,
              std::next(edge) == edges.end() || std::next(edge)->first != edge->first);
  }
}

void ExpectFacts(const Image& image, const Expected& e, Random& random) {
  const auto of = [](const auto& map, LocalId t) {
    const auto it = map.find(t);
    return it == map.end() ? Expected::Edges() : it->second;
  };
  for (LocalId t = 0; t < image.terms(); ++t) {
    ExpectEdges(
        of(e.row, t), [&] { return image.Row(t); }, [&](uint32_t r) { return image.Row(t, r); },
        [&](uint32_t f) { return std::pair(image.FactRelation(f), image.FactObject(f)); });
    ExpectEdges(
        of(e.inverse, t), [&] { return image.Inverse(t); },
        [&](uint32_t r) { return image.Inverse(t, r); },
        [&](uint32_t i) { return std::pair(image.InverseRelation(i), image.InverseSubject(i)); });
    if (::testing::Test::HasFatalFailure()) return;
  }
  ASSERT_EQ(image.facts(), e.sets.size());
  for (const auto& [key, sources] : e.sets) {
    const auto fact = image.FindFact(key[0], key[1], key[2]);
    ASSERT_TRUE(fact.has_value());
    const uint32_t set = image.FactSet(*fact);
    ASSERT_EQ(image.SetSize(set), sources.size());
    uint32_t i = 0;
    for (const auto& [source, removed] : sources) {
      const SourceMark mark = image.SetMember(set, i++);
      ASSERT_EQ(mark.source, source);
      ASSERT_EQ(mark.removed, removed);
      ASSERT_EQ(image.FindInSet(set, source)->removed, removed);
    }
    ASSERT_EQ(image.FindInSet(set, key[2]).has_value(), sources.contains(key[2]));
    const std::vector<LocalId> other{key[0], static_cast<uint32_t>(random() % e.relations.size()),
                                     static_cast<LocalId>(random() % image.terms())};
    ASSERT_EQ(image.FindFact(other[0], other[1], other[2]).has_value(), e.sets.contains(other));
  }
}

void ExpectImage(const Said& said, uint64_t seed = 1) {
  const std::string bytes = test::WriteSlowly(said, kSettings);
  const auto image = Opened(bytes);
  ASSERT_NE(image, nullptr);
  const Expected e(said);
  Random random(seed);
  ExpectTerms(*image, e);
  ExpectRelations(*image, e);
  ExpectFacts(*image, e, random);
  if (::testing::Test::HasFatalFailure()) return;
  ASSERT_EQ(image->sources(), e.sources.size());
  for (uint32_t i = 0; i < image->sources(); ++i) ASSERT_EQ(image->SourceTerm(i), e.sources[i]);
  ASSERT_EQ(image->header().learned_statements, e.learned);
  ASSERT_EQ(image->header().removed_statements, e.removed);
  ASSERT_EQ(image->has_removed(), e.removed != 0);
  ASSERT_EQ(image->digest(), e.digest);
  ASSERT_EQ(image->settings(), kSettings);
  ASSERT_EQ(image->header().length, bytes.size());
  const Result<void> verified = image->Verify();
  ASSERT_TRUE(verified.ok()) << verified.error().message;
  ASSERT_TRUE(image->damage().ok());
}

TEST(ImageTest, AnswersAsTheStatementsSay) {
  Random random(1);
  for (int round = 0; round < 40; ++round) {
    Said said;
    const Vocabulary v{static_cast<unsigned>(1 + random() % 40), 1 + round % 7u,
                       static_cast<unsigned>(1 + random() % 40), 1 + round % 5u};
    const size_t statements = random() % 400;
    for (size_t i = 0; i < statements; ++i) {
      said[RandomStatement(random, v)] = round % 2 && random() % 3 == 0;
    }
    ExpectImage(said, round);
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

TEST(ImageTest, OfNothing) {
  ExpectImage({});
  const auto image = Opened(test::WriteSlowly({}));
  EXPECT_EQ(image->terms(), 0u);
  EXPECT_EQ(image->Find(Symbol("dog")), std::nullopt);
  EXPECT_TRUE(image->Row(0).empty());
  EXPECT_TRUE(image->Inverse(0).empty());
  EXPECT_EQ(image->FindRelation(0), std::nullopt);
  EXPECT_TRUE(image->damage().ok());
}

// n facts (s of i / 2, r of i, o of i % 1000), each with a set of sources of its own (a of i / 256
// and b of i % 256), by a draft in closed form: the names are numbered as they sort.
class Wide {
 public:
  explicit Wide(uint32_t n) : facts_(n) {
    const uint32_t counts[] = {(n + 255) / 256, std::min(n, 256u), std::min(n, 1000u), n,
                               (n + 1) / 2};
    for (int part = 0; part < 5; ++part) {
      first_[part] = static_cast<LocalId>(names_.size());
      for (uint32_t i = 0; i < counts[part]; ++i) {
        std::string digits = std::to_string(i);
        names_.push_back("abors"[part] + std::string(6 - digits.size(), '0') + digits);
      }
    }
  }
  LocalId a(uint32_t i) const { return first_[0] + i / 256; }
  LocalId b(uint32_t i) const { return first_[1] + i % 256; }
  LocalId o(uint32_t i) const { return first_[2] + i % 1000; }
  LocalId r(uint32_t i) const { return first_[3] + i; }
  LocalId s(uint32_t i) const { return first_[4] + i / 2; }

  std::string Write() const {
    ImageDraft draft;
    draft.terms[3] = static_cast<uint32_t>(names_.size());
    draft.name = [this](LocalId t) { return TermView{Kind::kSymbol, names_[t]}; };
    draft.id = [this](LocalId t) { return NameId({Kind::kSymbol, names_[t]}); };
    draft.row_offsets.assign(first_[4] + 1, 0);
    for (uint32_t i = 0; i < facts_; ++i) {
      draft.relation.push_back(r(i));
      draft.object.push_back(o(i));
      draft.set.push_back(draft.sets.Intern(std::vector<uint64_t>{a(i) * 2, b(i) * 2}));
      if (i % 2 == 1 || i + 1 == facts_) draft.row_offsets.push_back(i + 1);
      for (LocalId source : {a(i), b(i)}) {
        draft.digest.Add(
            StatementHash(draft.id(s(i)), draft.id(r(i)), draft.id(o(i)), draft.id(source)));
      }
    }
    StringSink sink;
    EXPECT_TRUE(WriteImage(draft, &sink).ok());
    return sink.take();
  }

 private:
  const uint32_t facts_;
  std::vector<std::string> names_;
  LocalId first_[5];
};

// As many as each width holds, and one more.
TEST(ImageTest, ColumnsWidenWithWhatTheyHold) {
  for (const uint32_t n : {255u, 256u, 65535u, 65536u}) {
    const Wide wide(n);
    const auto image = Opened(wide.Write());
    ASSERT_NE(image, nullptr);
    ASSERT_EQ(image->relations(), n);
    ASSERT_EQ(image->sets(), n);
    const auto width = [&](Section section) {
      return Load<SectionEntry>(image->bytes().data() + sizeof(ImageHeader) +
                                section * sizeof(SectionEntry))
          .width;
    };
    const auto narrow = [](uint64_t largest) {
      return largest < 256 ? 1u : largest < 65536 ? 2u : 4u;
    };
    EXPECT_EQ(width(kRowRelations), narrow(n));
    EXPECT_EQ(width(kRowSets), narrow(n));
    EXPECT_EQ(width(kInverseOffsets), narrow(n));
    EXPECT_EQ(width(kRowObjects), narrow(image->terms()));
    EXPECT_EQ(width(kSetMembers), narrow(image->sources() * 2 - 1));
    for (uint32_t i = 0; i < n; i += n / 255) {
      const auto dense = image->FindRelation(wide.r(i));
      ASSERT_EQ(dense, i);
      ASSERT_EQ(image->FindFact(wide.s(i), i, wide.o(i)), i);
      ASSERT_EQ(image->InverseSubject(image->Inverse(wide.o(i), i).begin), wide.s(i));
      ASSERT_EQ(image->SetSize(image->FactSet(i)), 2u);
      ASSERT_TRUE(image->FindInSet(image->FactSet(i), wide.a(i)));
      ASSERT_TRUE(image->FindInSet(image->FactSet(i), wide.b(i)));
    }
    const Result<void> verified = image->Verify();
    ASSERT_TRUE(verified.ok()) << verified.error().message;
  }
}

TEST(ImageTest, AsksOutsideOfItGiveNothingAndAreNoted) {
  const auto make = [] {
    Random random(5);
    Said said;
    for (int i = 0; i < 20; ++i) said[RandomStatement(random)] = false;
    return Opened(test::WriteSlowly(said));
  };
  const auto expect_noted = [&](auto ask) {
    const auto image = make();
    ask(*image);
    const Result<void> damage = image->damage();
    ASSERT_FALSE(damage.ok());
    EXPECT_EQ(damage.error().kind, ErrorKind::kDamaged);
  };
  for (const uint32_t far : {100000u, UINT32_MAX}) {
    expect_noted([&](const Image& i) { EXPECT_TRUE(i.Name(far).bytes.empty()); });
    expect_noted([&](const Image& i) { EXPECT_EQ(i.Id(far), Hash128()); });
    expect_noted([&](const Image& i) { EXPECT_EQ(i.RelationTerm(far), 0u); });
    expect_noted([&](const Image& i) { EXPECT_EQ(i.RelationFacts(far), 0u); });
    expect_noted([&](const Image& i) { EXPECT_EQ(i.RelationObjects(far), 0u); });
    expect_noted([&](const Image& i) { EXPECT_TRUE(i.RelationSubjects(far).empty()); });
    expect_noted([&](const Image& i) { EXPECT_EQ(i.SetSize(far), 0u); });
    expect_noted([&](const Image& i) { EXPECT_EQ(i.SourceTerm(far), 0u); });
    const auto image = make();  // a term of another layer may well be unknown here
    EXPECT_TRUE(image->Row(far).empty());
    EXPECT_TRUE(image->Inverse(far).empty());
    EXPECT_EQ(image->FindRelation(far), std::nullopt);
    EXPECT_TRUE(image->damage().ok());
  }
}

}  // namespace
}  // namespace loci
