/* wholes: what joints and springs tie together, of bodies 0 to n - 1 and n, the ground with all that is driven. */
#ifndef PRC_WHOLES_H
#define PRC_WHOLES_H

/* above: n + 1; roots are the last of theirs, so that n is one. */
void prc_wholes_begin(int n, int *above);
void prc_wholes_tie(int *above, int a, int b);
int prc_wholes_root(int *above, int b);

#endif
