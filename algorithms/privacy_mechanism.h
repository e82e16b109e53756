/* Privacy mechanism: what stands between a client's update and those who would read it.
 *
 * A mechanism is one file in algorithms/privacy/ with one constant `struct frs_privacy_mechanism`, and one
 * line in algorithms/privacy/privacy_mechanisms.def. A scenario lists mechanisms, `privacy = ( { name =
 * "clip"; … }, { name = "gaussian"; … } );`, and they are applied in that order, each in the one place
 * that its settings choose:
 *
 *   values     on the client, on the values of an update, after the learner and before error feedback and
 *              codec
 *   message    on the encoded message: values become ciphertexts, or sums of them with masks
 *   decoded    on the server, on the values of each upload as it was decoded, before uploads are added up
 *   aggregate  on the server, on the sum of the uploads, before the server optimiser and the tables
 *
 * A mechanism claims a guarantee (algorithms/privacy_accountant.h). It costs bytes of messages and
 * operations of devices and server. Costs of a library that is not run here are `modelled`, which every
 * output says.
 *
 * A mechanism sees rows and calls no learner. `struct frs_privacy_setup` holds what it has to know of the
 * method and the run. Combinations that make no sense are refused when a run is composed
 * (sim/setup/compose/compose_privacy.h), and docs/privacy.md has the table. */
#ifndef FRS_ALGORITHMS_PRIVACY_MECHANISM_H
#define FRS_ALGORITHMS_PRIVACY_MECHANISM_H

#include "algorithms/privacy_accountant.h"
#include "algorithms/protected_update.h"
#include "sim/base/settings/plugin.h"

#define FRS_MAX_PRIVACY_MECHANISMS 4u
#define FRS_NOISE_FLOP                                                                                       \
    2 /* operations for each value that noise is added to: scaling a draw, and adding it                     \
       */

enum frs_privacy_place {
    FRS_PRIVACY_VALUES,
    FRS_PRIVACY_MESSAGE,
    FRS_PRIVACY_DECODED,
    FRS_PRIVACY_AGGREGATE
};

/* What an honest-but-curious server can read of an upload. */
enum frs_sight {
    FRS_SEES_VALUES,      /* each client's values; under noise of the client: with the noise */
    FRS_SEES_SUMS,        /* their sum over the cohort alone */
    FRS_SEES_CIPHERTEXTS, /* nothing: it adds what it cannot read */
};

/* By how much one client's update can differ from another's, as bounded by the mechanisms before. */
struct frs_bound {
    enum { FRS_UNBOUNDED, FRS_BOUND_L2, FRS_BOUND_L1, FRS_BOUND_VALUE } norm;
    double size; /* the norm, or each value's distance from the centre, is at most that */
};

/* What a privacy mechanism may know of the run. */
struct frs_privacy_setup {
    size_t n_values; /* of the protected parts of an update, [n_rows × dim] each, as if every row were sent */
    uint32_t n_rounds; /* at most; 0: not known */
    uint32_t n_clients, cohort;
    struct frs_sampling sampling; /* how clients come into a round, where that amplifies privacy */
    struct frs_bound bound;
};

/* ---- message --------------------------------------------------------------------------------- */

/* Operations for one unit (a ciphertext, a masked value): making it, adding it to another one, opening a
 * sum. */
struct frs_seal_costs {
    double seal_flop, add_flop, open_flop;
};

/* Pairwise masks (algorithms/privacy/masks): uploads are sums in fixed point, in exchanges with neighbours.
 */
struct frs_masks {
    uint32_t neighbours;   /* of each client; 0: as many as is usual, UINT32_MAX: all */
    double threshold;      /* share of those who hold shares of a secret that give it back */
    double range;          /* values lie within ±range, or are clipped */
    unsigned bits;         /* of a value, before it is added to others */
    uint32_t max_attempts; /* of a round that is abandoned every time */
    bool counted;          /* the sum is added up without masks, which makes no difference to it */
    double patience_s;     /* an exchange lasts no longer; INFINITY: until all have answered or dropped out */
};

/* Which codecs a mechanism on messages can stand behind. */
enum frs_privacy_codecs {
    FRS_PRIVACY_MECHANISMS_ALL,    /* what a codec makes of the values does not matter */
    FRS_PRIVACY_MECHANISMS_TABLES, /* codecs that send the whole table, so that equal places of all clients
                                      can be added */
    FRS_PRIVACY_MECHANISMS_VALUES, /* those that send values, wherever they stand; places stay in the clear */
};

