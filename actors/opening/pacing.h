/* Pacing: when the server lets a round open, and how often a client may take part (docs/rounds.md,
 * "When a round opens"). Times of the day are those of the server's clock, which shows `start` when the
 * run begins. */
#ifndef FRS_ACTORS_OPENING_PACING_H
#define FRS_ACTORS_OPENING_PACING_H

#include "sim/base/settings/units.h"

#include <stdbool.h>
#include <stdint.h>

#define FRS_DAY_S 86400.0

struct frs_values;
struct frs_errors;

enum frs_window_clock { FRS_WINDOW_SERVER, FRS_WINDOW_CLIENT };
extern const char *const frs_window_clock_names[];

/* The keys, for the parameter table of the section that has them (`rounds`). */
#define FRS_PACING_PARAMS                                                                                    \
    {.key = "every",                                                                                         \
        .type = FRS_QUANTITY,                                                                                \
        .dimension = FRS_TIME,                                                                               \
        .initial = "0 s",                                                                                    \
        .min = 0,                                                                                            \
        .max = 1e9,                                                                                          \
        .help = "rounds open at multiples of it, at the first one after the round before has closed; 0 s: "  \
                "as soon as that has closed"},                                                               \
        {.key = "window",                                                                                    \
            .type = FRS_TEXT,                                                                                \
            .initial = "",                                                                                   \
            .help = "times of the day in which rounds may open, such as \"22:00-06:00\"; one that is open "  \
                    "goes on after its end; empty: at any time"},                                            \
        {.key = "window_clock",                                                                              \
            .type = FRS_CHOICE,                                                                              \
            .initial = "server",                                                                             \
            .choices = frs_window_clock_names,                                                               \
            .help = "window: server (rounds open in it), client (a client is selected only while its own "   \
                    "clock is in it, for availability with time zones)"},                                    \
        {.key = "start",                                                                                     \
            .type = FRS_QUANTITY,                                                                            \
            .dimension = FRS_TIME,                                                                           \
            .initial = "0 h",                                                                                \
            .min = 0,                                                                                        \
            .max = 86400,                                                                                    \
            .help = "window and per_day: time of the day at which the run starts (under availability "       \
                    "diurnal that of availability.start)"},                                                  \
        {.key = "cool_down",                                                                                 \
            .type = FRS_QUANTITY,                                                                            \
            .dimension = FRS_TIME,                                                                           \
            .initial = "0 s",                                                                                \
            .min = 0,                                                                                        \
            .max = 1e9,                                                                                      \
            .help = "a client is not selected again within this time after the server has learnt that its "  \
                    "last participation is over"},                                                           \
    {                                                                                                        \
        .key = "per_day", .type = FRS_INT, .initial = "0", .min = 0, .max = 1e6,                             \
        .help = "participations that a client begins at most in one day, from midnight to midnight; 0: any " \
                "number"                                                                                     \
    }

/* Times of a day, [from_s, to_s), over midnight where from_s > to_s. */
struct frs_day_window {
    bool given;
    double from_s, to_s;
};

struct frs_pacing {
    double every_s; /* 0: at any time */
    struct frs_day_window window;
    enum frs_window_clock window_clock; /* meaningful with a window */
    double start_s;
    double cool_down_s; /* 0: none */
    uint32_t per_day;   /* 0: any number */
};

/* "22:00-06:00" into *window; false: it is none. */
bool frs_day_window_read(const char *text, struct frs_day_window *window);

/* Whether a clock that shows clock_s ≥ 0 (any number of days) is in the window. *until_s: what the clock
 * shows when that changes, later than clock_s. */
bool frs_day_window_at(const struct frs_day_window *window, double clock_s, double *until_s);

/* The first time ≥ now_s that is in the server's window, if that rules. */
double frs_pacing_window_s(const struct frs_pacing *pacing, double now_s);

/* When the server's window next opens or shuts, if it rules; INFINITY: it does not. */
double frs_pacing_changes_s(const struct frs_pacing *pacing, double now_s);

/* The first time ≥ now_s at which a round may open if the previous one has closed at now_s. INFINITY: no
 * multiple of `every` within a year is in the window. */
double frs_pacing_opens_s(const struct frs_pacing *pacing, double now_s);

/* Whether a client can be ruled out by what it has taken part in. */
static inline bool frs_pacing_limits_clients(const struct frs_pacing *pacing) {
    return pacing->cool_down_s > 0 || pacing->per_day > 0;
}

static inline bool frs_pacing_goes_by_clients_clocks(const struct frs_pacing *pacing) {
    return pacing->window.given && pacing->window_clock == FRS_WINDOW_CLIENT;
}

#endif
