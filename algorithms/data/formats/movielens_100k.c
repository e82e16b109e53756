/* grouplens.org: u.data of MovieLens 100K, "user TAB item TAB rating TAB unix time". */
#include "algorithms/data/formats/format.h"

static bool recognise(struct frs_field head) {
    struct frs_fields fields;
    double numbers[4];
    if (!frs_head_split(&head, "tab", &fields) || fields.n != 4)
        return false;
    for (int i = 0; i < 4; i++)
        if (!frs_field_number(fields.at[i], &numbers[i]))
            return false;
    return numbers[2] >= 1 && numbers[2] <= 5 && numbers[3] > 1e8 && numbers[3] < 1e11;
}

static enum frs_status lay_out(struct frs_reading *reading, struct frs_layout *layout) {
    (void)reading;
    *layout = frs_layout_plain("tab", 4, 5);
    return FRS_OK;
}

const struct frs_data_format frs_data_format_movielens_100k = {
    .name = "movielens-100k",
    .summary = "user, item, rating and time, by tabs (u.data of MovieLens-100K)",
    .recognise = recognise,
    .lay_out = lay_out,
};
