/* The comparisons of one run, each with what the documentation says about it. */
#ifndef REPLAY_CHECKS_H
#define REPLAY_CHECKS_H

#include "report.h"

/* Every transfer over the clients' links and the server's, which all in one direction share. */
void check_transfers(struct report *report, const struct run *run);

/* The same where connections are opened and messages begin in slow start. */
void check_tcp_transfers(struct report *report, const struct run *run);

/* What connecting takes, and which messages begin in slow start. */
void check_connections(struct report *report, const struct run *run);

/* Every other phase, the order of phases, and how a participation ended. */
void check_phases(struct report *report, const struct run *run);

/* When rounds start, close and end. */
void check_rounds(struct report *report, const struct run *run);

/* The same under buffered_async. */
void check_buffer(struct report *report, const struct run *run);

/* When rounds may open, for how many clients they wait, and how clients rest; `folder` is the run's. */
void check_openings(struct report *report, const struct run *run, const char *folder);

/* Links of clients that follow a file (network.trace); `folder` is the run's. */
void check_traces(struct report *report, const struct run *run, const char *folder);

/* "2001-02-03T04:05:06.7Z", or a number: seconds, of dates those since 1970. */
bool has_date(const char *text);
double time_of(const char *text);
bool is_number(const char *text);

/* A CSV file beside the run's folder; false: it is not there. */
bool read_beside(const char *folder, const char *file, struct table *table);

/* The name itself where a column is called so, or NULL. */
const char *column_named(const struct table *table, const char *name);

/* The client that files call by this id, where the fleet (NULL: there is none) has a row for each client in
 * their order; SIZE_MAX: none. */
size_t client_called(const struct table *fleet, const char *id);

/* Availability that changes over the run; regions that are cut off; `folder` is the run's. */
void check_dynamics(struct report *report, const struct run *run, const char *folder);

/* Whether no outages, and no joining and leaving, take clients away. */
bool is_plain(const struct scenario *s);

/* The critical path of every row. */
void check_paths(struct report *report, const struct run *run);

/* Rows, clients and summary are the sums of the events. */
void check_sums(struct report *report, const struct run *run);

/* What clients took in periods of caps.period, in the fullest one of each. */
void check_periods(struct report *report, const struct run *run);

/* Which clients could be selected under caps, and by how much they are above them. */
void check_caps(struct report *report, const struct run *run);

/* Connections and bytes by hour, and energy by phase; `folder` is the run's. */
void check_load(struct report *report, const struct run *run, const char *folder);

bool has_caps(const struct run *run);

/* The number of the period, counted from 0. A period that begins at a time whose last digits the files
 * omit counts as begun. */
double period_at(double time_s, double period_s);

/* All bytes of a participation, connecting included. */
double bytes_of(const struct part *part);

/* Those over a metered link; NaN where the files do not tell. */
double metered_bytes_of(const struct run *run, const struct part *part);

/* Energy of a participation, by the model and by what it was for. */
struct energy {
    double compute_j, connecting_j, down_j, up_j, awake_j;
};
struct energy energy_by_phase(const struct run *run, const struct part *part);
double energy_of(const struct run *run, const struct part *part);

/* How long the server encodes before the first message of a row leaves: 0 where it selected no client. */
double encoding_s(const struct run *run, size_t row);

/* How long the aggregation takes that a row ends with: 0 where nothing came in, or all was lost. With it,
 * what encoding takes for the downloads that follow. */
double aggregation_s(const struct run *run, size_t row);

/* Until when the row collected uploads; of a row that a restart struck in the aggregation, participations
 * that were cut before tell it. NaN: a restart came while the server aggregated or encoded what was to be
 * downloaded then, and how long it did is not told. */
double collected_s(const struct run *run, size_t row);

/* When the server knows of the ends of all downloads that began at from_s, behind the aggregation of a row;
 * from_s: there are none. */
double delivered_s(const struct run *run, size_t row, double from_s);

/* The participation's upload went into the tables. */
bool part_is_used(const struct run *run, const struct part *part);

/* Which participations of a row have a download after the aggregation, when these begin and what ends them:
 * the server's work ends at worked_s. */
void check_deliveries(struct report *report, const struct run *run, size_t row, double worked_s);

/* When the server knows that a participation is over: a vanished client is noticed later. */
double noticed_s(const struct run *run, const struct part *part);

/* The row was lost: "server_restart" or "void_round"; "" otherwise. */
const char *lost_to(const struct run *run, size_t row);

/* Whether all of it crossed. */
bool message_is_complete(const struct part *part, const struct phase *phase);

/* θ: what each flow gets that is not limited by its own rate. `rates` are sorted. */
double water_level(const double *rates, size_t n, double capacity);

/* When so many bytes have crossed the client's own link. */
double carried_s(const struct capacity *capacity, double from_s, double bytes);

/* The same of a message in slow start. */
double slow_start_alone_s(const struct phase *phase, double from_s);

/* When the client's message would have crossed if the server's link were unlimited. */
double alone_s(const struct phase *phase);

#endif
