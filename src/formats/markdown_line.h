// SPDX-License-Identifier: Apache-2.0
//
// What one line of Markdown (CommonMark) is, as far as passages need to know: headings and fences.
#pragma once

#include <cstddef>
#include <string_view>

namespace loci {

// "## Title ##": the level 1 to 6 and the title; level 0 where the line is no heading.
struct AtxHeading {
  int level = 0;
  std::string_view title;
};
AtxHeading ParseAtx(std::string_view line);

// "===" is 1, "---" is 2: what underlines a paragraph to make it a heading; else 0.
int SetextLevel(std::string_view line);

// "***", "- - -" and the like: a break between passages that says nothing.
bool IsThematicBreak(std::string_view line);

// Whether a paragraph that begins so can be underlined: not a list item, quotation or table.
bool MayBeSetextTitle(std::string_view first_line);

// "```" or "~~~": character and length of a fence that opens code; 0 where the line is none.
struct Fence {
  char character = 0;
  size_t length = 0;
};
Fence OpeningFence(std::string_view line);
bool ClosesFence(std::string_view line, const Fence& fence);

}  // namespace loci
