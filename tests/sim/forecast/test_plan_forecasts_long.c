/* Labels: long */
/* Sixty random plans: see test_plan_forecasts.c. */
#define DEFAULT_PLANS 60
#include "tests/sim/forecast/test_plan_forecasts.c"
