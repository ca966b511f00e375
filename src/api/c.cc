// SPDX-License-Identifier: Apache-2.0
//
// The C API: each function is a call of the C++ API with its arguments and its result in other
// clothes. Nothing is decided here.
#include "loci/c.h"

#include <algorithm>
#include <cstring>

#include "api/c_guard.h"

struct loci_query {
  loci::Query query;
};
struct loci_answers {
  loci::Answers answers;
};

namespace {

using loci::ErrorKind;
using loci::Result;
using loci::c::Fail;
using loci::c::kNoString;
using loci::c::OrEmpty;
using loci::c::Run;
using loci::c::ToC;
using loci::c::TokenOf;
using loci::c::View;

static_assert(static_cast<int>(loci::Step::Kind::kMore) == LOCI_STEP_MORE &&
              static_cast<int>(loci::Step::Kind::kLink) == LOCI_STEP_LINK);
static_assert(static_cast<int>(ErrorKind::kUsage) + 1 == LOCI_USAGE &&
              static_cast<int>(ErrorKind::kDamaged) + 1 == LOCI_DAMAGED &&
              static_cast<int>(ErrorKind::kCancelled) + 1 == LOCI_CANCELLED);

loci_value ToC(const loci::Value& v) {
  return {static_cast<int>(v.kind), ToC(v.text), ToC(v.language), ToC(v.datatype)};
}
constexpr loci_value kNoValue = {LOCI_SYMBOL, kNoString, kNoString, kNoString};

loci::Value FromC(const loci_value& v) {
  loci::Value value;
  value.kind = static_cast<loci::Value::Kind>(v.kind);
  value.text = View(v.text);
  value.language = View(v.language);
  value.datatype = View(v.datatype);
  return value;
}

void CopyDigest(const std::string& hex, char* out) {
  std::memcpy(out, hex.c_str(), std::min(hex.size() + 1, sizeof(loci_digest)));
}

void Fill(const loci::LearnReceipt& from, loci_receipt* to) {
  to->learned = from.learned;
  to->known = from.known;
  CopyDigest(from.digest, to->digest);
}

const loci::Answer* RowOf(const loci_answers* answers, size_t row) {
  const auto& rows = answers->answers.rows;
  return row < rows.size() ? &rows[row] : nullptr;
}
const loci::Evidence* FactOf(const loci_answers* answers, size_t row, size_t fact) {
  const loci::Answer* answer = RowOf(answers, row);
  return answer != nullptr && fact < answer->evidence.size() ? &answer->evidence[fact] : nullptr;
}

const loci::Step* StepOf(const loci_answers* answers, size_t row, size_t step) {
  const loci::Answer* answer = RowOf(answers, row);
  return answer != nullptr && step < answer->why.size() ? &answer->why[step] : nullptr;
}

}  // namespace

loci_code loci_error_code(const loci_error* error) {
  return error == nullptr ? LOCI_OK : error->code;
}
const char* loci_error_message(const loci_error* error) {
  return error == nullptr ? "out of memory" : error->message.c_str();
}
void loci_error_free(loci_error* error) {
  delete error;
}

const char* loci_version(void) {
  return LOCI_VERSION;
}

