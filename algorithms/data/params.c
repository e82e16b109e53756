/* The keys of sections data and evaluation. */
#include "algorithms/data/data.h"
#include "algorithms/data/settings.h"

#include <math.h>

/* The choices are numbered in settings.h. */
static const char *const formats[] = {"auto", "synthetic",
#define DATA_FORMAT(name, text) text,
#include "algorithms/data/formats/formats.def"
#undef DATA_FORMAT
    NULL};
static const char *const synthetics[] = {"ml-100k", "ml-1m", "small", "custom", NULL};
static const char *const feedbacks[] = {"implicit", "explicit", NULL};
static const char *const splits[] = {"leave-one-out", "ratio", "given", "date", NULL};
static const char *const empty_ids[] = {[FRS_EMPTY_REFUSE] = "refuse",
    [FRS_EMPTY_LEAVE_OUT] = "leave_out",
    [FRS_EMPTY_KEEP] = "keep_words",
    NULL};
static const char *const empty_ratings[] = {
    [FRS_EMPTY_REFUSE] = "refuse", [FRS_EMPTY_LEAVE_OUT] = "leave_out", NULL};
static const char *const repeats[] = {"newest", "oldest", "mean", NULL};
static const char *const validations[] = {"hold_out", "train", NULL};
static const char *const orders[] = {"auto", "time", "file", "item_id", "random", NULL};
static const char *const ties[] = {"later", "earlier", "random", NULL};
static const char *const protocols[] = {"honest", "leaky", "lookahead", NULL};
static const char *const candidates[] = {"sampled", "full", NULL};
/* As enum frs_score_ties. */
static const char *const score_ties[] = {"against", "mean", "random", NULL};
static const char *const views[] = {"server", "device", NULL};
static const char *const baselines[] = {
#define NON_FEDERATED(name) #name,
#include "algorithms/non_federated/non_federated.def"
#undef NON_FEDERATED
    NULL};

#define CHOICE(key_, initial_, choices_, help_)                                                              \
    { .key = key_, .type = FRS_CHOICE, .initial = initial_, .choices = choices_, .help = help_ }
#define INT(key_, initial_, min_, max_, help_)                                                               \
    { .key = key_, .type = FRS_INT, .initial = initial_, .min = min_, .max = max_, .help = help_ }
#define REAL(key_, initial_, min_, max_, help_)                                                              \
    { .key = key_, .type = FRS_REAL, .initial = initial_, .min = min_, .max = max_, .help = help_ }
#define TEXT(key_, initial_, help_)                                                                          \
    { .key = key_, .type = FRS_TEXT, .initial = initial_, .help = help_ }
#define PATH(key_, help_)                                                                                    \
    { .key = key_, .type = FRS_TEXT, .is_path = true, .initial = "", .help = help_ }

