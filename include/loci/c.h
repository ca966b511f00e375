// SPDX-License-Identifier: Apache-2.0
//
// The C API of Loci, for bindings: C99, no types but these, safe to call from any language.
//
//   loci_error* error = NULL;
//   loci_memory* memory = NULL;
//   if (loci_open("world.loci", LOCI_CREATE, &memory, &error) != LOCI_OK) {
//     fprintf(stderr, "%s\n", loci_error_message(error));
//     loci_error_free(error);
//   }
//
// Errors. A function that can fail returns a loci_code. Where it is not LOCI_OK and `error` is not
// NULL, *error is set to an object with the message, which the caller frees; out parameters are
// then left alone.
//
// Strings are UTF-8. Those that come in as `const char*` end with a zero byte; a loci_string has
// its length and may hold zero bytes. What comes out belongs to the object it was asked of, lives
// as long as that, and is followed by a zero byte.
//
// Every object is freed by its own loci_..._free, which takes NULL as well. Threads, processes,
// durability and fork: as told in loci/memory.h. Answers are read by one thread at a time or only
// read; all else is thread-safe.
#ifndef LOCI_C_H_
#define LOCI_C_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LOCI_C_API __attribute__((visibility("default")))

/* What a caller can act on; as ErrorKind of loci/result.h, in its order. */
typedef enum loci_code {
  LOCI_OK = 0,
  LOCI_USAGE = 1,       /* the request itself is wrong: a query, a name */
  LOCI_BAD_INPUT = 2,   /* what was read is malformed; the message has file, line and column */
  LOCI_NOT_FOUND = 3,   /* the thing named does not exist */
  LOCI_DAMAGED = 4,     /* bytes of a memory are not what they were when written */
  LOCI_UNSUPPORTED = 5, /* well-formed, but of a format or feature that this version lacks */
  LOCI_IO = 6,          /* the system refused */
  LOCI_NO_SPACE = 7,    /* disk full or quota reached; nothing was changed */
  LOCI_NO_MEMORY = 8,   /* a memory limit was reached */
  LOCI_LIMIT = 9,       /* a stated limit was reached; never a silent cut */
  LOCI_CANCELLED = 10   /* by the cancellation given */
} loci_code;

typedef struct loci_error loci_error;
LOCI_C_API loci_code loci_error_code(const loci_error* error);
LOCI_C_API const char* loci_error_message(const loci_error* error);
LOCI_C_API void loci_error_free(loci_error* error);

/* "0.1.0" */
LOCI_C_API const char* loci_version(void);

typedef struct loci_string {
  const char* data;
  size_t size;
} loci_string;

typedef enum loci_kind { LOCI_NUMBER = 1, LOCI_DATE = 2, LOCI_TEXT = 3, LOCI_SYMBOL = 4 } loci_kind;

/* A term; of a text, at most one of language and datatype is not empty. */
typedef struct loci_value {
  int kind; /* a loci_kind */
  loci_string text;
  loci_string language;
  loci_string datatype;
} loci_value;

/* "source says that relation(subject, object)"; an empty source means "api". */
typedef struct loci_statement {
  loci_string subject;
  loci_string relation;
  loci_value object;
  loci_string source;
} loci_statement;

/* Stops long work from another thread or a signal handler. */
typedef struct loci_cancellation loci_cancellation;
LOCI_C_API loci_cancellation* loci_cancellation_new(void); /* NULL: out of memory */
LOCI_C_API void loci_cancel(loci_cancellation* cancellation);
LOCI_C_API void loci_cancellation_free(loci_cancellation* cancellation);

/* --- memories --- */

typedef struct loci_memory loci_memory;

#define LOCI_CREATE 1u    /* make an empty memory where there is none */
#define LOCI_READ_ONLY 2u /* write nothing but counters; excludes LOCI_CREATE */

LOCI_C_API loci_code loci_open(const char* path, unsigned flags, loci_memory** memory,
                               loci_error** error);
/* The memory as it is at the moment: its reads repeat, it cannot be written. */
LOCI_C_API loci_code loci_freeze(const loci_memory* memory, loci_memory** frozen,
                                 loci_error** error);
LOCI_C_API void loci_memory_free(loci_memory* memory);

/* 64 hex digits and a zero byte. */
typedef char loci_digest[65];

