/* Cipher: the cost of modelled homomorphic encryption: bytes of a ciphertext, and seconds on a machine of a
 * stated speed. */
#ifndef FRS_ALGORITHMS_PRIVACY_CIPHER_H
#define FRS_ALGORITHMS_PRIVACY_CIPHER_H

#include "algorithms/privacy_mechanism.h"
#include "sim/base/settings/param.h"

#include <math.h>

/* Measured, or taken from a publication. */
struct frs_cipher_costs {
    double bytes; /* of a ciphertext; where a publication's is an average, no integer */
    size_t slots; /* values that share one */
    double seal_s, add_s, open_s;
};

/* Settings of mechanisms of this kind begin with it. */
struct frs_cipher {
    struct frs_cipher_costs costs;
    double machine_flop_per_s; /* of the machine that took these seconds */
};

/* Defines `params`, the keys of a mechanism of this kind, and `create`, which reads them: key `costs`
 * chooses one of `presets`, by `names`. */
#define FRS_CIPHER_KEYS(names, presets, by_default, what)                                                    \
    static const struct frs_param params[] = {                                                               \
        {.key = "costs", .type = FRS_CHOICE, .initial = by_default, .choices = names, .help = what},         \
        {.key = "machine_speed",                                                                             \
            .type = FRS_QUANTITY,                                                                            \
            .dimension = FRS_SPEED,                                                                          \
            .initial = "10 Gflop/s",                                                                         \
            .min = 1,                                                                                        \
            .max = INFINITY,                                                                                 \
            .help = "speed, as devices.speed and server.speed tell it, of the machine whose seconds the "    \
                    "costs are: a device half as fast takes twice as long"},                                 \
        {0},                                                                                                 \
    };                                                                                                       \
    static void *create(                                                                                     \
        const struct frs_values *values, const struct frs_privacy_setup *setup, struct frs_errors *errors) { \
        (void)setup;                                                                                         \
        (void)errors;                                                                                        \
        return frs_cipher_create(values, presets);                                                           \
    }

/* Settings from these keys; freed with free(). */
void *frs_cipher_create(const struct frs_values *values, const struct frs_cipher_costs *presets);

/* Slots of struct frs_privacy_mechanism. */
#define FRS_CIPHER_SLOTS                                                                                     \
    .modelled = true, .sight = FRS_SEES_CIPHERTEXTS, .place = frs_cipher_place,                              \
    .sealed_bytes = frs_cipher_bytes, .units = frs_cipher_units, .costs = frs_cipher_flop

enum frs_privacy_place frs_cipher_place(const void *settings);
uint64_t frs_cipher_bytes(const void *settings, size_t n_values);
double frs_cipher_units(const void *settings, double message_bytes);
struct frs_seal_costs frs_cipher_flop(const void *settings);

#endif