const struct frs_param frs_data_params[] = {
    CHOICE("format", "auto", formats,
        "how the file at data.path is laid out, or the built-in generator (synthetic); auto: as the first "
        "lines of the file look (check and fedrecsim data say how), and synthetic where no file is named"),
    PATH("path", "data file, also compressed (gzip, zstd, xz), relative to the scenario; as in every path ~, "
                 "$NAME and ${NAME} are expanded"),
    PATH("test_path",
        "a file with the test interactions, laid out as data.path, which then has those for training: the "
        "split is given"),
    PATH("validation_path", "the same of the validation interactions; needs data.test_path"),
    CHOICE("synthetic", "ml-100k", synthetics,
        "distribution of the generated data; custom: set by the keys below"),
    INT("synthetic_seed", "1", 0, 4294967295.0, "which generated data set; independent of the run's seed"),
    INT("users", "1000", 1, 1e8, "custom: users, each with at least data.min_interactions"),
    INT("items", "2000", 2, 1e8, "custom: items, each with at least one interaction"),
    INT("interactions", "100000", 2, 4e9, "custom: interactions"),
    REAL("activity_spread", "1.8", 0, 10, "custom: log-scale spread of the interactions per user"),
    REAL("activity_ceiling", "0.3", 0.001, 0.9, "custom: share of the items a user has at most"),
    REAL("popularity_exponent", "1.18", 0, 100,
        "custom: s of the popularity distribution (rank + q)^-s (1 - rank/m)^t"),
    REAL("popularity_offset", "0.056", 0, 100, "custom: q of that distribution, as a share of the items"),
    REAL("popularity_tail", "1.06", 0, 100, "custom: t of that distribution; 0 is Zipf-Mandelbrot"),
    INT("tastes", "22", 1, 256, "custom: rank of the planted preferences"),
    INT("taste_factors", "8", 0, 64,
        "custom: directions in which tastes differ; 0: every taste is a direction of its own"),
    REAL("taste_strength", "3.57", 0, 10, "custom: how much an item differs between tastes (log scale)"),
    REAL("taste_decay", "1.04", 0, 10,
        "custom: direction f matters f^-taste_decay times as much as the first"),
    REAL("mainstream", "1", 0, 10,
        "custom: by how much tastes differ in their liking of popular items (exponent of popularity)"),
    REAL("taste_focus", "4.28", 0, 20, "custom: how few of the tastes a user has (log scale)"),
    REAL("breadth", "0.1", 0, 2,
        "custom: taste_focus falls with the user's activity to the power of -breadth"),
    REAL("calendar_drift", "1.24", 0, 20,
        "custom: by how much an item's popularity changes over the calendar (log scale)"),
    REAL("drift", "2.2", 0, 20,
        "custom: by how much newer interactions of a user are less popular (log scale)"),
    REAL("drift_growth", "0.58", 0, 2, "custom: drift grows with the user's activity to this power"),
    REAL("tied", "0.45", 0, 0.99, "custom: share of interactions that have the time of the one before"),
    REAL("quality_spread", "0.48", 0, 10, "custom, ratings: how different items of one popularity are liked"),
    REAL("quality_growth", "0.32", 0, 10,
        "custom, ratings: how much more an item is liked that is e times as popular"),
    CHOICE("feedback", "implicit", feedbacks,
        "implicit: values above 0, or from data.positive_from on, are interactions; explicit: ratings"),
    {.key = "unrated",
        .type = FRS_REAL,
        .initial = "none",
        .none = true,
        .help = "a value that means that there is no rating, such as -1 or 99: its rows are left out first"},
    {.key = "positive_from",
        .type = FRS_REAL,
        .initial = "none",
        .none = true,
        .help = "implicit: smallest value of a positive, rows below are left out; none: any above 0"},
    CHOICE("repeated", "newest", repeats,
        "of several rows of one user and item the newest (by time, then row), the oldest, or the newest with "
        "the mean "
        "value"),
    INT("min_interactions", "10", 1, 1e6, "users with fewer distinct items are left out"),
    INT("min_users_per_item", "1", 1, 1e6,
        "items with fewer distinct users are left out, in turns with data.min_interactions until both hold "
        "(k-core)"),
    INT("clients", "0", 0, 4294967295.0,
        "explicit: so many clients of floor(users/clients) users each, the last users left out; 0: every "
        "user is a client"),
    CHOICE("split", "leave-one-out", splits,
        "hold out each user's newest interaction, a random share, what data.test_path has (given, the "
        "default "
        "where it is set), or all from one time on (date)"),
    INT("split_seed", "-1", -1, 4294967295.0,
        "seed of what the split draws (shares, random order, random ties); -1: the run's seed"),
    TEXT("test_from", "",
        "split = date: interactions from this time on are test: a number as in the data, a date such as "
        "2019-06-30 in UTC, "
        "or a share such as \"80 %\" of all interactions that are older"),
    TEXT("validation_from", "",
        "split = date: the same of validation, which ends where test begins; empty: none"),
    REAL("test_ratio", "0.2", 0.001, 0.9, "ratio: share of each user's interactions that is test"),
    REAL("validation_ratio", "0", 0, 0.9,
        "ratio: share of each user's interactions that is validation, taken from training: "
        "best_by_validation in summary.json goes by it"),
    CHOICE("validation", "hold_out", validations, "leave-one-out: what becomes of the second newest"),
    CHOICE(
        "order", "auto", orders, "leave-one-out: what newest means; auto: time if there is any, else random"),
    CHOICE("ties", "later", ties,
        "order by time: of interactions of one time, which row of the file is the newer; random: drawn for "
        "every seed (where file order counts and time does not: order = file)"),
    INT("negatives_per_positive", "4", 1, 1000, "training negatives per training interaction"),
    TEXT("csv_separator", ",", "csv: one or more characters between fields, tab, or blanks (runs of them)"),
    {.key = "csv_header",
        .type = FRS_BOOL,
        .initial = "true",
        .help = "csv: the first line names the columns"},
    TEXT("csv_user", "1", "csv: column of the user, counted from 1 or by name; json: name of its field"),
    TEXT("csv_item", "2", "csv, json: the same of the item"),
    TEXT("csv_value", "", "csv, json: the same of the rating or count; empty: every row counts as 1"),
    TEXT("csv_time", "",
        "csv, json: the same of the time, a number (larger is newer) or a date such as "
        "2001-01-31T22:30:45Z; empty: the data has no time"),
    TEXT("csv_where", "",
        "csv, json: which lines are interactions, by the text of a column, counted from 1 or by name: "
        "\"behavior = buy, cart\"; empty: all"),
    {.key = "csv_quotes",
        .type = FRS_BOOL,
        .initial = "true",
        .help = "csv: a field in double quotes may hold separators; false: quotes are part of the text"},
    CHOICE("empty_ids", "refuse", empty_ids,
        "lines without a user or item id, also where it is NaN, NULL, NA, None or \\N: refused, or left out "
        "and "
        "counted; keep_words: such words are ids"),
    CHOICE("empty_ratings", "refuse", empty_ratings,
        "lines without a rating, also where it is NaN, NULL, NA, None or \\N: refused, or left out and "
        "counted"),
    {.key = NULL},
};

