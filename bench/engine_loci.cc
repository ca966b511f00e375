// SPDX-License-Identifier: Apache-2.0
//
// Loci, as `loci learn` and `loci consolidate` fill a memory; and the passages that all engines
// get.
#include <set>

#include "engine.h"
#include "formats/format.h"
#include "memory/batch_loader.h"
#include "must.h"
#include "recall/recall.h"
#include "store/store.h"
#include "text/stemmer.h"
#include "text/tokens.h"

namespace loci::bench {
namespace {

void Done(const Result<void>& result) {
  if (!result.ok()) Fail(result.error().message);
}

class Loci : public Engine {
 public:
  explicit Loci(bool associate) {
    options_.associate = associate;
    options_.most = kHits;
  }

  void Index(const std::string& directory, const std::string& path) override {
    struct Sink : StatementSink {
      Result<void> Add(const StatementView& statement) override {
        loader.Learn(statement);
        return {};
      }
      Batch batch;
      BatchLoader loader{&batch};
    } sink;
    Must(ReadStatements(directory, {}, &sink));
    sink.loader.Flush();
    const auto store = Must(Store::Open(path, {.create = true}));
    Must(store->Apply(sink.batch));
    Done(store->Consolidate({}));
  }

  void Open(const std::string& path) override {
    store_ = Must(Store::Open(path, {.read_only = true}));
    snapshot_ = Must(store_->Read());
  }

  size_t Ask(const std::string& cue) override {
    const auto ranking = Must(recall::Recall(snapshot_, cue, options_));
    const size_t hits = std::min(ranking.hits().size(), kHits);
    for (size_t i = 0; i < hits; ++i)
      bytes_ += snapshot_->Name(ranking.hits()[i].item).bytes.size();
    return hits;
  }

 private:
  recall::Options options_;
  std::unique_ptr<Store> store_;
  std::shared_ptr<const Snapshot> snapshot_;
  size_t bytes_ = 0;
};

}  // namespace

void ForEachPassage(const std::string& directory, const std::function<void(const Passage&)>& use) {
  // Statements of one passage come one after another.
  struct Sink : StatementSink {
    explicit Sink(const std::function<void(const Passage&)>& u) : use(u) {}
    Result<void> Add(const StatementView& s) override {
      if (s.subject.bytes != id) {
        Finish();
        id = s.subject.bytes;
      }
      if (s.relation.bytes == "title") title = s.object.bytes;
      if (s.relation.bytes == "text") text = s.object.bytes;
      return {};
    }
    void Finish() {
      if (!title.empty() || !text.empty()) use({id, title, text});
      title.clear();
      text.clear();
    }
    const std::function<void(const Passage&)>& use;
    std::string id, title, text;
  } sink(use);
  Must(ReadStatements(directory, {}, &sink));
  sink.Finish();
}

std::vector<std::string> SayingWords(const std::string& cue) {
  const Stemmer stemmer = Must(Stemmer::Make(kDefaultStemmer));
  Tokens tokens;
  Tokenize(cue, &tokens);
  std::set<std::string> words;
  for (const Token& token : tokens.list()) {
    const std::string_view word = tokens.Folded(token);
    if (!stemmer.IsStop(word)) words.emplace(word);
  }
  return {words.begin(), words.end()};
}

std::unique_ptr<Engine> MakeLoci(bool associate) {
  return std::make_unique<Loci>(associate);
}

}  // namespace loci::bench
