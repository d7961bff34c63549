#include "config.h"
#include "support/support.h"

int main(void) {
  Suite *suite = suite_create("step");
  return support_run(suite);
}
