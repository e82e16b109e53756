/* Labels: long */
/* With all rounds of the smallest messages: see test_communication_time.c. */
#define MANY_ROUNDS 1000
#include "tests/oracle/test_communication_time.c"
