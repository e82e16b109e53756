/* Labels: long */
/* Four hundred random scenarios: see test_random_packets.c. */
#define DEFAULT_SCENARIOS 400
#include "tests/run/test_random_packets.c"
