#include "config.h"
#include "cli/cli.h"
#include "cli/family.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Services of the program's process to a run: messages, and the number of threads. */

/* Libraries follow OpenMP's number; OMP_NUM_THREADS is not asked, so that nothing but the user's word
 * decides. */
void cli_use_threads(int n) {
#ifdef _OPENMP
  omp_set_num_threads(n);
#else
  (void)n;
#endif
}

static void print_line(void *to, const char *format, va_list args) {
  char text[16384], shown[PRC_ESCAPED];
  vsnprintf(text, sizeof text, format, args);
  size_t length = strlen(text), lines = 0;
  for (size_t n = strlen(format); n > 0 && format[n - 1] == '\n' && length > 0 && text[length - 1] == '\n';
       n--)
    length--, lines++;
  text[length] = '\0';
  for (const char *at = text; *at;) {
    at = prc_escape_character(at, shown);
    fputs(shown, to);
  }
  while (lines-- > 0) fputc('\n', to);
}

void cli_print(FILE *to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  print_line(to, format, args);
  va_end(args);
}

prc_text cli_text(FILE *to) {
  return (prc_text){print_line, to};
}

int cli_report(const prc_error *err) {
  cli_phase_end();
  if (err->status == PRC_INPUT) {
    fprintf(stderr, "%s\n", err->message);
    return CLI_WRONG;
  }
  fprintf(stderr, "percuss: %s\n", err->message);
  return CLI_FAILED;
}

static void write_log(void *to, prc_log_level level, const char *text) {
  (void)to;
  if (level == PRC_LOG_PHASE) {
    cli_phase(text);
    return;
  }
  if (level == PRC_LOG_WARNING && cli_family_has_said(text)) return;
  cli_phase_clear();
  fprintf(stderr, "%s%s\n", level == PRC_LOG_WARNING ? "warning: " : "", text);
}

static void write_warning(void *to, prc_log_level level, const char *text) {
  if (level == PRC_LOG_WARNING) write_log(to, level, text);
}

const prc_log cli_log = {write_log, NULL}, cli_log_warnings = {write_warning, NULL};
