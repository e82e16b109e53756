/* States of devices, from the file that a run used (availability.model = "states"), and their
 * consequences. A time at which a state ends belongs to the next one. */
#ifndef REPLAY_STATES_H
#define REPLAY_STATES_H

#include "checks.h"

enum link_state { OFF, METERED, WIFI };

struct state {
    enum link_state link;
    bool charging, in_use;
};

/* Reads the file of a run that has one, from beside its folder. NULL, or what is wrong. */
const char *states_read(struct run *run, const char *folder);
void states_free(struct run *run);

bool has_states(const struct run *run);

/* They are those of a file, and not of curves of the day: only then the following knows them. */
bool knows_states(const struct run *run);

/* The state of a client at a time, which may be anywhere but within a rounding of a change. */
struct state state_at(const struct run *run, size_t client, double time_s);

/* The first time after this one, but for rounding, at which a line of the client begins or ends. */
double next_line_s(const struct run *run, size_t client, double time_s);

/* Whether rounds.eligible is met at a time. */
bool is_eligible(const struct run *run, size_t client, double time_s);

/* Rules of the scenario. */
double rate_factor_of(const struct run *run, enum link_state link);
double latency_factor_of(const struct run *run, enum link_state link);
bool breaks_with_link(const struct run *run);
bool asks_for_wifi(const struct run *run);
/* The speed of a device that is in use, where it counts. */
double speed_in_use(const struct run *run);

/* Where states follow curves: the link that has this rate, as far as it is told; OFF: it is not. */
enum link_state told_link(const struct run *run, size_t client, bool up, double rate);

/* The factor on rates of the link that a client is on. */
double rate_factor(const struct run *run, size_t client, double time_s);

/* The latency of the client's present link, and its rate, up to rounding; NaN: under a preset none of its
 * transfers has shown it yet. */
double latency_in_state_s(const struct run *run, size_t client, double time_s);
double rate_in_state(const struct run *run, size_t client, bool up, double time_s);

/* The preset of the links that clients are on; "": those of the network. */
const char *preset_on(const struct run *run, enum link_state link);

/* A client was not eligible at some time between two. */
bool leaves(const struct run *run, size_t client, double from_s, double to_s);

/* A client's link has changed, to another one than off, between two times. */
bool changes_link(const struct run *run, size_t client, double from_s, double to_s);

/* Work of a client's device between two times, in seconds at its own speed; and when work is done. */
double work_s(const struct run *run, size_t client, double from_s, double to_s);
double done_s(const struct run *run, size_t client, double from_s, double work);

/* Bytes of a participation over a metered link: between *least and *most, which differ only by whole bytes
 * and the last digits of times. Call after the transfers have been played. down: 0, up: 1. */
void metered_of(const struct run *run, const struct part *part, int up, double *least, double *most);

/* The same of a phase. */
void metered_of_phase(const struct run *run, const struct part *part, const struct phase *phase, int up,
    double *least, double *most);

/* How long of the time between two a client is on Wi-Fi. */
double seconds_on_wifi(const struct run *run, size_t client, double from_s, double to_s);

/* This many bytes had crossed, up to `slack`, when the client's own link changed to this rate, at time_s
 * up to that time; and at the end. */
void meter_goes_on(const struct run *run, struct meter *meter, size_t client, bool up, double rate,
    double time_s, double crossed, double slack);
void meter_ends(struct meter *meter, double bytes);

/* Participations keep to the states of their clients' devices, and their links follow these. */
void check_states(struct report *report, const struct run *run);

/* The same where states follow curves, and how many devices are in them; `folder` is the run's. */
void check_curves(struct report *report, const struct run *run, const char *folder);

#endif
