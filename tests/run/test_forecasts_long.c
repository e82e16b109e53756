/* Labels: long */
/* Sixty random scenarios: see test_forecasts.c. */
#define DEFAULT_FORECASTS 60
#include "tests/run/test_forecasts.c"
