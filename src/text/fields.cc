// SPDX-License-Identifier: Apache-2.0
#include "text/fields.h"

#include <algorithm>
#include <array>
#include <utility>

namespace loci {
namespace {

// Sorted. The long ones are those of RDFS, SKOS, Dublin Core, FOAF and schema.org.
constexpr std::array<std::pair<std::string_view, Field>, 17> kTable = {{
    {"alias", Field::kTitle},
    {"alt_label", Field::kTitle},
    {"headline", Field::kTitle},
    {"http://purl.org/dc/elements/1.1/title", Field::kTitle},
    {"http://purl.org/dc/terms/isPartOf", Field::kPartOf},
    {"http://purl.org/dc/terms/title", Field::kTitle},
    {"http://schema.org/name", Field::kTitle},
    {"http://www.w3.org/2000/01/rdf-schema#label", Field::kTitle},
    {"http://www.w3.org/2004/02/skos/core#altLabel", Field::kTitle},
    {"http://www.w3.org/2004/02/skos/core#prefLabel", Field::kTitle},
    {"http://xmlns.com/foaf/0.1/name", Field::kTitle},
    {"https://schema.org/name", Field::kTitle},
    {"label", Field::kTitle},
    {"name", Field::kTitle},
    {kPartOfRelation, Field::kPartOf},
    {"rule", Field::kNone},
    {"title", Field::kTitle},
}};
static_assert(std::ranges::is_sorted(kTable, {}, &std::pair<std::string_view, Field>::first));

}  // namespace

Field FieldOf(std::string_view relation) {
  const auto* const at =
      std::ranges::lower_bound(kTable, relation, {}, &std::pair<std::string_view, Field>::first);
  return at != kTable.end() && at->first == relation ? at->second : Field::kBody;
}

}  // namespace loci
