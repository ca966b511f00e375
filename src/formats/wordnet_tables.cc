// SPDX-License-Identifier: Apache-2.0
#include "formats/wordnet_tables.h"

#include <iterator>

namespace loci {
namespace {

constexpr PartInfo kPartInfo[kParts] = {
    {'n', "noun", "noun", "noun_base_form"},
    {'v', "verb", "verb", "verb_base_form"},
    {'a', "adj", "adjective", "adjective_base_form"},
    {'r', "adv", "adverb", "adverb_base_form"},
};

// Read "the <relation> of <source> is <target>": hypernym(dog.n.01, canine.n.02).
struct PointerInfo {
  std::string_view symbol;
  std::string_view parts;  // the letters of those that have it
  std::string_view relation;
};
constexpr PointerInfo kPointers[] = {
    {"!", "nvar", "antonym"},
    {"@", "nv", "hypernym"},
    {"@i", "n", "instance_hypernym"},
    {"~", "nv", "hyponym"},
    {"~i", "n", "instance_hyponym"},
    {"#m", "n", "member_holonym"},
    {"#s", "n", "substance_holonym"},
    {"#p", "n", "part_holonym"},
    {"%m", "n", "member_meronym"},
    {"%s", "n", "substance_meronym"},
    {"%p", "n", "part_meronym"},
    {"=", "na", "attribute"},
    {"+", "nvar", "derivationally_related"},
    {"*", "v", "entailment"},
    {">", "v", "cause"},
    {"^", "va", "also_see"},
    {"$", "v", "verb_group"},
    {"&", "a", "similar_to"},
    {"<", "a", "participle_of"},
    {"\\", "a", "pertainym"},
    {"\\", "r", "derived_from_adjective"},
    {";c", "nvar", "domain_topic"},
    {";r", "nvar", "domain_region"},
    {";u", "nvar", "domain_usage"},
    {"-c", "n", "member_of_domain_topic"},
    {"-r", "n", "member_of_domain_region"},
    {"-u", "n", "member_of_domain_usage"},
};

constexpr std::string_view kLexicalFiles[] = {
    "adj.all",          "adj.pert",           "adv.all",
    "noun.Tops",        "noun.act",           "noun.animal",
    "noun.artifact",    "noun.attribute",     "noun.body",
    "noun.cognition",   "noun.communication", "noun.event",
    "noun.feeling",     "noun.food",          "noun.group",
    "noun.location",    "noun.motive",        "noun.object",
    "noun.person",      "noun.phenomenon",    "noun.plant",
    "noun.possession",  "noun.process",       "noun.quantity",
    "noun.relation",    "noun.shape",         "noun.state",
    "noun.substance",   "noun.time",          "verb.body",
    "verb.change",      "verb.cognition",     "verb.communication",
    "verb.competition", "verb.consumption",   "verb.contact",
    "verb.creation",    "verb.emotion",       "verb.motion",
    "verb.perception",  "verb.possession",    "verb.social",
    "verb.stative",     "verb.weather",       "adj.ppl",
};
static_assert(std::size(kLexicalFiles) == 45);

}  // namespace

const PartInfo& InfoOf(Part part) {
  return kPartInfo[static_cast<int>(part)];
}

bool PartOfLetter(char letter, Part* part) {
  if (letter == 's') letter = 'a';
  for (int i = 0; i < kParts; ++i) {
    if (kPartInfo[i].letter != letter) continue;
    *part = static_cast<Part>(i);
    return true;
  }
  return false;
}

std::string_view PointerRelation(Part part, std::string_view symbol) {
  const char letter = InfoOf(part).letter;
  for (const PointerInfo& pointer : kPointers) {
    if (pointer.symbol == symbol && pointer.parts.find(letter) != std::string_view::npos) {
      return pointer.relation;
    }
  }
  return {};
}

std::string_view LexicalFile(unsigned number) {
  return number < std::size(kLexicalFiles) ? kLexicalFiles[number] : std::string_view();
}

std::string_view AdjectivePosition(std::string_view marker) {
  if (marker == "p") return "predicative";
  if (marker == "a") return "attributive";
  if (marker == "ip") return "immediately_postnominal";
  return {};
}

}  // namespace loci
