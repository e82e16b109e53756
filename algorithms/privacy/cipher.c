#include "algorithms/privacy/cipher.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>

void *frs_cipher_create(const struct frs_values *values, const struct frs_cipher_costs *presets) {
    struct frs_cipher *cipher = frs_alloc(1, sizeof *cipher);
    cipher->costs = presets[frs_values_choice(values, "costs")];
    cipher->machine_flop_per_s = frs_values_real(values, "machine_speed");
    return cipher;
}

enum frs_privacy_place frs_cipher_place(const void *settings) {
    (void)settings;
    return FRS_PRIVACY_MESSAGE;
}

uint64_t frs_cipher_bytes(const void *context, size_t n_values) {
    const struct frs_cipher *cipher = context;
    double ciphertexts = ceil((double)n_values / (double)cipher->costs.slots);
    return (uint64_t)ceil(ciphertexts * cipher->costs.bytes);
}

/* A message of large ciphertexts contains whole ciphertexts, and headers smaller than one. Where each
 * value has its own ciphertext, places in the clear count as ciphertext, which is half a percent too many. */
double frs_cipher_units(const void *context, double message_bytes) {
    const struct frs_cipher *cipher = context;
    double ciphertexts = message_bytes / cipher->costs.bytes;
    return cipher->costs.slots > 1 ? floor(ciphertexts) : ciphertexts;
}

struct frs_seal_costs frs_cipher_flop(const void *context) {
    const struct frs_cipher *cipher = context;
    return (struct frs_seal_costs){.seal_flop = cipher->costs.seal_s * cipher->machine_flop_per_s,
        .add_flop = cipher->costs.add_s * cipher->machine_flop_per_s,
        .open_flop = cipher->costs.open_s * cipher->machine_flop_per_s};
}
