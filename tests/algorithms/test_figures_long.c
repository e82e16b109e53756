/* Labels: long */
/* All of the figures: see test_figures.c. */
#define IS_LONG true
#include "tests/algorithms/test_figures.c"
