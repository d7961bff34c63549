#include "config.h"
#include "support/support.h"

int main(void) {
  Suite *suite = suite_create("ledger");
  return support_run(suite);
}
