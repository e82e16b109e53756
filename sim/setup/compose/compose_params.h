/* Parameters of the sections that belong to the run itself, and to no plug-in. */
#ifndef FRS_SETUP_COMPOSE_COMPOSE_PARAMS_H
#define FRS_SETUP_COMPOSE_COMPOSE_PARAMS_H

#include "sim/base/limits.h"
#include "sim/base/settings/param.h"

/* Own keys of the sections `codec.uplink`, `codec.downlink`, `rounds`, `rounds.selection`, `engine`,
 * `training` and `output`. */
extern const struct frs_param frs_uplink_params[];
extern const struct frs_param frs_downlink_params[];
extern const struct frs_param frs_rounds_params[];
extern const struct frs_param frs_selection_params[];
extern const struct frs_param frs_engine_params[];
extern const struct frs_param frs_training_params[];
extern const struct frs_param frs_output_params[];
extern const struct frs_param frs_peers_params[]; /* section `peers` */

/* Values of their keys that are choices. */
enum frs_server_table { FRS_SERVER_TABLE_DECODED, FRS_SERVER_TABLE_EXACT };
enum frs_stragglers { FRS_STRAGGLERS_CUT, FRS_STRAGGLERS_RUN_ON };
enum frs_backend_choice { FRS_BACKEND_AUTO, FRS_BACKEND_ACTORS, FRS_BACKEND_CALENDAR, FRS_BACKEND_SIMGRID };
enum frs_messages { FRS_MESSAGES_EXACT, FRS_MESSAGES_WHOLE };
enum frs_uploads { FRS_UPLOADS_AUTO, FRS_UPLOADS_KEPT, FRS_UPLOADS_AGAIN };

extern const char *const frs_backend_names[];

/* SimGrid maps two areas of memory for each actor; Linux lets a process have 65,530 (vm.max_map_count). */
#define FRS_MOST_ACTORS FRS_LIMIT_ACTORS

#endif
