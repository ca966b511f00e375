// SPDX-License-Identifier: Apache-2.0
#include "mcp/http_request.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/unicode.h"

namespace loci::mcp {
namespace {

// Fields that may come more than once; each other one that does is refused, for another program on
// the way may have gone by the other.
constexpr std::array<std::string_view, 5> kLists = {"accept", "cache-control", "connection", "te",
                                                    "via"};

bool IsToken(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           kMarks.find(c) != std::string_view::npos;
  });
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string_view NextItem(std::string_view* list, char separator) {
  const size_t end = std::min(list->find(separator), list->size());
  const std::string_view item = Trim(list->substr(0, end));
  list->remove_prefix(std::min(end + 1, list->size()));
  return item;
}

template <class Integer>
bool ReadWhole(std::string_view text, int base, Integer* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value, base);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::optional<HttpFault> ParseRequestLine(std::string_view line, HttpRequest* request) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return HttpFault{400, "the request line is not METHOD TARGET HTTP/1.1"};
  }
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  const bool visible =
      std::all_of(target.begin(), target.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (!IsToken(method) || target.empty() || !visible) {
    return HttpFault{400, "the request line is not METHOD TARGET HTTP/1.1"};
  }
  if (version != "HTTP/1.1" && version != "HTTP/1.0") {
    return HttpFault{505, fmt::format("'{}' is not spoken here, HTTP/1.1 is", Excerpt(version))};
  }
  request->method = method;
  request->target = target;
  request->keep_alive = version == "HTTP/1.1";
  return std::nullopt;
}

std::optional<HttpFault> AddField(std::string_view line, HttpRequest* request) {
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || !IsToken(line.substr(0, colon))) {
    return HttpFault{400, fmt::format("'{}' is not a header field", Excerpt(line))};
  }
  std::string name = Lower(line.substr(0, colon));
  const std::string_view value = Trim(line.substr(colon + 1));
  for (const char c : value) {
    if (static_cast<unsigned char>(c) < ' ' && c != '\t') {
      return HttpFault{400, fmt::format("the field {} has a control character", name)};
    }
  }
  const auto known = std::find_if(request->fields.begin(), request->fields.end(),
                                  [&](const auto& field) { return field.first == name; });
  if (known == request->fields.end()) {
    if (request->fields.size() == kMaxFields) {
      return HttpFault{431, fmt::format("more than {} header fields", kMaxFields)};
    }
    request->fields.emplace_back(std::move(name), value);
    return std::nullopt;
  }
  if (std::find(kLists.begin(), kLists.end(), name) == kLists.end()) {
    return HttpFault{400, fmt::format("the field {} is there twice", name)};
  }
  known->second.append(", ").append(value);
  return std::nullopt;
}

// How long the body is, and what becomes of the connection.
std::optional<HttpFault> ReadFraming(HttpRequest* request) {
  const bool is_1_1 = request->keep_alive;
  const std::string* const length = request->Field("content-length");
  const std::string* const coding = request->Field("transfer-encoding");
  if (length != nullptr && !ReadWhole(*length, 10, &request->content_length)) {
    return HttpFault{400, fmt::format("Content-Length '{}' is not a number", Excerpt(*length))};
  }
  if (coding != nullptr) {
    if (length != nullptr || !is_1_1) {
      return HttpFault{400, "Transfer-Encoding beside Content-Length, or in HTTP/1.0"};
    }
    if (Lower(*coding) != "chunked") {
      return HttpFault{501, fmt::format("Transfer-Encoding '{}' is not spoken here, chunked is",
                                        Excerpt(*coding))};
    }
    request->chunked = true;
  }
  if (const std::string* const connection = request->Field("connection")) {
    std::string_view options = *connection;
    while (!options.empty()) {
      if (Lower(NextItem(&options, ',')) == "close") request->keep_alive = false;
    }
  }
  if (const std::string* const expect = request->Field("expect"); expect != nullptr && is_1_1) {
    if (Lower(*expect) != "100-continue") {
      return HttpFault{417, fmt::format("'{}' cannot be expected here", Excerpt(*expect))};
    }
    request->expects_continue = true;
  }
  return std::nullopt;
}

}  // namespace

const std::string* HttpRequest::Field(std::string_view name) const {
  for (const auto& [key, value] : fields) {
    if (key == name) return &value;
  }
  return nullptr;
}

std::optional<size_t> FindHeadEnd(std::string_view bytes) {
  const size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  return end + 4;
}

std::optional<HttpFault> ParseHead(std::string_view head, HttpRequest* request) {
  *request = {};
  bool first = true;
  for (;;) {
    const size_t end = head.find("\r\n");
    if (end == std::string_view::npos) return HttpFault{400, "the head has no end"};
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(end + 2);
    if (line.empty() && !first) break;
    const auto fault = first ? ParseRequestLine(line, request) : AddField(line, request);
    if (fault) return fault;
    first = false;
  }
  return ReadFraming(request);
}

bool Accepts(std::string_view list, std::string_view type) {
  const std::string all_of_kind = std::string(type.substr(0, type.find('/'))) + "/*";
  while (!list.empty()) {
    std::string_view parameters = NextItem(&list, ',');
    const std::string range = Lower(NextItem(&parameters, ';'));
    bool refused = false;
    while (!parameters.empty()) {
      const std::string parameter = Lower(NextItem(&parameters, ';'));
      refused |=
          parameter.starts_with("q=0") && parameter.find_first_not_of("0.", 2) == std::string::npos;
    }
    if (!refused && (range == type || range == all_of_kind || range == "*/*")) return true;
  }
  return false;
}

ChunkReader::State ChunkReader::TakeLine(std::string_view* in, std::string* body) {
  const size_t limit = part_ == Part::kTrailer ? kMaxTrailerBytes : kMaxChunkLineBytes;
  while (!in->empty()) {
    const char c = in->front();
    in->remove_prefix(1);
    line_.push_back(c);
    if (line_.size() > limit) return State::kFault;
    if (c != '\n') continue;
    if (!line_.ends_with("\r\n")) return State::kFault;
    const std::string_view line(line_.data(), line_.size() - 2);
    if (part_ == Part::kDataEnd) {
      if (!line.empty()) return State::kFault;
      part_ = Part::kSize;
    } else if (part_ == Part::kTrailer) {
      if (line.empty()) return State::kDone;
      trailers_ += line_.size();  // read and dropped: nothing here goes by them
      if (trailers_ > kMaxTrailerBytes) return State::kFault;
    } else {
      const std::string_view digits = Trim(line.substr(0, line.find(';')));
      if (!ReadWhole(digits, 16, &rest_)) return State::kFault;
      if (rest_ > limit_ - std::min(limit_, body->size())) return State::kTooLong;
      part_ = rest_ == 0 ? Part::kTrailer : Part::kData;
    }
    line_.clear();
    return State::kMore;
  }
  return State::kMore;
}

ChunkReader::State ChunkReader::Read(std::string_view* in, std::string* body) {
  while (!in->empty()) {
    if (part_ != Part::kData) {
      const State state = TakeLine(in, body);
      if (state != State::kMore) return state;
      continue;
    }
    const size_t n = static_cast<size_t>(std::min<uint64_t>(rest_, in->size()));
    body->append(in->substr(0, n));
    in->remove_prefix(n);
    rest_ -= n;
    if (rest_ == 0) part_ = Part::kDataEnd;
  }
  return State::kMore;
}

}  // namespace loci::mcp
