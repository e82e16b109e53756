/* grouplens.org: ratings.dat of MovieLens 1M and 10M, "user::item::rating::unix time". */
#include "algorithms/data/formats/format.h"

static bool recognise(struct frs_field head) {
    struct frs_fields fields;
    return frs_head_split(&head, "::", &fields) && fields.n == 4;
}

static enum frs_status lay_out(struct frs_reading *reading, struct frs_layout *layout) {
    (void)reading;
    *layout = frs_layout_plain("::", 4, 5);
    return FRS_OK;
}

const struct frs_data_format frs_data_format_movielens_1m = {
    .name = "movielens-1m",
    .summary = "user::item::rating::time (ratings.dat of MovieLens-1M and -10M)",
    .recognise = recognise,
    .lay_out = lay_out,
};
