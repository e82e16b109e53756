/* snap.stanford.edu: check-ins of Gowalla and Brightkite, "user TAB time TAB latitude TAB longitude TAB
 * place". */
#include "algorithms/data/formats/format.h"

#include <math.h>

static bool recognise(struct frs_field head) {
    struct frs_fields fields;
    double ignored;
    return frs_head_split(&head, "tab", &fields) && fields.n == 5 &&
           frs_time_read(fields.at[1], &ignored) == FRS_TIME_DATE &&
           frs_field_number(fields.at[2], &ignored) && frs_field_number(fields.at[3], &ignored);
}

static enum frs_status lay_out(struct frs_reading *reading, struct frs_layout *layout) {
    (void)reading;
    *layout = (struct frs_layout){
        .separator = frs_separator_of("tab"),
        .n_fields = 5,
        .columns = {0, 4, FRS_NO_COLUMN, 1},
        .max_value = INFINITY,
    };
    return FRS_OK;
}

const struct frs_data_format frs_data_format_gowalla = {
    .name = "gowalla",
    .summary = "user, time, latitude, longitude and place, by tabs (check-ins of Gowalla and Brightkite)",
    .counts = true,
    .recognise = recognise,
    .lay_out = lay_out,
};
