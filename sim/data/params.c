#include "sim/data/data.h"
#include "sim/data/settings.h"

#include <math.h>

/* The choices are numbered in settings.h. */
static const char *const formats[] = {
    "synthetic", "movielens-100k", "movielens-1m", "filmtrust", "lastfm", "csv", NULL};
static const char *const synthetics[] = {"ml-100k", "ml-1m", "small", "custom", NULL};
static const char *const feedbacks[] = {"implicit", "explicit", NULL};
static const char *const splits[] = {"leave-one-out", "ratio", NULL};
static const char *const validations[] = {"hold_out", "train", NULL};
static const char *const orders[] = {"auto", "time", "file", "item_id", "random", NULL};
static const char *const protocols[] = {"honest", "leaky", "lookahead", NULL};
static const char *const candidates[] = {"sampled", "full", NULL};
static const char *const views[] = {"server", "device", NULL};
static const char *const references[] = {
    "popularity", "local_only", "centralised_mf", "item_knn", "item_mean", NULL};

#define CHOICE(key_, initial_, choices_, help_)                                                              \
    { .key = key_, .type = FRS_CHOICE, .initial = initial_, .choices = choices_, .help = help_ }
#define INT(key_, initial_, min_, max_, help_)                                                               \
    { .key = key_, .type = FRS_INT, .initial = initial_, .min = min_, .max = max_, .help = help_ }
#define REAL(key_, initial_, min_, max_, help_)                                                              \
    { .key = key_, .type = FRS_REAL, .initial = initial_, .min = min_, .max = max_, .help = help_ }
#define TEXT(key_, initial_, help_)                                                                          \
    { .key = key_, .type = FRS_TEXT, .initial = initial_, .help = help_ }

const struct frs_param frs_data_params[] = {
    CHOICE(
        "format", "synthetic", formats, "the built-in generator, or how the file at data.path is laid out"),
    TEXT("path", "", "data file, relative to the working directory; a leading $FEDRECSIM_DATA/ is expanded"),
    CHOICE("synthetic", "ml-100k", synthetics,
        "size and law of the generated data; custom: set by the keys below"),
    INT("synthetic_seed", "1", 0, 4294967295.0, "which generated data set; independent of the run's seed"),
    INT("users", "1000", 1, 1e8, "synthetic = custom: users"),
    INT("items", "2000", 2, 1e8, "synthetic = custom: items; each gets at least one interaction"),
    INT("interactions", "100000", 2, 4e9, "synthetic = custom: interactions"),
    REAL(
        "activity_spread", "1.5", 0, 10, "synthetic = custom: log-scale spread of the interactions per user"),
    REAL("activity_ceiling", "0.3", 0.001, 0.9, "synthetic = custom: share of the items a user has at most"),
    REAL("popularity_exponent", "1.2", 0, 100,
        "synthetic = custom: s of the Zipf-Mandelbrot law (rank + q)^-s"),
    REAL("popularity_offset", "0.05", 0, 100, "synthetic = custom: q of that law, as a share of the items"),
    INT("tastes", "12", 1, 256, "synthetic = custom: rank of the planted preferences"),
    REAL(
        "taste_strength", "1.2", 0, 10, "synthetic = custom: how much an item's draw differs between tastes"),
    CHOICE("feedback", "implicit", feedbacks,
        "implicit: a value above 0 is an interaction; explicit: ratings are kept"),
    INT("min_interactions", "10", 1, 1e6, "users with fewer distinct items are left out"),
    CHOICE(
        "split", "leave-one-out", splits, "hold out the newest interactions of each user, or a random share"),
    REAL("test_ratio", "0.2", 0.001, 0.9, "split = ratio: share of each user's interactions that is test"),
    REAL("validation_ratio", "0", 0, 0.9,
        "split = ratio: share of each user's interactions that is validation"),
    CHOICE("validation", "hold_out", validations,
        "split = leave-one-out: hold the second-newest interaction out for validation, or train on it"),
    CHOICE("order", "auto", orders,
        "what makes an interaction the newest; auto: time where the data has it, else random"),
    INT("negatives_per_positive", "4", 1, 1000, "training negatives per training interaction"),
    TEXT("csv_separator", ",", "format = csv: one or more characters between fields, or tab"),
    {.key = "csv_header",
        .type = FRS_BOOL,
        .initial = "true",
        .help = "format = csv: the first line names the columns"},
    TEXT("csv_user", "1", "format = csv: column of the user, counted from 1 or by name"),
    TEXT("csv_item", "2", "format = csv: column of the item"),
    TEXT("csv_value", "", "format = csv: column of the rating or count; empty: every row counts as 1"),
    TEXT("csv_time", "", "format = csv: column of the time, larger is newer; empty: the data has no time"),
    {.key = NULL},
};

const struct frs_param frs_evaluation_params[] = {
    CHOICE("protocol", "honest", protocols,
        "what training negatives are never drawn from: training items; leaky: also held-out items; "
        "lookahead: also the "
        "evaluation's negatives"),
    CHOICE("candidates", "sampled", candidates,
        "rank the held-out item among sampled negatives, or among all items without interaction"),
    INT("negatives", "99", 1, 1e6, "candidates = sampled: negatives per user, drawn once"),
    INT("k", "10", 1, 1e6, "cut-off of HR@k and NDCG@k"),
    INT("every", "1", 1, 1e9, "rounds between evaluations; the last round is always evaluated"),
    CHOICE("view", "server", views, "evaluate the server's current table, or what each client holds"),
    {.key = "references",
        .type = FRS_LIST,
        .initial = "popularity",
        .choices = references,
        .help = "recommenders without federation to report beside the run"},
    {.key = NULL},
};
