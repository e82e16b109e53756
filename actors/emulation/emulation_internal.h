/* What an emulation and the engine backend `sockets` share. */
#ifndef FRS_ACTORS_EMULATION_EMULATION_INTERNAL_H
#define FRS_ACTORS_EMULATION_EMULATION_INTERNAL_H

#include "actors/emulation/emulation.h"
#include "actors/emulation/endpoints.h"

struct frs_emulation {
    struct frs_emulation_settings settings;
    struct frs_emulation_links links;
    struct frs_tls tls;
    bool has_tls;
    struct frs_supervisor supervisor;
    struct frs_endpoints *lines;
    double ends_wall_s; /* by settings.limit_s */
    struct frs_carried carried;
};

/* Sets whether messages may be under way: only then does it matter that a process is late. */
void frs_emulation_set_active(struct frs_emulation *emulation, bool active);

/* The links of a participation, from now on. */
void frs_emulation_set_path(struct frs_emulation *emulation, uint32_t line, struct frs_participation *p);

/* Where a client's line ends: 0: at the server, 1 + i: at edge i. */
uint32_t frs_emulation_hub_of(const struct frs_emulation *emulation, uint32_t client);

/* Sets the links of a client with a line of its own before its first participation; this is the path that
 * its connection measures while it is opened. The path loses no packets. */
void frs_emulation_open_path(struct frs_emulation *emulation, uint32_t client);

/* A line without limits to this hub, until it is used. */
void frs_emulation_try_path(struct frs_emulation *emulation, uint32_t line, uint32_t hub);

void frs_emulation_cut_path(struct frs_emulation *emulation, uint32_t line);

/* A link of a line, or of the server (p NULL), changes at a time of the clock. bytes_per_s: simulated. */
void frs_emulation_set_rate(
    struct frs_emulation *emulation, uint32_t line, bool up, double bytes_per_s, double from_wall_s);

_Noreturn void frs_emulation_fail(struct frs_emulation *emulation, const char *why);

#endif
