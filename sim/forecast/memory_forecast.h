/* Memory forecast: how much of it a run takes at most, and its checkpoint on the disk. */
#ifndef FRS_FORECAST_MEMORY_FORECAST_H
#define FRS_FORECAST_MEMORY_FORECAST_H

#include "sim/forecast/basis.h"

/* Returns the most memory that was resident while rounds with training were played, plus what clients keep
 * by the end of the run beyond what they kept then. If no round could be played, all of it is estimated.
 * Sets *checkpoint to the bytes of the checkpoint by the end, 0 where none is kept. Changes the model,
 * which is of no use afterwards. */
double frs_memory_forecast(const struct frs_forecast_basis *basis, double n_rounds, double *checkpoint);

#endif
