#include "sim/setup/compose/compose_params.h"
#include "actors/opening/check_in.h"
#include "actors/opening/pacing.h"
#include "sim/base/limits.h"
#include "sim/setup/setup.h"

#include <math.h>
#include <stdint.h>

#define ERROR_FEEDBACK_PARAM(what)                                                                           \
    {                                                                                                        \
        .key = "error_feedback", .type = FRS_BOOL, .initial = "false",                                       \
        .help = "lossy codecs: what was left out of " what " is added to the next one"                       \
    }

static const char *const server_table_names[] = {
    [FRS_SERVER_TABLE_DECODED] = "decoded", [FRS_SERVER_TABLE_EXACT] = "exact", NULL};

const struct frs_param frs_uplink_params[] = {ERROR_FEEDBACK_PARAM("a client's update"), {0}};

const struct frs_param frs_downlink_params[] = {
    ERROR_FEEDBACK_PARAM("the server's update"),
    {.key = "server_table",
        .type = FRS_CHOICE,
        .initial = "decoded",
        .choices = server_table_names,
        .help = "lossy codecs over updates: what the server adds to its own table, the update as its clients "
                "decode it, or exactly as it is (the clients' tables then drift away)"},
    {0},
};

static const char *const straggler_names[] = {
    [FRS_STRAGGLERS_CUT] = "cut", [FRS_STRAGGLERS_RUN_ON] = "run_on", NULL};

const struct frs_param frs_rounds_params[] = {
    {.key = "count",
        .type = FRS_INT,
        .initial = "500",
        .min = 1,
        .max = FRS_LIMIT_ROUNDS,
        .help = "rounds to simulate"},
    {.key = "cohort",
        .type = FRS_SHARE,
        .initial = "10 %",
        .help =
            "clients wanted in every round, or under way at any time (buffered_async): a count, or a share "
            "of all"},
    {.key = "edge_rounds",
        .type = FRS_INT,
        .initial = "1",
        .min = 1,
        .max = 100,
        .help =
            "network.edges.partial_sums: how often the clients of a round train and their edge aggregates, "
            "with a model of its own, for one aggregation at the server (hierarchical FedAvg); 1: edges "
            "only add up what the server aggregates"},
    {.key = "stop_tolerance",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 1,
        .help = "the run ends when an aggregation changes the server's tables by no more than this share of "
                "their length, ||dV||/||V||; 0: never"},
    {.key = "stop_min_rounds",
        .type = FRS_INT,
        .initial = "10",
        .min = 1,
        .max = 1e9,
        .help = "stop_tolerance: not before so many rounds"},
    {.key = "stop_time",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "unlimited",
        .min = 0,
        .max = INFINITY,
        .unlimited = true,
        .help = "the run ends with the first round that closes at this simulated time or later"},
    {.key = "stop_at_target",
        .type = FRS_BOOL,
        .initial = "false",
        .help =
            "the run ends with the first evaluation that reaches evaluation.target, whose bar has to be a "
            "number"},
    {.key = "stragglers",
        .type = FRS_CHOICE,
        .initial = "cut",
        .choices = straggler_names,
        .help =
            "clients still under way when the policy closes a round: cut (stopped at once), run_on (they go "
            "on, are late, and are not selected again before they have ended)"},
    FRS_PACING_PARAMS,
    FRS_ELIGIBLE_PARAM,
    {0},
};

const struct frs_param frs_selection_params[] = {
    {.key = "sees_availability",
        .type = FRS_BOOL,
        .initial = "true",
        .help = "only clients that can be reached are selected; false: the server selects without knowing "
                "who can be reached"},
    {.key = "contact_timeout",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "10 s",
        .min = 1e-3,
        .max = 1e9,
        .help = "sees_availability = false: how long the server waits for a client that cannot be reached"},
    FRS_CHECK_IN_PARAMS,
    {0},
};

const char *const frs_backend_names[] = {[FRS_BACKEND_AUTO] = "auto",
    [FRS_BACKEND_ACTORS] = "actors",
    [FRS_BACKEND_CALENDAR] = "calendar",
    [FRS_BACKEND_SIMGRID] = "simgrid",
    NULL};

