// SPDX-License-Identifier: Apache-2.0
//
// Xapian as its guide would have it: the English stemmer, titles twice, the passage's name as the
// document's data, a cue's words that say something joined by OR, BM25.
#include <xapian.h>

#include "engine.h"
#include "must.h"

namespace loci::bench {
namespace {

class XapianEngine : public Engine {
 public:
  void Index(const std::string& directory, const std::string& path) override {
    Xapian::WritableDatabase database(path, Xapian::DB_CREATE);
    Xapian::TermGenerator generator;
    generator.set_stemmer(Xapian::Stem("en"));
    ForEachPassage(directory, [&](const Passage& passage) {
      Xapian::Document document;
      generator.set_document(document);
      generator.index_text(std::string(passage.title), 2);
      generator.increase_termpos();
      generator.index_text(std::string(passage.text));
      document.set_data(std::string(passage.id));
      database.add_document(document);
    });
    database.commit();
  }

  void Open(const std::string& path) override {
    database_ = std::make_unique<Xapian::Database>(path);
    enquire_ = std::make_unique<Xapian::Enquire>(*database_);
    enquire_->set_weighting_scheme(Xapian::BM25Weight());
    parser_.set_stemmer(Xapian::Stem("en"));
    parser_.set_stemming_strategy(Xapian::QueryParser::STEM_SOME);
    parser_.set_default_op(Xapian::Query::OP_OR);
  }

  size_t Ask(const std::string& cue) override {
    std::string words;
    for (const std::string& word : SayingWords(cue)) words += word + " ";
    enquire_->set_query(parser_.parse_query(words, 0));
    size_t hits = 0;
    const Xapian::MSet found = enquire_->get_mset(0, kHits);
    for (auto hit = found.begin(); hit != found.end(); ++hit) {
      hits += !hit.get_document().get_data().empty();
    }
    return hits;
  }

 private:
  std::unique_ptr<Xapian::Database> database_;
  std::unique_ptr<Xapian::Enquire> enquire_;
  Xapian::QueryParser parser_;
};

}  // namespace

std::unique_ptr<Engine> MakeXapian() {
  return std::make_unique<XapianEngine>();
}

}  // namespace loci::bench
