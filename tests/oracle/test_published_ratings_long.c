/* Labels: long */
/* The other methods: see test_published_ratings.c. */
#define FIRST_METHOD 2
#define N_METHODS 3
#include "tests/oracle/test_published_ratings.c"