const struct frs_param frs_engine_params[] = {
    {.key = "backend",
        .type = FRS_CHOICE,
        .initial = "auto",
        .choices = frs_backend_names,
        .help = "the engine of a round: actors (one SimGrid actor per participant, exact max-min rates), "
                "calendar (one actor stands for all clients, the same results), simgrid (actors, and "
                "SimGrid's own "
                "solver); auto: actors up to a limit, calendar above, simgrid for network.model = "
                "lv08"},
    {.key = "actors_limit",
        .type = FRS_INT,
        .initial = "10000",
        .min = 0,
        .max = FRS_MOST_ACTORS,
        .help = "backend = auto: largest cohort that has actors of its own where clients train"},
    {.key = "actors_limit_messages",
        .type = FRS_INT,
        .initial = "100",
        .min = 0,
        .max = FRS_MOST_ACTORS,
        .help = "the same where messages and time alone are simulated, of which an actor's steps are half"},
    {0},
};

static const char *const messages_names[] = {
    [FRS_MESSAGES_EXACT] = "exact", [FRS_MESSAGES_WHOLE] = "whole", NULL};

static const char *const uploads_names[] = {
    [FRS_UPLOADS_AUTO] = "auto", [FRS_UPLOADS_KEPT] = "kept", [FRS_UPLOADS_AGAIN] = "again", NULL};

const struct frs_param frs_training_params[] = {
    {.key = "enabled",
        .type = FRS_BOOL,
        .initial = "true",
        .help = "false: messages and time only, for methods whose message sizes do not depend on data"},
    {.key = "uploads",
        .type = FRS_CHOICE,
        .initial = "auto",
        .choices = uploads_names,
        .help =
            "until they are aggregated: kept, or made again from data and tables a block of clients after "
            "the other (rfrec with exact steps), which takes twice the computing and no memory; the "
            "results are the same; auto: again where they would take more than 1 GiB"},
    {.key = "messages",
        .type = FRS_CHOICE,
        .initial = "exact",
        .choices = messages_names,
        .help = "enabled = false: exact (only codecs whose messages always have the same size), whole (every "
                "message as if all values had changed, as papers count: an upper bound)"},
    {0},
};

static const char *const what_if_names[] = {
    [FRS_WHAT_IF_NONE] = "none", [FRS_WHAT_IF_CHEAP] = "cheap", [FRS_WHAT_IF_ALL] = "all", NULL};

const struct frs_param frs_output_params[] = {
    {.key = "directory",
        .type = FRS_TEXT,
        .initial = "",
        .help = "run directory; empty: results/<scenario>-seed<seed>"},
    {.key = "events",
        .type = FRS_BOOL,
        .initial = "true",
        .help = "write events.ndjson, three lines a participation"},
    {.key = "events_every",
        .type = FRS_INT,
        .initial = "1",
        .min = 1,
        .max = UINT32_MAX,
        .help = "events: of the first round and of every so many after it; 10 leaves out nine tenths of "
                "events.ndjson, and of nothing else"},
    {.key = "report",
        .type = FRS_BOOL,
        .initial = "true",
        .help = "write report.html, a page to look at the results; of a sweep, one for all its points"},
    {.key = "what_if",
        .type = FRS_CHOICE,
        .initial = "cheap",
        .choices = what_if_names,
        .help = "after a run, simulate its rounds again with uplinks twice as fast and the like, and write "
                "what_if.json: cheap: as many of its rounds as take a hundredth of the run's effort, or a "
                "quarter of a second, for each; not in the points of sweeps; all: all rounds, in sweeps, "
                "too; none"},
    {.key = "checkpoint_rounds",
        .type = FRS_INT,
        .initial = "0",
        .min = 0,
        .max = UINT32_MAX,
        .help = "save a checkpoint after every so many rounds, for `run --resume`; 0: not by rounds"},
    {.key = "checkpoint_interval",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "10 min",
        .min = 0,
        .max = 1e9,
        .unlimited = true,
        .help = "save a checkpoint after so much real time; \"unlimited\": not by time"},
    {0},
};
