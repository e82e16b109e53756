/* Labels: long */
/* Five times as many random rounds: see test_backends.c. */
#define CASES(n) (n)
#include "tests/actors/backends/test_backends.c"
