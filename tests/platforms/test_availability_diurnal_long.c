/* Labels: long */
/* Four times as many clients: see test_availability_diurnal.c. */
#define CASES(n) (n)
#include "tests/platforms/test_availability_diurnal.c"
