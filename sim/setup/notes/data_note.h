/* Data note: what the preparation of the data left and what a user should know of it, for people and for
 * programs. */
#ifndef FRS_SETUP_NOTES_DATA_NOTE_H
#define FRS_SETUP_NOTES_DATA_NOTE_H

#include "sim/setup/setup.h"

#include <jansson.h>
#include <stdio.h>

/* Prints a line for each step that the user set or that left out something, one for the split and one for
 * each note, in two columns, of which the first is `width` wide. */
void frs_data_steps_print(const struct frs_data *data, int width, FILE *out);

/* [{step, key, value, rows, users, items}, …], items null where they are not known; [{topic, text}, …]. */
json_t *frs_data_steps_array(const struct frs_data *data);
json_t *frs_data_notes_array(const struct frs_data *data);

#endif
