/* Labels: long */
/* A thousand random scenarios: see test_random_scenarios.c. */
#define DEFAULT_SCENARIOS 1000
#include "tests/run/test_random_scenarios.c"
