/* Paillier (1999), modelled: a ciphertext for every value; the server can only add ciphertexts. Places
 * stay in the clear, so that updates in which clients send different values can be added, too.
 *
 * `colr_table3`: TopK@1 in CoLR's table 3, 3,706 values: 3,028 KiB of ciphertext, 88.2 s on the client and
 * 88.06 s on the server, linear in the values. As with CKKS, sealing and opening are assumed to take half
 * of the client's time each, and the server's time to be for 60 uploads. `gmp`: n of 2,048 bits, as
 * tests/oracle/test_paillier.c runs it with GMP: 512 bytes, and its times on one core. */
#include "algorithms/privacy/cipher.h"

static const char *const preset_names[] = {"colr_table3", "gmp", NULL};

static const struct frs_cipher_costs presets[] = {
    {3028.0 * 1024 / 3706, 1, 88.2 / 3706 / 2, 88.06 / 3706 / 60, 88.2 / 3706 / 2},
    {512, 1, 13.0e-3, 6.1e-6, 12.8e-3},
};

FRS_CIPHER_KEYS(preset_names, presets, "colr_table3",
    "sizes and times: colr_table3 (as published), gmp (2048 bits, as measured with GMP)")

const struct frs_privacy_mechanism frs_privacy_paillier = {
    .plugin = {.name = "paillier",
        .summary = "each value travels as a Paillier ciphertext, its place in the clear (modelled)",
        .source = "Paillier 1999; costs: Nguyen et al. 2024 (CoLR), table 3, or measured with GMP",
        .params = params},
    .codecs = FRS_PRIVACY_MECHANISMS_VALUES,
    FRS_CIPHER_SLOTS,
    .create = create,
};
