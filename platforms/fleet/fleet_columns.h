/* Fleet columns: what the columns of a table of clients hold, from the names in its first line. */
#ifndef FRS_PLATFORMS_FLEET_FLEET_COLUMNS_H
#define FRS_PLATFORMS_FLEET_FLEET_COLUMNS_H

#include "platforms/fleet/fleet.h"
#include "sim/base/files/csv.h"

/* What a column holds that is no figure. */
enum {
    FRS_COLUMN_CLIENT = FRS_FLEET_FIGURES,
    FRS_COLUMN_CLASS,
    FRS_COLUMN_WEIGHT,
    FRS_COLUMN_FOREIGN,
    FRS_COLUMN_KINDS
};

struct frs_fleet_column {
    size_t kind;               /* enum frs_fleet_figure, or one of the above */
    char unit[FRS_FLEET_UNIT]; /* of a figure, as units are written: "Mbit/s" */
    double share;              /* of what it says: half of a round trip is a latency; otherwise 1 */
};

/* A figure: its name and its column in SI units, what its values are called, the least of them. */
struct frs_fleet_figure_info {
    const char *name, *usual, *what;
    enum frs_dimension dimension;
    double least;
};
extern const struct frs_fleet_figure_info frs_fleet_figures[FRS_FLEET_FIGURES];

/* Reads the names of `csv` into columns [csv->n_columns], and notes in `fleet` what it has. `names`: what the
 * user says of names ("avg_d_kbps = down_kbit_s, tests = weight", "known", or ""). `figures`: those that the
 * section wants, which say whose column of classes counts. Returns false after adding an error; unknown
 * columns are one, unless `names` says something. */
bool frs_fleet_read_columns(struct frs_csv *csv, const char *section, const char *names, unsigned figures,
    struct frs_fleet_column *columns, struct frs_fleet *fleet, struct frs_errors *errors);

#endif
