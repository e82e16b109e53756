/* What the parts of draw.c share. */
#ifndef REPLAY_DRAW_INTERNAL_H
#define REPLAY_DRAW_INTERNAL_H

#include "draw.h"

#include <stdbool.h>
#include <stdio.h>

struct draw {
    uint64_t state;
    FILE *out;
    unsigned users, cohort;
    bool simgrid, trains, asynchronous;
    bool tcp;
    unsigned size;  /* of messages, rates and speeds: slow start takes messages of many packets */
    bool reachable; /* all clients, at any time */
    bool vanish;    /* clients may, at work */
    bool newer;     /* keys that programs to be compared with may not know */
    bool diurnal;   /* availability has a start of its own, */
    bool zones;     /* and clients' clocks differ */
    bool sampled;   /* rows of a fleet become clients by chance */
    bool texts;     /* ids of clients are dev_0, dev_1, ... as the fleet's rows have them */
    bool recorded;  /* links are capacities of a trace */
    bool corrects;  /* the aggregate, which then takes no uploads of an older version */
    bool to_caps;   /* uploads are adapted to caps */
    bool traced;    /* the server's links */
    bool states;    /* of devices, and links that follow them */
    bool curves;    /* the states follow some, and no file */
    bool kept;      /* connections */
    bool breaks;    /* connections, when links change */
    bool unseen;    /* the server does not see who is online */
    const char *eligible;
    bool fleet; /* links are from a table, whose classes are old and new */
    const char *folder;
};

unsigned below(struct draw *d, unsigned n);
bool one_in(struct draw *d, unsigned n);

/* Evenly on the logarithmic scale. */
double scale(struct draw *d, double low, double high);

#define ONE_OF(d, ...) one_of(d, (const char *const[]){__VA_ARGS__, NULL})

const char *one_of(struct draw *d, const char *const *texts);

/* Draws from here leave what follows as it was. */
struct draw draw_aside(const struct draw *d);

/* Keys of `availability` and `failures` that older programs do not know: of a model, whose clients may be
 * alike otherwise; and of any. */
void draw_dynamics(struct draw *d, const char *model, bool alike);
void draw_random_outages(struct draw *d);
void draw_absent(struct draw *d);

/* A file of the scenario, opened to be written; ends the program where that fails. */
FILE *open_in(const struct draw *d, const char *name);

void draw_availability(struct draw *d);
void draw_failures(struct draw *d);

/* The section `rounds`, and caps, of which programs of any age know the first. */
void draw_rounds(struct draw *d);
void draw_caps(struct draw *d);

#endif
