#include "config.h"
#include "system/wholes.h"

void prc_wholes_begin(int n, int *above) {
  for (int b = 0; b <= n; b++) above[b] = b;
}

int prc_wholes_root(int *above, int b) {
  while (above[b] != b) above[b] = above[above[b]], b = above[b];
  return b;
}

void prc_wholes_tie(int *above, int a, int b) {
  const int root[2] = {prc_wholes_root(above, a), prc_wholes_root(above, b)};
  above[root[0] < root[1] ? root[0] : root[1]] = root[0] < root[1] ? root[1] : root[0];
}
