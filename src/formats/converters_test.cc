// SPDX-License-Identifier: Apache-2.0
#include "formats/converters.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "formats/collect_for_test.h"
#include "formats/filter_process.h"

namespace loci {
namespace {

using Lines = std::vector<std::string>;

// A document whose pages have a line of text each.
std::string Pdf(const Lines& pages) {
  std::string pdf = "%PDF-1.4\n";
  std::vector<size_t> offsets;
  const auto object = [&](const std::string& body) {
    offsets.push_back(pdf.size());
    pdf += fmt::format("{} 0 obj\n{}\nendobj\n", offsets.size(), body);
  };
  std::string kids;
  for (size_t i = 0; i < pages.size(); ++i) kids += fmt::format("{} 0 R ", 4 + 2 * i);
  object("<</Type/Catalog/Pages 2 0 R>>");
  object(fmt::format("<</Type/Pages/Count {}/Kids[{}]>>", pages.size(), kids));
  object("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>");
  for (size_t i = 0; i < pages.size(); ++i) {
    object(
        fmt::format("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {} 0 R"
                    "/Resources<</Font<</F 3 0 R>>>>>>",
                    5 + 2 * i));
    const std::string drawn = fmt::format("BT /F 12 Tf 50 700 Td ({}) Tj ET", pages[i]);
    object(fmt::format("<</Length {}>>stream\n{}\nendstream", drawn.size(), drawn));
  }
  const size_t table = pdf.size();
  pdf += fmt::format("xref\n0 {}\n0000000000 65535 f \n", offsets.size() + 1);
  for (const size_t offset : offsets) pdf += fmt::format("{:010} 00000 n \n", offset);
  return pdf + fmt::format("trailer\n<</Size {}/Root 1 0 R>>\nstartxref\n{}\n%%EOF\n",
                           offsets.size() + 1, table);
}

bool IsThere(const std::string& program) {
  return FilterProcess::Start({program, "--help"}, FromBytes("")).ok();
}

TEST(ConverterMissing, TheErrorNamesThePackage) {
  const char* const path = std::getenv("PATH");
  const std::string saved = path == nullptr ? "" : path;
  ::setenv("PATH", "/nonexistent", 1);
  const auto html = Collect("<html>a", "", false, "a.html"), pdf = Collect("%PDF-1.4", "");
  ::setenv("PATH", saved.c_str(), 1);
  EXPECT_EQ(html.error,
            "a.html: HTML is read through the program html2markdown.py3, which is not here; "
            "install Debian's package python3-html2text, or convert the file to text");
  EXPECT_EQ(html.kind, ErrorKind::kUnsupported);
  EXPECT_EQ(pdf.error,
            "in: PDF is read through the program pdftotext, which is not here; install Debian's "
            "package poppler-utils, or convert the file to text");
}

TEST(HtmlEncoding, IsWhatThePageSays) {
  EXPECT_EQ(HtmlEncoding("<html>"), "utf-8");
  EXPECT_EQ(HtmlEncoding("<META name=a><Meta CHARSET=\"ISO-8859-1\">"), "iso-8859-1");
  EXPECT_EQ(HtmlEncoding("<meta http-equiv=x content=\"text/html; charset=windows-1252\"/>"),
            "windows-1252");
  EXPECT_EQ(HtmlEncoding("<meta charset=koi8-r"), "koi8-r");
  EXPECT_EQ(HtmlEncoding("<meta charset=\"--help\">"), "utf-8");
  EXPECT_EQ(HtmlEncoding("<meta charset=\"a$b\">"), "utf-8");
  EXPECT_EQ(HtmlEncoding("<meta charset="), "utf-8");
}

TEST(Html, HeadingsAreTitles) {
  if (!IsThere("html2markdown.py3")) GTEST_SKIP() << "no html2markdown.py3 (python3-html2text)";
  const auto all = Collect(
      "<!DOCTYPE html><html><head><meta charset=iso-8859-1><title>T</title><script>var x;</script>"
      "</head><body><h1>Trees</h1><p>An <b>oak</b> is\na <a href=x>tree</a>.<img src=y></p>"
      "<h2>Fruit</h2><p>Caf\xe9 &amp; acorn.</p></body></html>",
      "", false, "page.html");
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(all.report.format, "html");
  EXPECT_EQ(all.statements, (Lines{"page.html#000001\ttext\t\"An oak is a tree.\"\tpage.html",
                                   "page.html#000001\tpart_of\tpage.html\tpage.html",
                                   "page.html#000001\ttitle\t\"Trees\"\tpage.html",
                                   "page.html#000002\ttext\t\"Caf\u00e9 & acorn.\"\tpage.html",
                                   "page.html#000002\tpart_of\tpage.html\tpage.html",
                                   "page.html#000002\ttitle\t\"Trees > Fruit\"\tpage.html"}));
}

TEST(Html, WhatTheProgramSaysIsTold) {
  if (!IsThere("html2markdown.py3")) GTEST_SKIP() << "no html2markdown.py3 (python3-html2text)";
  EXPECT_EQ(Collect("<html><meta charset=nonsense>a", "").error,
            "in: \"LookupError: unknown encoding: nonsense\" (says html2markdown.py3); what "
            "follows was not read");
  EXPECT_NE(Collect("<html>caf\xe9", "").error.find("UnicodeDecodeError"), std::string::npos);
}

TEST(PdfFile, PassagesHaveTheirPage) {
  if (!IsThere("pdftotext")) GTEST_SKIP() << "no pdftotext (poppler-utils)";
  const auto all = Collect(Pdf({"An oak is a tree.", "", "Its fruit."}), "", false, "a.pdf");
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(all.report.format, "pdf");
  EXPECT_EQ(
      all.statements,
      (Lines{"a.pdf#000001\ttext\t\"An oak is a tree.\"\ta.pdf",
             "a.pdf#000001\tpart_of\ta.pdf\ta.pdf", "a.pdf#000001\tpage\t\"1\"^^number\ta.pdf",
             "a.pdf#000002\ttext\t\"Its fruit.\"\ta.pdf", "a.pdf#000002\tpart_of\ta.pdf\ta.pdf",
             "a.pdf#000002\tpage\t\"3\"^^number\ta.pdf"}));
}

TEST(PdfFile, WhatIsNoPdfIsABadRecord) {
  if (!IsThere("pdftotext")) GTEST_SKIP() << "no pdftotext (poppler-utils)";
  const auto all = Collect("%PDF-1.4\nnothing", "");
  EXPECT_TRUE(all.error.ends_with("(says pdftotext); what follows was not read")) << all.error;
  EXPECT_EQ(all.kind, ErrorKind::kBadInput);
  EXPECT_EQ(Collect("%PDF-1.4\nnothing", "", true).bad.size(), 1u);
}

}  // namespace
}  // namespace loci
