/* user_artists.dat of HetRec 2011, "user TAB artist TAB play count", by falling play count; no time. Copies
 * exist with and without a header line. */
#include "algorithms/data/formats/format.h"

#include <math.h>

static bool recognise(struct frs_field head) {
    struct frs_fields fields;
    return frs_head_split(&head, "tab", &fields) && fields.n == 3 && frs_field_is(fields.at[0], "userID") &&
           frs_field_is(fields.at[1], "artistID") && frs_field_is(fields.at[2], "weight");
}

static enum frs_status lay_out(struct frs_reading *reading, struct frs_layout *layout) {
    (void)reading;
    *layout = frs_layout_plain("tab", 3, INFINITY);
    layout->header = FRS_HEADER_MAYBE;
    return FRS_OK;
}

const struct frs_data_format frs_data_format_lastfm = {
    .name = "lastfm",
    .summary = "user, artist and play count, by tabs (user_artists.dat of HetRec 2011)",
    .counts = true,
    .recognise = recognise,
    .lay_out = lay_out,
};