const struct frs_param frs_evaluation_params[] = {
    CHOICE("protocol", "honest", protocols,
        "what training negatives are never drawn from: training items; leaky: also held-out items; "
        "lookahead: also the evaluation's negatives"),
    CHOICE("candidates", "sampled", candidates,
        "rank the held-out item among sampled negatives, or among all items without interaction"),
    INT("negatives", "99", 1, 1e6, "candidates = sampled: negatives per user, drawn once"),
    PATH("negatives_path",
        "candidates = sampled: a file with them, a line for each user, in place of drawn ones (test.negative "
        "of NCF)"),
    {.key = "k",
        .type = FRS_INTS,
        .initial = "10",
        .min = 1,
        .max = 1e6,
        .help = "cut-offs K of HR@K, NDCG@K, Recall@K, Precision@K, MRR@K and MAP@K; targets and the best "
                "round go "
                "by the first one"},
    CHOICE("ties", "against", score_ties,
        "a held-out item and candidates of the same score: against (it is behind them), mean (figures are "
        "their means "
        "over all orders) or random (an order is drawn for each user)"),
    INT("every", "1", 1, 1e9, "rounds between evaluations; the last round is always evaluated"),
    CHOICE("view", "server", views,
        "evaluate the server's current table, or what each client holds: what it has downloaded last, and "
        "its own private state"),
    {.key = "information_loss",
        .type = FRS_BOOL,
        .initial = "false",
        .help = "measure what lossy codecs leave out of updates (or tables): mean squared errors in "
                "summary.json"},
    {.key = "structure",
        .type = FRS_BOOL,
        .initial = "false",
        .help = "measure, in summary.json, what figures of papers show of updates and of the item table: "
                "principal components of an upload, groups of rows in the server's update, sizes of values"},
    {.key = "non_federated",
        .type = FRS_LIST,
        .initial = "popularity,item_mean",
        .choices = baselines,
        .help = "recommenders without federation to report beside the run"},
    {.key = "target",
        .type = FRS_TEXT,
        .initial = "",
        .help = "summary.json tells when it was reached, by the validation items (\"test.hr@10\": by the "
                "test items): \"hr@10 >= 0.5\", \"hr@10 >= popularity + 0.03\" "
                "(the default where popularity is reported), \"rmse <= 0.95\", \"none\""},
    {.key = NULL},
};
