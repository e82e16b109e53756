/* Client population: measured clients, from a CSV file with a row for each (network.fleet, devices.fleet).
 *
 * Columns, any of them in any order: client, class (network_class and device_class, where the two differ),
 * weight, down_UNIT, up_UNIT, latency_UNIT (or rtt_UNIT, twice as much), speed_UNIT, memory_UNIT,
 * overhead_UNIT, per_sample_UNIT, with the unit in the name (down_bytes_per_s, up_Mbit_s, latency_ms,
 * memory_MiB); a value may have a unit of its own ("10 Mbps"). Every row has a value in every column. Files
 * of others name theirs otherwise, and the user says which is which. A client of the run corresponds to a
 * row: the one of its number, one that is drawn with replacement, or the next in turn. Columns that the file
 * lacks come from elsewhere.
 *
 * One file may hold both links and devices: a client then has the same row for both. */
#ifndef FRS_PLATFORMS_FLEET_FLEET_H
#define FRS_PLATFORMS_FLEET_FLEET_H

#include "platforms/presets/classes.h"
#include "platforms/tables/client_ids.h"
#include "sim/base/files/digest.h"
#include "sim/base/numbers/purposes.h"

enum frs_fleet_figure {
    FRS_FLEET_DOWN,
    FRS_FLEET_UP,
    FRS_FLEET_LATENCY,
    FRS_FLEET_SPEED,
    FRS_FLEET_MEMORY,
    FRS_FLEET_OVERHEAD,
    FRS_FLEET_PER_SAMPLE,
    FRS_FLEET_FIGURES
};

/* What the files of the two sections are read for, as bits. */
#define FRS_FLEET_OF_LINKS (1u << FRS_FLEET_DOWN | 1u << FRS_FLEET_UP | 1u << FRS_FLEET_LATENCY)
#define FRS_FLEET_OF_DEVICES                                                                                 \
    (1u << FRS_FLEET_SPEED | 1u << FRS_FLEET_MEMORY | 1u << FRS_FLEET_OVERHEAD | 1u << FRS_FLEET_PER_SAMPLE)

/* How clients and rows come together. */
enum frs_fleet_join { FRS_FLEET_ROWS, FRS_FLEET_SAMPLE, FRS_FLEET_IN_TURN };
extern const char *const frs_fleet_joins[]; /* "rows", "sample", "in_turn" */

/* What becomes of rows without a value in a column that counts. */
extern const char *const frs_fleet_empty[]; /* "refuse", "leave_out" */

/* The keys of a section that has a table. */
#define FRS_FLEET_PARAMS(columns)                                                                            \
    {.key = "fleet",                                                                                         \
        .is_path = true,                                                                                     \
        .type = FRS_TEXT,                                                                                    \
        .initial = "",                                                                                       \
        .help = "CSV file of a fleet of one's own, a row for each client, relative to the scenario: "        \
                "any of the columns client, class, " columns ", with their unit in the name "                \
                "(down_Mbit_s); what it has beats everything else that says so, what it has not is taken "   \
                "from what is given beside it"},                                                             \
        {.key = "fleet_assignment",                                                                          \
            .type = FRS_CHOICE,                                                                              \
            .initial = "rows",                                                                               \
            .choices = frs_fleet_joins,                                                                      \
            .help =                                                                                          \
                "with a table: rows: client i is the row with the number i in column client, without such "  \
                "a column the i-th row; sample: every client is a row drawn with replacement; in_turn: "     \
                "client i is row i, and behind the last row comes the first again"},                         \
        {.key = "fleet_empty",                                                                               \
            .type = FRS_CHOICE,                                                                              \
            .initial = "refuse",                                                                             \
            .choices = frs_fleet_empty,                                                                      \
            .help = "with a table: rows without a value in one of its columns, also where it is NaN, NULL, " \
                    "NA, None or \\N: refused, or left out and counted"},                                    \
    {                                                                                                        \
        .key = "fleet_columns", .type = FRS_TEXT, .initial = "",                                             \
        .help = "with a table of others: what its columns are, as in \"avg_d_kbps = down_kbit_s, tests = "   \
                "weight\"; those that are neither named here nor known are passed over; known: no other "    \
                "names, but others are passed over; empty: an unknown column is an error"                    \
    }

struct frs_fleet_row {
    uint32_t client, class;
    size_t line;
    double weight;                    /* how often it is drawn, with a column weight */
    double values[FRS_FLEET_FIGURES]; /* SI units */
};

