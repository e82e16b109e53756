/* Values of parameters (param.h): what was set, and how it is read and written.
 *
 * A value is read with the getter of its type; reading a key that the table does not have is a bug and
 * panics. Every read is remembered. A setting that no code has read changed nothing, and is reported
 * instead of being ignored. */
#ifndef FRS_BASE_PARAMS_H
#define FRS_BASE_PARAMS_H

#include "sim/base/invariant.h"
#include "sim/base/settings/param.h"
#include "sim/base/settings/plugin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_share {
    bool is_count;
    uint64_t count;  /* is_count; 0: "auto" */
    double fraction; /* otherwise; in (0, 1] */
};

struct frs_ints {
    size_t n; /* 1 to FRS_INTS_MOST */
    int64_t list[FRS_INTS_MOST];
};

/* Relative paths of a scenario were relative to the working folder before. */
enum frs_found {
    FRS_FOUND_PLAINLY,   /* beside the scenario alone, nowhere, or no relative path */
    FRS_FOUND_IN_BOTH,   /* beside the scenario, and another one in the working folder */
    FRS_FOUND_HERE_ONLY, /* in the working folder */
};

struct frs_value {
    const struct frs_param *param;
    union {
        bool boolean;
        int64_t integer;
        double real; /* reals, and quantities in SI units */
        char *text;
        size_t choice; /* index into choices */
        uint64_t list; /* bit i: choices[i] is in */
        struct frs_share share;
        struct frs_ints ints;
    };
    char *by_class; /* the whole text, where the value differs between classes; NULL: it does not */
    char *path;     /* the path a text resolves to, from the first use on (sim/base/settings/path.h) */
    char *said;  /* a relative path as the scenario has it, where text is the one from the working folder; or
                    NULL */
    char *where; /* "file:line" or "--set …"; NULL: default or preset */
    enum frs_found found; /* where the file was that a relative path names */
    bool set;             /* has a value, from whatever layer */
    bool given;           /* set by the user, not by default or preset */
    bool rests;           /* given, and may still have no effect */
    bool asked;           /* inactive, and stands in the scenario file, on top of which something was put */
    bool read;
    char *idle; /* why it has no effect although it was read, or NULL */
};

struct frs_values {
    char *section; /* full path, "network.downlink" */
    struct frs_value *values;
    size_t n, capacity;
};

/* Whether a number may also be written as a percentage, "10 %" for 0.1. True for a share or a probability,
 * which cannot be below 0 or above 1, and for every number that may differ between classes. */
bool frs_param_takes_percentage(const struct frs_param *param);

/* Reads "10 %" or "10%" as that number times 1/100, of any sign and size. Returns false and leaves *share
 * alone if `text` is something else. */
bool frs_percentage_read(const char *text, double *share);

/* Whether values of this type own `text`. FRS_TEXTS are kept as after --set. */
bool frs_type_is_text(enum frs_type type);

/* Parses `text` (as after --set) into the union of `value`. Texts are allocated; an old one is not freed.
 * On failure writes what was wrong and what is allowed into `reason` (at most `size` bytes) and leaves
 * `value` alone. */
enum frs_status frs_param_parse(const struct frs_param *param, const char *text, struct frs_value *value,
    char *reason, size_t size) FRS_MUST_CHECK;

/* What is allowed, for messages and documentation: "an integer from 1 to 1000". */
char *frs_param_allowed(const struct frs_param *param, char *text, size_t size);

/* Returns a setting of `param`, given as after --set, in the form that it has behind "key =" in a scenario
 * file: texts and quantities in double quotes, a list as an array. Freed by the caller. */
char *frs_param_in_file(const struct frs_param *param, const char *text);

/* Returns a value as text that frs_param_parse reads back as exactly the same value: "750000 B/s", "60 %",
 * "a,b". Freed by the caller. */
char *frs_value_format(const struct frs_value *value);

/* Whether it is what its parameter has by default, given or not. */
bool frs_value_is_initial(const struct frs_value *value);

/* Replaces a value by what `text` says (frs_param_parse). */
enum frs_status frs_value_set(
    struct frs_value *value, const char *text, char *reason, size_t size) FRS_MUST_CHECK;

/* Appends `param` with its default; a param without default stays unset and must be given later. */
void frs_values_add(struct frs_values *values, const struct frs_param *param);

/* The value of a key, or NULL when the section has no such key. Does not count as a read. */
struct frs_value *frs_values_find(const struct frs_values *values, const char *key);

void frs_values_fini(struct frs_values *values);

/* Values for a test or a caller without a scenario: the defaults of `params` with the `settings`, pairs of
 * key and text ended by NULL, on top. Wrong settings panic. */
struct frs_values frs_values_of(const struct frs_param *params, const char *const *settings);

/* Counts every key as read, because the caller hands the values on to code that reads them. */
void frs_values_claim(const struct frs_values *values);

bool frs_values_bool(const struct frs_values *values, const char *key);
int64_t frs_values_int(const struct frs_values *values, const char *key);
double frs_values_real(const struct frs_values *values, const char *key); /* FRS_REAL, FRS_QUANTITY */
const char *frs_values_text(
    const struct frs_values *values, const char *key); /* FRS_TEXT, FRS_TEXTS, FRS_CHOICE */
size_t frs_values_choice(const struct frs_values *values, const char *key);
uint64_t frs_values_list(const struct frs_values *values, const char *key);
struct frs_share frs_values_share(const struct frs_values *values, const char *key);
struct frs_ints frs_values_ints(const struct frs_values *values, const char *key);

/* Takes a read back: the key has no effect after all. The text gives the reason ("has no effect here,
 * because ..."). Who set the key decides whether this is a mistake. */
void frs_values_idle(const struct frs_values *values, const char *key, const char *format, ...)
    FRS_PRINTF(3, 4);

/* Adds an error about one key, prefixed with where it was set (or with the section when it was not). */
enum frs_status frs_values_error(const struct frs_values *values, const char *key, struct frs_errors *errors,
    const char *format, ...) FRS_PRINTF(4, 5);

#endif
