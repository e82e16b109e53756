/* Parameters of the sections that belong to the run itself, and to no plug-in. */
#ifndef FRS_RUN_COMPOSE_PARAMS_H
#define FRS_RUN_COMPOSE_PARAMS_H

#include "sim/base/params.h"

/* Own keys of the sections `codec.uplink`, `codec.downlink`, `rounds`, `rounds.selection`, `engine`,
 * `training` and `output`. */
extern const struct frs_param frs_uplink_params[];
extern const struct frs_param frs_downlink_params[];
extern const struct frs_param frs_rounds_params[];
extern const struct frs_param frs_selection_params[];
extern const struct frs_param frs_engine_params[];
extern const struct frs_param frs_training_params[];
extern const struct frs_param frs_output_params[];

/* Of engine.player, and choices of training.uploads. */
extern const char *const frs_player_names[];
enum { FRS_UPLOADS_AUTO, FRS_UPLOADS_KEPT, FRS_UPLOADS_AGAIN };

#endif