struct frs_fleet {
    char *path;
    struct frs_digest digest; /* of the file's bytes */
    enum frs_fleet_join join;
    bool has_client, has_weight, has[FRS_FLEET_FIGURES];
    bool has_own_class;        /* the classes are those of links, or of devices, alone */
    struct frs_client_ids ids; /* with a column client */
    char *foreign;             /* columns that were passed over; NULL: none */
    const char *layout;        /* of the file (frs_csv_layout) */
    enum frs_purpose purpose;  /* of the draw */
    size_t n, n_in_file, capacity;
    size_t n_empty;                    /* rows without a value, left out */
    struct frs_fleet_row *rows;        /* [n]; in the order of column client, if there is one */
    double *upto;                      /* [n] sums of the weights; NULL: rows are alike */
    double *sorted[FRS_FLEET_FIGURES]; /* [n]; NULL without the column */
    double *shares[FRS_FLEET_FIGURES]; /* [n] of the weight up to each of these; NULL where rows are alike */
    size_t n_classes;                  /* 0: no column class */
    char *classes[FRS_MAX_CLASSES];    /* in the order of their first rows */
};

/* The figure that a column's name means, and its unit in the usual notation ("Mbit/s"); false for any
 * other name. */
#define FRS_FLEET_UNIT 24
bool frs_fleet_column(const char *name, enum frs_fleet_figure *figure, char unit[FRS_FLEET_UNIT]);

/* The digest of a file's bytes; false after adding an error. */
bool frs_fleet_digest(const char *path, struct frs_digest *digest, struct frs_errors *errors);

/* Reads the keys of a section; *fleet is NULL where no table is given. `figures`: a bit for each figure
 * that the section wants; the table needs one of them, or classes. Returns false after adding errors;
 * *fleet is then NULL, too. */
bool frs_fleet_read(const struct frs_values *values, unsigned figures, enum frs_purpose purpose,
    struct frs_fleet **fleet, struct frs_errors *errors);

void frs_fleet_destroy(struct frs_fleet *fleet); /* NULL is allowed */

/* Sorts the values of each figure, once the rows are there. */
void frs_fleet_sort(struct frs_fleet *fleet);

/* Call once the number of clients is known: rows beyond it are left out. Returns false after adding an
 * error if a client has no row, or a row no client. */
bool frs_fleet_settle(
    struct frs_fleet *fleet, const struct frs_values *values, uint32_t n_clients, struct frs_errors *errors);

/* The row a client is, and its place among `rows`. */
size_t frs_fleet_row_number(const struct frs_fleet *fleet, uint64_t seed, uint32_t client);
const struct frs_fleet_row *frs_fleet_of(const struct frs_fleet *fleet, uint64_t seed, uint32_t client);

/* Whether there is a file, and it has this figure. */
bool frs_fleet_has(const struct frs_fleet *fleet, enum frs_fleet_figure figure);

/* The client's place in the fleet by a figure that it has. Rows with the same value share the places
 * between their neighbours; `own` in (0, 1) decides among them. */
double frs_fleet_quantile(
    const struct frs_fleet *fleet, enum frs_fleet_figure figure, uint64_t seed, uint32_t client, double own);

/* The value that a share u of the rows does not exceed. */
double frs_fleet_value_at(const struct frs_fleet *fleet, enum frs_fleet_figure figure, double u);

/* Whether rows differ in a figure that the table has. */
bool frs_fleet_varies(const struct frs_fleet *fleet, enum frs_fleet_figure figure);

/* The number by which traces identify a client: that of its row, if clients may share rows and rows have
 * numbers; otherwise its own. `fleet` may be NULL. */
uint32_t frs_fleet_traced(const struct frs_fleet *fleet, uint64_t seed, uint32_t client);

/* Returns the presets that the classes of the table name, if every class is a preset and none is a mix
 * (`key`: the key of mixes, "network.classes"). Shares are those of the rows, and the order is the
 * table's. Empty otherwise. */
struct frs_classes frs_fleet_presets(
    const struct frs_fleet *fleet, const struct frs_preset *const *presets, const char *key);

/* Reports that a table has no column of a figure and nothing else gives it; returns false. `key`: the key
 * of the section that would give it ("uplink"). */
bool frs_fleet_lacks(const struct frs_fleet *fleet, const struct frs_values *values,
    enum frs_fleet_figure figure, const char *key, struct frs_errors *errors);

/* "fleet.csv: 3 rows, one for each client, with downlink and class": of these figures. Freed by the caller.
 */
char *frs_fleet_describe(const struct frs_fleet *fleet, unsigned figures);

/* Whether a section with a distribution has more than its defaults: set in the section itself, or by a
 * named preset of `owner`, the section above it. */
bool frs_fleet_is_told(const struct frs_values *values, const struct frs_values *owner);

#endif