/* ---- the mechanism --------------------------------------------------------------------------- */

struct frs_privacy_mechanism {
    struct frs_plugin plugin;
    bool modelled; /* costs stand for a library that is not run */
    enum frs_privacy_codecs codecs;
    enum frs_sight sight;
    /* Settings from its keys, freed with free(); NULL after errors. */
    void *(*create)(
        const struct frs_values *values, const struct frs_privacy_setup *setup, struct frs_errors *errors);
    enum frs_privacy_place (*place)(const void *settings);
    /* Each is NULL where the mechanism does nothing in that place. */
    void (*values)(
        const void *settings, const struct frs_protected_update *protected); /* or on what was decoded */
    double values_flop; /* operations of that for each value */
    struct frs_bound (*bound)(const void *settings);
    /* On messages: the sealed size in bytes of n_values values, at least four bytes each. It applies to a
     * client's upload, and to a download, which the server itself cannot read either unless it opens sums. */
    uint64_t (*sealed_bytes)(const void *settings, size_t n_values);
    /* Units in a message of so many bytes, of which all else is a small part. */
    double (*units)(const void *settings, double message_bytes);
    struct frs_seal_costs (*costs)(const void *settings);
    /* Instead: values are masked. */
    struct frs_masks (*masks)(const void *settings);
    /* The standard deviation of the noise on every value of a weighted sum in which no upload weighs more
     * than `weight`. */
    double (*noise_sd)(const void *settings, double weight);
    /* FRS_NO_NOISE where it claims nothing. */
    struct frs_guarantee (*guarantee)(const void *settings);
};

/* All mechanisms, ended by NULL; the same as plug-ins for the scenario, before them "none". */
extern const struct frs_privacy_mechanism *const frs_privacy_mechanisms[];
extern const struct frs_plugin *const frs_privacy_plugins[];

/* A mechanism with its settings. */
struct frs_privacy_choice {
    const struct frs_privacy_mechanism *mechanism;
    void *settings;
};

/* ---- the list -------------------------------------------------------------------------------- */

/* Mechanisms in the order of the scenario; all zero: none. */
struct frs_privacy_mechanism_list {
    bool is_learners; /* the method's own keys stand for them; their operations are not counted */
    size_t n;
    struct frs_privacy_choice of[FRS_MAX_PRIVACY_MECHANISMS];
};

void frs_privacy_mechanism_list_fini(struct frs_privacy_mechanism_list *list);

/* The masks that uploads are under; range 0: none. */
struct frs_masks frs_privacy_masks(const struct frs_privacy_mechanism_list *list);

/* The first one in a place; NULL: none. */
const struct frs_privacy_choice *frs_privacy_in(
    const struct frs_privacy_mechanism_list *list, enum frs_privacy_place place);

/* Applies all mechanisms on values to the update, in the client's place (FRS_PRIVACY_VALUES) or the server's
 * (FRS_PRIVACY_DECODED). */
void frs_privacy_values(const struct frs_privacy_mechanism_list *list, enum frs_privacy_place place,
    const struct frs_protected_update *protected);

/* Operations of sealing a client's upload and of opening what it receives; and of adding up n uploads of
 * this many bytes in all. */
double frs_privacy_seal_flop(const struct frs_privacy_mechanism_list *list, double bytes);
double frs_privacy_open_flop(const struct frs_privacy_mechanism_list *list, double bytes);
double frs_privacy_add_flop(const struct frs_privacy_mechanism_list *list, size_t n, double bytes);
/* Operations of the server on so many decoded values. */
double frs_privacy_decoded_flop(const struct frs_privacy_mechanism_list *list, double values);

/* Adds the noise of a mechanism on the aggregate to tables of these shapes (update NULL), or to an update,
 * which then has every row; none of the uploads weighs more than `weight`. */
void frs_privacy_aggregate(const struct frs_privacy_mechanism_list *list, const struct frs_part *shapes,
    size_t n_parts, const struct frs_tables *tables, struct frs_rows *update, double weight,
    struct frs_rng *rng, struct frs_arena *arena);

/* What all of them together guarantee; FRS_NO_NOISE: nothing. */
struct frs_guarantee frs_privacy_guarantee(const struct frs_privacy_mechanism_list *list);

/* What the server is left to read of an upload. */
enum frs_sight frs_privacy_sight(const struct frs_privacy_mechanism_list *list);

#endif