typedef struct loci_receipt {
  uint64_t learned;      /* statements that were new */
  uint64_t known;        /* statements that were there already */
  uint64_t forgotten;    /* statements removed */
  uint64_t facts_gone;   /* of forgetting: facts that nobody says any more */
  uint64_t facts_kept;   /* of forgetting: facts that other sources still say */
  uint64_t still_named;  /* of forgetting a subject: facts that still name it */
  uint64_t still_source; /* of forgetting a subject: statements whose source it is */
  uint64_t skipped;      /* of a file: malformed records left out */
  loci_digest digest;    /* of the memory afterwards */
} loci_receipt;

/* receipt may be NULL. */
LOCI_C_API loci_code loci_learn(loci_memory* memory, const loci_statement* statements, size_t count,
                                loci_receipt* receipt, loci_error** error);

/* Rules, "head(?x, ?y) <- body [conf 0.9];"; source may be NULL. All or none. */
LOCI_C_API loci_code loci_learn_rules(loci_memory* memory, const char* rules, const char* source,
                                      loci_receipt* receipt, loci_error** error);

#define LOCI_SKIP_BAD 1u /* leave out malformed records and count them, instead of failing */

/* format, source and cancellation may be NULL; max_memory 0 means no limit. */
LOCI_C_API loci_code loci_learn_file(loci_memory* memory, const char* path, const char* format,
                                     const char* source, unsigned flags, uint64_t max_memory,
                                     const loci_cancellation* cancellation, loci_receipt* receipt,
                                     loci_error** error);

/* How to choose what to forget: the `by` of loci_forget. */
typedef enum loci_select {
  LOCI_FACT = 0, /* relation(subject, object) [from source], or a statement's address */
  LOCI_SUBJECT = 1,
  LOCI_SOURCE = 2,
  LOCI_NAMING = 3
} loci_select;

#define LOCI_DRY_RUN 1u /* choose and count, but remove nothing */

LOCI_C_API loci_code loci_forget(loci_memory* memory, int by, loci_string what, unsigned flags,
                                 const loci_cancellation* cancellation, loci_receipt* receipt,
                                 loci_error** error);

LOCI_C_API loci_code loci_memory_digest(const loci_memory* memory, loci_digest digest,
                                        loci_error** error);
LOCI_C_API loci_code loci_consolidate(loci_memory* memory, const loci_cancellation* cancellation,
                                      loci_error** error);
LOCI_C_API loci_code loci_check(const loci_memory* memory, const loci_cancellation* cancellation,
                                loci_error** error);

/* --- questions --- */

/* Parsed and checked once, asked often, of any memory. */
typedef struct loci_query loci_query;
LOCI_C_API loci_code loci_prepare(const char* text, loci_query** query, loci_error** error);
LOCI_C_API void loci_query_free(loci_query* query);

/* A value given to a variable (without '?') before the query runs. */
typedef struct loci_parameter {
  const char* variable;
  loci_value value;
} loci_parameter;

/* Zero means what is said behind each. */
typedef struct loci_ask_options {
  uint64_t limit;      /* answers; 0: all */
  uint64_t max_work;   /* rows touched; 0: 10^9 */
  uint64_t max_memory; /* bytes of any one table; 0: 4 GiB */
  int evidence;        /* cite the facts behind each answer; 0: no */
  int why;             /* tell how each answer is derived; 0: no */
  const loci_cancellation* cancellation;
} loci_ask_options;

typedef struct loci_answers loci_answers;
/* options may be NULL. */
LOCI_C_API loci_code loci_ask(const loci_memory* memory, const loci_query* query,
                              const loci_parameter* parameters, size_t parameter_count,
                              const loci_ask_options* options, loci_answers** answers,
                              loci_error** error);
LOCI_C_API void loci_answers_free(loci_answers* answers);

/* A query without variables has one row, yes, or none, no. */
LOCI_C_API size_t loci_answers_rows(const loci_answers* answers);
LOCI_C_API size_t loci_answers_variables(const loci_answers* answers);

/* Out of range: an empty string, an empty symbol, zero, NULL members. */
LOCI_C_API loci_string loci_answers_variable(const loci_answers* answers, size_t column);
LOCI_C_API loci_value loci_answers_value(const loci_answers* answers, size_t row, size_t column);
LOCI_C_API double loci_answers_score(const loci_answers* answers, size_t row);

