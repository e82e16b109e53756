/* Units: text such as "0.75 MiB/s" into SI base units.
 *
 * k, M, G, T are powers of 1000 and Ki, Mi, Gi, Ti of 1024; "bit" and "B" are never guessed. "Mbps" is
 * "Mbit/s", and "MBps" is "MB/s". */
#ifndef FRS_BASE_UNITS_H
#define FRS_BASE_UNITS_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum frs_dimension {
    FRS_TIME,            /* s: "40 ms", "30 min", "2 h", "1 d" */
    FRS_BYTES,           /* bytes: "4 kB", "1 MiB", "8 kbit" */
    FRS_RATE,            /* bytes per second: "6 Mbit/s", "0.75 MiB/s" */
    FRS_SPEED,           /* flop per second: "2 Gflop/s" */
    FRS_POWER,           /* W: "1.3 W", "800 mW" */
    FRS_ENERGY_PER_BYTE, /* joules per byte: "2 uJ/B", "250 nJ/bit" */
    FRS_ENERGY,          /* J: "500 J", "1.2 Wh" */
    FRS_FLOP,            /* operations: "3 Gflop" */
};
#define FRS_DIMENSIONS (FRS_FLOP + 1)

/* The largest quantity of a dimension that can be set, in SI units: no key, table or trace passes it. */
double frs_units_most(enum frs_dimension dimension);

/* Reads a number, optional space, and a unit of `dimension`. Together they have to fill `text`, and the
 * absolute value must not exceed frs_units_most. On failure adds nothing and returns FRS_ERR_INPUT;
 * frs_units_allowed describes what is allowed. */
enum frs_status frs_units_parse(const char *text, enum frs_dimension dimension, double *value) FRS_MUST_CHECK;

/* Whether `text` is a finite quantity of this dimension, however large. */
bool frs_units_fit(const char *text, enum frs_dimension dimension);

/* Example units of a dimension, for messages: "bit/s, kbit/s, …". */
const char *frs_units_allowed(enum frs_dimension dimension);

/* "s", "bytes", "bytes/s", "flop/s", "W", "J/B", "J", "flop". */
const char *frs_units_si(enum frs_dimension dimension);

/* Formats a value for people, in powers of 1000: "1.25 MB", "3.33 min". Rates are in bits, as links are
 * sold: "6.00 Mbit/s". `text` gets at most `size` bytes. Returns `text`. */
char *frs_units_format(double value, enum frs_dimension dimension, char *text, size_t size);

#endif
