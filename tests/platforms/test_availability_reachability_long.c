/* Labels: long */
/* Four hundred random compositions: see test_availability_reachability.c. */
#define N_COMPOSITIONS 400
#include "tests/platforms/test_availability_reachability.c"
