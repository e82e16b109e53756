/* Labels: long */
/* The mean of three seeds: see test_published_quality.c. */
#define N_SEEDS 3
#include "tests/oracle/test_published_quality.c"
