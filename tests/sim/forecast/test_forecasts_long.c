/* Labels: long */
/* Sixty random scenarios, two thirds of them too long to be simulated beforehand, and how long check takes:
 * see test_forecasts.c. Others:
 *
 *   FRS_RANDOM_FIRST=1001 test_forecasts_long */
#define DEFAULT_FORECASTS 60
#define SCALES 3
#define MOST_CHECK 1.15 /* and what starting a process takes on a busy machine */
#include "tests/sim/forecast/test_forecasts.c"
