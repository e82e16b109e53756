/* Labels: long */
/* Sixty random plans, all of them with states of devices: see test_plan_forecasts.c. Others:
 *
 *   FRS_RANDOM_FIRST=1001 test_plan_forecasts_of_states_long */
#define DEFAULT_PLANS 60
#define ALWAYS_STATES true
#include "tests/sim/forecast/test_plan_forecasts.c"
