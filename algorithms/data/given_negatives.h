/* Given negatives: the evaluation's candidates from a file (evaluation.negatives_path). */
#ifndef FRS_ALGORITHMS_DATA_GIVEN_NEGATIVES_H
#define FRS_ALGORITHMS_DATA_GIVEN_NEGATIVES_H

#include "algorithms/data/data.h"
#include "algorithms/data/interactions.h"
#include "algorithms/data/read_rows.h"

/* Reads a file with a line for each user, "(user,item) TAB item TAB item …" or "user TAB item TAB item …",
 * into data->negatives and sets data->n_negatives. Every user of `data` has one line, and every line as many
 * items, which are none of the user's own. Lines of users who were left out are passed over. `ids` are those
 * of the rows that `interactions` was arranged from. */
enum frs_status frs_given_negatives_read(struct frs_data *data, const struct frs_read_ids *ids,
    const struct frs_interactions *interactions, const char *path, struct frs_digest *digest,
    struct frs_errors *errors) FRS_MUST_CHECK;

#endif
