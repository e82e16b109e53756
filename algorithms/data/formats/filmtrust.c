/* ratings.txt of FilmTrust, "user item rating"; no time. Copies exist with blanks, tabs and commas. */
#include "algorithms/data/formats/format.h"

#include <string.h>

static enum frs_status lay_out(struct frs_reading *reading, struct frs_layout *layout) {
    struct frs_field head = reading->head, line = {NULL, 0};
    bool comma = !frs_head_line(&head, &line) || memchr(line.text, ',', line.n);
    *layout = frs_layout_plain(comma ? "," : "blanks", 3, 5);
    return FRS_OK;
}

const struct frs_data_format frs_data_format_filmtrust = {
    .name = "filmtrust",
    .summary = "user, item and rating, by blanks, tabs or commas (ratings.txt of FilmTrust)",
    .lay_out = lay_out,
};
