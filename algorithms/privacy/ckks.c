/* CKKS (Cheon et al. 2017), modelled: approximate numbers, N/2 of them in a ciphertext; the server can
 * only add ciphertexts.
 *
 * `colr_table3`: what CoLR's table 3 shows of OpenFHE on one upload for MovieLens-1M. 32,768 slots; the
 * four sizes fit 2 polynomials of 65,536 coefficients modulo 3 primes of 8 bytes, and 1,376 bytes beside
 * them (the text's 8,096 slots do not). Seconds are the slopes of lines through the origin with the least
 * squares of relative errors over its four rows, 0.0796 s of the client and 0.2581 s of the server for a
 * ciphertext: within 14 % of the three rows of CoLR, 32 and 14 % below FedMF's. Two assumptions are
 * needed, which the table does not state: sealing and opening each take half of the client's time, and the
 * server's time is for 60 uploads, 1 % of the 6,040 users.
 *
 * `seal_*`: measured with SEAL 4.1.2 (node-seal 5.1.6) on one core: 2 · N · k · 8 + 113 bytes for k data
 * primes. */
#include "algorithms/privacy/cipher.h"

static const char *const preset_names[] = {
    "colr_table3", "seal_4096", "seal_8192", "seal_8192_deep", "seal_16384", "seal_32768", NULL};

#define SEAL_BYTES(degree, primes) (2.0 * (degree) * (primes)*8 + 113)

static const struct frs_cipher_costs presets[] = {
    {2.0 * 65536 * 3 * 8 + 1376, 32768, 0.0796 / 2, 0.2581 / 60, 0.0796 / 2},
    {SEAL_BYTES(4096, 2), 2048, 2.2e-3, 0.04e-3, 0.54e-3},
    {SEAL_BYTES(8192, 2), 4096, 3.6e-3, 0.07e-3, 0.76e-3},
    {SEAL_BYTES(8192, 3), 4096, 4.6e-3, 0.07e-3, 1.3e-3},
    {SEAL_BYTES(16384, 3), 8192, 9.5e-3, 0.22e-3, 2.4e-3},
    {SEAL_BYTES(32768, 3), 16384, 20e-3, 0.44e-3, 5.1e-3},
};

FRS_CIPHER_KEYS(preset_names, presets, "seal_8192",
    "sizes and times: colr_table3 (OpenFHE as published, 32768 values a ciphertext), or SEAL as "
    "measured at a degree N (N/2 values): seal_4096 (primes of 36, 36, 37 bits), seal_8192 (60, "
    "40, 60), seal_8192_deep and larger (60, 40, 40, 60)")

const struct frs_privacy_mechanism frs_privacy_ckks = {
    .plugin = {.name = "ckks",
        .summary = "values travel as CKKS ciphertexts, which the server adds and cannot read (modelled)",
        .source = "Cheon et al. 2017; costs: Nguyen et al. 2024 (CoLR), table 3, or measured with SEAL 4.1.2",
        .params = params},
    .codecs = FRS_PRIVACY_MECHANISMS_TABLES,
    FRS_CIPHER_SLOTS,
    .create = create,
};
