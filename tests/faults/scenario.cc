// SPDX-License-Identifier: Apache-2.0
#include "scenario.h"

#include <algorithm>

namespace loci::faults {
namespace {

constexpr size_t kLargeText = 400'000;

Statement Plain(const std::string& subject, const std::string& object) {
  return {Symbol(subject), Symbol("is"), Symbol(object), Symbol("scenario")};
}

// Few words and many signs between them: it is to be large, not to be long in indexing.
std::string LargeText(uint64_t seed) {
  constexpr char kSigns[] = "!$%&()*-/:;<=>^_";
  std::mt19937_64 random(seed);
  std::string text;
  while (text.size() < kLargeText) {
    text += "word" + std::to_string(random() % 100000) + ' ';
    for (int i = 0; i < 64; ++i) {
      for (uint64_t bits = random(), n = 0; n < 16; ++n, bits >>= 4) text += kSigns[bits & 15];
    }
  }
  return text;
}

Changes Large(const std::string& who, uint64_t seed, int count, bool removed) {
  Changes changes;
  for (int i = 0; i < count; ++i) {
    changes.push_back({{Symbol(who + "-large"), Symbol("text"), Text(LargeText(3 * seed + i)),
                        Symbol("scenario-" + who)},
                       removed});
  }
  return changes;
}

Changes Some(std::mt19937_64& random, int count, bool removed) {
  Changes changes;
  for (int i = 0; i < count; ++i) changes.push_back({RandomStatement(random), removed});
  return changes;
}

Changes With(Changes a, const Changes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Changes Reversed(Changes changes) {
  for (Change& change : changes) change.removed = !change.removed;
  return changes;
}

}  // namespace

Changes LargeTexts(int count, bool removed) {
  return Large("a", 1, count, removed);
}

std::vector<Step> SmallScenario() {
  std::mt19937_64 random(7);
  const Changes first = Some(random, 6, false), second = Some(random, 5, false);
  const Changes dog = {{Plain("dog", "animal"), false}};
  return {{Step::kApply, first},
          {Step::kApply, With(second, {first[0]})},
          {Step::kApply, Reversed({first[1], second[2]})},
          {Step::kApply, LargeTexts(2, false)},
          {Step::kApply, With(LargeTexts(2, true), Reversed({first[3]}))},
          {Step::kApply, dog},
          {Step::kReopen, {}},
          {Step::kApply, With(LargeTexts(3, false), Reversed({second[0]}))},
          {Step::kApply, With(LargeTexts(3, true), Some(random, 4, false))},
          {Step::kConsolidate, {}},
          {Step::kApply, {{Plain("cat", "animal"), false}}},
          {Step::kApply, Reversed(dog)},
          {Step::kConsolidate, {}},
          {Step::kReopen, {}},
          {Step::kApply, With(Some(random, 3, false), dog)}};
}

std::vector<Step> ManyStatements() {
  std::vector<Step> steps = {{Step::kApply, {{Plain("before", "all"), false}}}};
  Changes many;
  for (int i = 0; i < 1500; ++i) {
    many.push_back({Plain("thing " + std::to_string(i), "object " + std::to_string(i % 7)), false});
    if (many.size() == 500) steps.push_back({Step::kApply, std::exchange(many, {})});
  }
  for (int i = 0; i < 3000; ++i) many.push_back({Plain("item " + std::to_string(i), "x"), false});
  steps.push_back({Step::kApply, std::exchange(many, {})});
  steps.push_back({Step::kApply, {{Plain("after", "seal"), false}, {Plain("item 7", "x"), true}}});
  steps.push_back({Step::kConsolidate, {}});
  return steps;
}

Step LifeStep(const std::string& who, unsigned seed, unsigned n) {
  const auto batch = [&](unsigned m) {
    std::mt19937_64 random((uint64_t{seed} << 32) + m);
    Changes changes;
    const uint64_t count = 1 + random() % 12;
    for (uint64_t i = 0; i < count; ++i) {
      Statement s = RandomStatement(random);
      s.subject = Symbol(who + " " + s.subject.bytes);
      changes.push_back({std::move(s), false});
    }
    return changes;
  };
  std::mt19937_64 random((uint64_t{seed} << 32) + n + 0x80000000u);
  const uint64_t dice = random() % 100;
  if (dice < 3) return {Step::kConsolidate, {}};
  if (dice < 9) return {Step::kApply, Large(who, random() % 4, 3, random() % 2 == 0)};
  if (dice < 30 && n > 0) {
    const auto back = static_cast<unsigned>(random() % std::min(n, 40u));
    return {Step::kApply, With(Reversed(batch(n - 1 - back)), batch(n))};
  }
  return {Step::kApply, batch(n)};
}

Result<void> Do(const Step& step, const std::shared_ptr<FileSystem>& files,
                std::unique_ptr<Store>* store) {
  switch (step.kind) {
    case Step::kApply:
      LOCI_TRY((*store)->Apply(ToBatch(step.changes)));
      break;
    case Step::kConsolidate:
      return (*store)->Consolidate(nullptr);
    case Step::kReopen: {
      store->reset();
      LOCI_ASSIGN(*store, Store::Open(files, {}));
      break;
    }
  }
  return {};
}

Result<size_t> StateOf(Store* store, const std::vector<Double>& states, size_t first, size_t last) {
  LOCI_ASSIGN(const auto snapshot, store->Read());
  std::string differences;
  for (size_t i = first; i <= last && i < states.size(); ++i) {
    LOCI_ASSIGN(const std::string difference, Differences(*snapshot, states[i]));
    if (difference.empty()) return i;
    differences += " from state " + std::to_string(i) + ": " + difference + ";";
  }
  return Error{ErrorKind::kDamaged, "the memory is in none of its states:" + differences};
}

Result<Opened> OpenIn(const std::shared_ptr<FileSystem>& files, const StoreOptions& options,
                      const std::vector<Double>& states, size_t first, size_t last) {
  Opened opened;
  LOCI_ASSIGN(opened.store, Store::Open(files, options));
  LOCI_ASSIGN(opened.state, StateOf(opened.store.get(), states, first, last));
  LOCI_TRY(opened.store->Check(nullptr));
  return opened;
}

}  // namespace loci::faults
