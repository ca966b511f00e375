// SPDX-License-Identifier: Apache-2.0
//
// Faults and where they are; the first three messages are the reference server's own.
#include "mcp/schema.h"

#include <gtest/gtest.h>

namespace loci::mcp {
namespace {

const Json kSchema = Json::parse(R"({
  "type": "object",
  "properties": {
    "entities": {"type": "array", "items": {
      "type": "object",
      "properties": {"name": {"type": "string"}, "tags": {"type": "array", "minItems": 1}},
      "required": ["name"]}},
    "limit": {"type": "integer", "minimum": 1, "maximum": 10},
    "kind": {"type": "string", "enum": ["a", "b"]},
    "deep": {"type": "object", "properties": {"x": {"type": "boolean"}},
             "additionalProperties": false}
  },
  "required": ["entities"]})");

std::string FaultOf(const char* json) {
  return FindFault(kSchema, Json::parse(json)).value_or("");
}

TEST(SchemaTest, FaultsAreNamedWithTheirPlace) {
  EXPECT_EQ(FaultOf(R"({"entities":"x"})"),
            "Invalid input: expected array, received string at entities");
  EXPECT_EQ(FaultOf("{}"), "Invalid input: expected array, received undefined at entities");
  EXPECT_EQ(FaultOf(R"({"entities":[{"name":1}]})"),
            "Invalid input: expected string, received number at entities[0].name");
  EXPECT_EQ(FaultOf("[]"), "Invalid input: expected object, received array");
  EXPECT_EQ(FaultOf(R"({"entities":[null]})"),
            "Invalid input: expected object, received null at entities[0]");
  EXPECT_EQ(FaultOf(R"({"entities":[{"name":"a","tags":[]}]})"),
            "Invalid input: expected at least 1 items, received 0 at entities[0].tags");
  EXPECT_EQ(FaultOf(R"({"entities":[],"limit":0})"),
            "Invalid input: expected at least 1, received 0 at limit");
  EXPECT_EQ(FaultOf(R"({"entities":[],"limit":11})"),
            "Invalid input: expected at most 10, received 11 at limit");
  EXPECT_EQ(FaultOf(R"({"entities":[],"limit":1.5})"),
            "Invalid input: expected integer, received number at limit");
  EXPECT_EQ(FaultOf(R"({"entities":[],"kind":"c"})"),
            "Invalid input: expected one of [\"a\",\"b\"], received \"c\" at kind");
  EXPECT_EQ(FaultOf(R"({"entities":[],"deep":{"y":1}})"),
            "Invalid input: there is no argument 'y' at deep; there are: x");
}

TEST(SchemaTest, WhatFitsHasNoFault) {
  EXPECT_EQ(FaultOf(R"({"entities":[{"name":"a","tags":[1],"more":2}],"limit":10,"kind":"b",
                        "deep":{"x":true},"unknown":[]})"),
            "");
}

}  // namespace
}  // namespace loci::mcp