/* The facts behind a row, if they were asked for, each with its sources. */
LOCI_C_API size_t loci_answers_evidence(const loci_answers* answers, size_t row);
LOCI_C_API size_t loci_answers_sources(const loci_answers* answers, size_t row, size_t fact);
/* One of the statements of a fact: that of its source number `source`. */
LOCI_C_API loci_statement loci_answers_statement(const loci_answers* answers, size_t row,
                                                 size_t fact, size_t source);

/* How a row is derived, if that was asked for: steps in preorder; what makes one true follows it
 * one level deeper. */
typedef enum loci_step_kind {
  LOCI_STEP_STATEMENT = 0, /* a stored fact, and who states it */
  LOCI_STEP_DERIVED = 1,   /* a fact that a rule derives; below, the rule and its body */
  LOCI_STEP_RULE = 2,      /* a rule, and who stated it */
  LOCI_STEP_PATH = 3,      /* below, the facts of its walk */
  LOCI_STEP_OR = 4,        /* the branch that holds */
  LOCI_STEP_NOT = 5,       /* nothing is known of the clause */
  LOCI_STEP_COMPARE = 6,   /* a comparison that holds */
  LOCI_STEP_AGAIN = 7,     /* derived above */
  LOCI_STEP_MORE = 8,      /* left out; the clause says what */
  LOCI_STEP_LIKE = 9,      /* what a cue recalls; below, links that led there, and facts */
  LOCI_STEP_LINK = 10      /* one of those links, in words */
} loci_step_kind;

typedef struct loci_step {
  int kind; /* a loci_step_kind */
  uint32_t level;
  loci_string clause;
  double score;
  size_t sources; /* of a statement or a rule */
} loci_step;

LOCI_C_API size_t loci_answers_steps(const loci_answers* answers, size_t row);
LOCI_C_API loci_step loci_answers_step(const loci_answers* answers, size_t row, size_t step);
LOCI_C_API loci_string loci_answers_step_source(const loci_answers* answers, size_t row,
                                                size_t step, size_t source);

/* --- recall --- */

/* Zero and empty mean what is said behind each. Names are plain. */
typedef struct loci_recall_options {
  uint64_t limit; /* memories; 0: 10 */
  uint64_t offset;
  loci_string where;        /* clauses of a query over ?x; empty: none, as of all that follow */
  loci_string source;       /* only what this source states something of */
  loci_string within;       /* only this and its parts (part_of) */
  loci_string since, until; /* only what is of that time (time); ISO 8601 */
  loci_string unlike;       /* nothing that has one of these words */
  int lexical;              /* by the cue's words alone; 0: by what they lead to as well */
  uint64_t max_work;        /* 0: 10^9 */
  const loci_cancellation* cancellation;
} loci_recall_options;

typedef struct loci_recollection loci_recollection;
/* options may be NULL. */
LOCI_C_API loci_code loci_recall(const loci_memory* memory, loci_string cue,
                                 const loci_recall_options* options,
                                 loci_recollection** recollection, loci_error** error);
LOCI_C_API void loci_recollection_free(loci_recollection* recollection);

typedef struct loci_recalled {
  loci_string name;
  loci_string title; /* or empty */
  loci_string text;  /* whole; empty where it has none */
  double score;
  size_t spans;   /* of the text, that are words of the cue */
  size_t words;   /* of the cue, by descending weight */
  size_t links;   /* that led there from other memories */
  size_t sources; /* that state the text */
} loci_recalled;

/* All that pass the filters; and those that were asked for, the best first. */
LOCI_C_API uint64_t loci_recollection_found(const loci_recollection* recollection);
LOCI_C_API size_t loci_recollection_size(const loci_recollection* recollection);
/* Out of range: empty strings and zeros. */
LOCI_C_API loci_recalled loci_recollection_memory(const loci_recollection* recollection,
                                                  size_t memory);
LOCI_C_API void loci_recollection_span(const loci_recollection* recollection, size_t memory,
                                       size_t span, size_t* begin, size_t* end);
LOCI_C_API loci_string loci_recollection_word(const loci_recollection* recollection, size_t memory,
                                              size_t word, double* weight);
LOCI_C_API loci_string loci_recollection_link(const loci_recollection* recollection, size_t memory,
                                              size_t link);
LOCI_C_API loci_string loci_recollection_source(const loci_recollection* recollection,
                                                size_t memory, size_t source);

#ifdef __cplusplus
}
#endif

#endif /* LOCI_C_H_ */
