/* SPDX-License-Identifier: Apache-2.0
 *
 * ask MEMORY QUERY: the C API, as a binding would use it.
 *
 *   $ ask assistant.loci 'likes(?who, ?what)'
 *   who=alice what=tea
 *     likes(alice, tea) from chat-1
 *     likes(alice, tea) from chat-2
 *   who=bob what=coffee
 *     likes(bob, coffee) from chat-2
 */
#include <stdio.h>
#include <stdlib.h>

#include "loci/c.h"

static void print(const char* before, loci_string s) {
  printf("%s%.*s", before, (int)s.size, s.data);
}

static int complain(loci_error* error) {
  fprintf(stderr, "%s\n", loci_error_message(error));
  loci_error_free(error);
  return EXIT_FAILURE;
}

static void print_row(const loci_answers* answers, size_t row) {
  for (size_t i = 0; i < loci_answers_variables(answers); ++i) {
    print(i == 0 ? "" : " ", loci_answers_variable(answers, i));
    print("=", loci_answers_value(answers, row, i).text);
  }
  puts("");
  for (size_t fact = 0; fact < loci_answers_evidence(answers, row); ++fact) {
    for (size_t i = 0; i < loci_answers_sources(answers, row, fact); ++i) {
      const loci_statement s = loci_answers_statement(answers, row, fact, i);
      print("  ", s.relation);
      print("(", s.subject);
      print(", ", s.object.text);
      print(") from ", s.source);
      puts("");
    }
  }
}

int main(int count, char** arguments) {
  loci_error* error = NULL;
  loci_memory* memory = NULL;
  loci_query* query = NULL;
  loci_answers* answers = NULL;
  const loci_ask_options options = {.evidence = 1};
  int exit_code = EXIT_SUCCESS;
  if (count != 3) {
    fprintf(stderr, "usage: ask MEMORY QUERY\n");
    return 2;
  }
  if (loci_open(arguments[1], LOCI_READ_ONLY, &memory, &error) != LOCI_OK ||
      loci_prepare(arguments[2], &query, &error) != LOCI_OK ||
      loci_ask(memory, query, NULL, 0, &options, &answers, &error) != LOCI_OK) {
    exit_code = complain(error);
  } else {
    for (size_t row = 0; row < loci_answers_rows(answers); ++row) print_row(answers, row);
  }
  loci_answers_free(answers);
  loci_query_free(query);
  loci_memory_free(memory);
  return exit_code;
}
