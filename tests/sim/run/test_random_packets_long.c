/* Labels: long */
/* Four hundred random scenarios: see test_random_packets.c. */
#define DEFAULT_SCENARIOS 400
#include "tests/sim/run/test_random_packets.c"
