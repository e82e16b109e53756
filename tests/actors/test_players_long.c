/* Labels: long */
/* Five times as many random rounds: see test_players.c. */
#define CASES(n) (n)
#include "tests/actors/test_players.c"