loci_cancellation* loci_cancellation_new(void) {
  try {
    return new loci_cancellation;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void loci_cancel(loci_cancellation* cancellation) {
  cancellation->token.Cancel();
}
void loci_cancellation_free(loci_cancellation* cancellation) {
  delete cancellation;
}

loci_code loci_open(const char* path, unsigned flags, loci_memory** memory, loci_error** error) {
  return Run(error, [&]() -> Result<void> {
    if ((flags & ~(LOCI_CREATE | LOCI_READ_ONLY)) != 0 || flags == (LOCI_CREATE | LOCI_READ_ONLY)) {
      return loci::Error{ErrorKind::kUsage, "loci_open: flags are LOCI_CREATE or LOCI_READ_ONLY"};
    }
    loci::OpenOptions options;
    options.create = (flags & LOCI_CREATE) != 0;
    options.read_only = (flags & LOCI_READ_ONLY) != 0;
    LOCI_ASSIGN(loci::Memory opened, loci::Memory::Open(path, options));
    *memory = new loci_memory{std::move(opened)};
    return {};
  });
}

loci_code loci_freeze(const loci_memory* memory, loci_memory** frozen, loci_error** error) {
  return Run(error, [&]() -> Result<void> {
    LOCI_ASSIGN(loci::Memory copy, memory->memory.Freeze());
    *frozen = new loci_memory{std::move(copy)};
    return {};
  });
}

void loci_memory_free(loci_memory* memory) {
  delete memory;
}

loci_code loci_learn(loci_memory* memory, const loci_statement* statements, size_t count,
                     loci_receipt* receipt, loci_error** error) {
  return Run(error, [&]() -> Result<void> {
    std::vector<loci::Statement> batch;
    batch.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      const loci_statement& s = statements[i];
      batch.push_back({std::string(View(s.subject)), std::string(View(s.relation)), FromC(s.object),
                       std::string(View(s.source))});
    }
    LOCI_ASSIGN(const loci::LearnReceipt learned, memory->memory.Learn(batch));
    if (receipt == nullptr) return {};
    *receipt = {};
    Fill(learned, receipt);
    return {};
  });
}

loci_code loci_learn_rules(loci_memory* memory, const char* rules, const char* source,
                           loci_receipt* receipt, loci_error** error) {
  return Run(error, [&]() -> Result<void> {
    LOCI_ASSIGN(const loci::LearnReceipt learned,
                memory->memory.LearnRules(rules, OrEmpty(source)));
    if (receipt == nullptr) return {};
    *receipt = {};
    Fill(learned, receipt);
    return {};
  });
}

loci_code loci_learn_file(loci_memory* memory, const char* path, const char* format,
                          const char* source, unsigned flags, uint64_t max_memory,
                          const loci_cancellation* cancellation, loci_receipt* receipt,
                          loci_error** error) {
  return Run(error, [&]() -> Result<void> {
    loci::LearnFileOptions options;
    options.format = OrEmpty(format);
    options.source = OrEmpty(source);
    options.skip_bad = (flags & LOCI_SKIP_BAD) != 0;
    if (max_memory != 0) options.max_memory = max_memory;
    options.cancellation = TokenOf(cancellation);
    LOCI_ASSIGN(const loci::LearnFileReceipt learned, memory->memory.LearnFile(path, options));
    if (receipt == nullptr) return {};
    *receipt = {};
    Fill(learned.write, receipt);
    receipt->skipped = learned.skipped;
    return {};
  });
}

loci_code loci_forget(loci_memory* memory, int by, loci_string what, unsigned flags,
                      const loci_cancellation* cancellation, loci_receipt* receipt,
                      loci_error** error) {
  return Run(error, [&]() -> Result<void> {
    if (by < LOCI_FACT || by > LOCI_NAMING) {
      return loci::Error{ErrorKind::kUsage, "loci_forget: `by` is a loci_select, 0 to 3"};
    }
    loci::ForgetOptions options;
    options.dry_run = (flags & LOCI_DRY_RUN) != 0;
    options.cancellation = TokenOf(cancellation);
    const loci::Selector selector{static_cast<loci::Selector::By>(by), std::string(View(what))};
    LOCI_ASSIGN(const loci::ForgetReceipt forgotten, memory->memory.Forget(selector, options));
    if (receipt == nullptr) return {};
    *receipt = {};
    receipt->forgotten = forgotten.forgotten;
    receipt->facts_gone = forgotten.facts_gone;
    receipt->facts_kept = forgotten.facts_kept;
    receipt->still_named = forgotten.still_named;
    receipt->still_source = forgotten.still_source;
    CopyDigest(forgotten.digest, receipt->digest);
    return {};
  });
}

loci_code loci_memory_digest(const loci_memory* memory, loci_digest digest, loci_error** error) {
  return Run(error, [&]() -> Result<void> {
    LOCI_ASSIGN(const std::string hex, memory->memory.Digest());
    CopyDigest(hex, digest);
    return {};
  });
}

loci_code loci_consolidate(loci_memory* memory, const loci_cancellation* cancellation,
                           loci_error** error) {
  return Run(error, [&] { return memory->memory.Consolidate(TokenOf(cancellation)); });
}

loci_code loci_check(const loci_memory* memory, const loci_cancellation* cancellation,
                     loci_error** error) {
  return Run(error, [&] { return memory->memory.Check(TokenOf(cancellation)); });
}

loci_code loci_prepare(const char* text, loci_query** query, loci_error** error) {
  return Run(error, [&]() -> Result<void> {
    LOCI_ASSIGN(loci::Query prepared, loci::Query::Prepare(text));
    *query = new loci_query{std::move(prepared)};
    return {};
  });
}
void loci_query_free(loci_query* query) {
  delete query;
}

loci_code loci_ask(const loci_memory* memory, const loci_query* query,
                   const loci_parameter* parameters, size_t parameter_count,
                   const loci_ask_options* options, loci_answers** answers, loci_error** error) {
  return Run(error, [&]() -> Result<void> {
    std::vector<loci::Parameter> given;
    given.reserve(parameter_count);
    for (size_t i = 0; i < parameter_count; ++i) {
      given.push_back({parameters[i].variable, FromC(parameters[i].value)});
    }
    loci::AskOptions ask;
    if (options != nullptr) {
      if (options->limit != 0) ask.limit = options->limit;
      if (options->max_work != 0) ask.max_work = options->max_work;
      if (options->max_memory != 0) ask.max_memory = options->max_memory;
      ask.evidence = options->evidence != 0;
      ask.why = options->why != 0;
      ask.cancellation = TokenOf(options->cancellation);
    }
    LOCI_ASSIGN(loci::Answers found, memory->memory.Ask(query->query, given, ask));
    *answers = new loci_answers{std::move(found)};
    return {};
  });
}
void loci_answers_free(loci_answers* answers) {
  delete answers;
}

size_t loci_answers_rows(const loci_answers* answers) {
  return answers->answers.rows.size();
}
size_t loci_answers_variables(const loci_answers* answers) {
  return answers->answers.variables.size();
}
loci_string loci_answers_variable(const loci_answers* answers, size_t column) {
  const auto& names = answers->answers.variables;
  return column < names.size() ? ToC(names[column]) : kNoString;
}
loci_value loci_answers_value(const loci_answers* answers, size_t row, size_t column) {
  const loci::Answer* answer = RowOf(answers, row);
  return answer != nullptr && column < answer->values.size() ? ToC(answer->values[column])
                                                             : kNoValue;
}
double loci_answers_score(const loci_answers* answers, size_t row) {
  const loci::Answer* answer = RowOf(answers, row);
  return answer == nullptr ? 0 : answer->score;
}
size_t loci_answers_evidence(const loci_answers* answers, size_t row) {
  const loci::Answer* answer = RowOf(answers, row);
  return answer == nullptr ? 0 : answer->evidence.size();
}
size_t loci_answers_sources(const loci_answers* answers, size_t row, size_t fact) {
  const loci::Evidence* evidence = FactOf(answers, row, fact);
  return evidence == nullptr ? 0 : evidence->sources.size();
}
loci_statement loci_answers_statement(const loci_answers* answers, size_t row, size_t fact,
                                      size_t source) {
  const loci::Evidence* evidence = FactOf(answers, row, fact);
  if (evidence == nullptr || source >= evidence->sources.size()) {
    return {kNoString, kNoString, kNoValue, kNoString};
  }
  return {ToC(evidence->subject), ToC(evidence->relation), ToC(evidence->object),
          ToC(evidence->sources[source])};
}
size_t loci_answers_steps(const loci_answers* answers, size_t row) {
  const loci::Answer* answer = RowOf(answers, row);
  return answer == nullptr ? 0 : answer->why.size();
}
loci_step loci_answers_step(const loci_answers* answers, size_t row, size_t step) {
  const loci::Step* found = StepOf(answers, row, step);
  if (found == nullptr) return {LOCI_STEP_MORE, 0, kNoString, 0, 0};
  return {static_cast<int>(found->kind), found->level, ToC(found->clause), found->score,
          found->sources.size()};
}
loci_string loci_answers_step_source(const loci_answers* answers, size_t row, size_t step,
                                     size_t source) {
  const loci::Step* found = StepOf(answers, row, step);
  return found != nullptr && source < found->sources.size() ? ToC(found->sources[source])
                                                            : kNoString;
}
