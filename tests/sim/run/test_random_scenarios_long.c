/* Labels: long */
/* Two thousand random scenarios: see test_random_scenarios.c. */
#define DEFAULT_SCENARIOS 2000
#include "tests/sim/run/test_random_scenarios.c"
