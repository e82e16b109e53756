/* Labels: long */
/* Sixty random plans: see test_load_forecasts.c. Others:
 *
 *   FRS_RANDOM_FIRST=1001 test_load_forecasts_long */
#define DEFAULT_PLANS 60
#include "tests/sim/forecast/test_load_forecasts.c"
