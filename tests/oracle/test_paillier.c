/* Paillier's cryptosystem for real, with GMP and keys of 2,048 bits: what the mechanism `paillier` with costs
 * = "gmp" is a model of. The product of three clients' ciphertexts decrypts to the sum of their values, each
 * ciphertext fits the bytes that the model charges, and it says how long one takes here. Without GMP it is
 * skipped. */
#include "algorithms/privacy_mechanism.h"
#include "sim/base/clock.h"
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef FRS_HAS_GMP
#include <gmp.h>

enum { BITS = 2048, CLIENTS = 3, VALUES = 8, FIXED = 1 << 16 };

struct key {
    mpz_t n, n2, lambda, mu;
};

static void draw_prime(mpz_t p, gmp_randstate_t random) {
    mpz_urandomb(p, random, BITS / 2);
    mpz_setbit(p, BITS / 2 - 1);
    mpz_setbit(p, BITS / 2 - 2);
    mpz_nextprime(p, p);
}

/* g = n + 1, λ = lcm(p − 1, q − 1), μ = λ⁻¹ mod n. */
static void draw_key(struct key *key, gmp_randstate_t random) {
    mpz_t p, q;
    mpz_inits(p, q, key->n, key->n2, key->lambda, key->mu, NULL);
    draw_prime(p, random);
    draw_prime(q, random);
    mpz_mul(key->n, p, q);
    mpz_mul(key->n2, key->n, key->n);
    mpz_sub_ui(p, p, 1);
    mpz_sub_ui(q, q, 1);
    mpz_lcm(key->lambda, p, q);
    ck_assert_int_ne(mpz_invert(key->mu, key->lambda, key->n), 0);
    mpz_clears(p, q, NULL);
}

/* c = (1 + m n) rⁿ mod n² */
static void encrypt(const struct key *key, gmp_randstate_t random, long value, mpz_t c) {
    mpz_t r, m;
    mpz_inits(r, m, NULL);
    mpz_urandomm(r, random, key->n);
    mpz_powm(r, r, key->n, key->n2);
    mpz_set_si(m, value);
    mpz_mod(m, m, key->n);
    mpz_mul(m, m, key->n);
    mpz_add_ui(m, m, 1);
    mpz_mul(c, m, r);
    mpz_mod(c, c, key->n2);
    mpz_clears(r, m, NULL);
}

/* m = (c^λ mod n² − 1)/n · μ mod n; the upper half of it is negative. */
static long decrypt(const struct key *key, const mpz_t c) {
    mpz_t m, half;
    mpz_inits(m, half, NULL);
    mpz_powm(m, c, key->lambda, key->n2);
    mpz_sub_ui(m, m, 1);
    mpz_divexact(m, m, key->n);
    mpz_mul(m, m, key->mu);
    mpz_mod(m, m, key->n);
    mpz_fdiv_q_2exp(half, key->n, 1);
    if (mpz_cmp(m, half) > 0)
        mpz_sub(m, m, key->n);
    long value = mpz_get_si(m);
    mpz_clears(m, half, NULL);
    return value;
}

static uint64_t modelled_bytes(size_t values) {
    const struct frs_privacy_mechanism *const *mechanism = frs_privacy_mechanisms;
    while (strcmp((*mechanism)->plugin.name, "paillier") != 0)
        mechanism++;
    struct frs_values settings =
        frs_values_of((*mechanism)->plugin.params, (const char *const[]){"costs", "gmp", NULL});
    struct frs_errors errors = {0};
    void *made = (*mechanism)->create(&settings, &(struct frs_privacy_setup){0}, &errors);
    uint64_t bytes = (*mechanism)->sealed_bytes(made, values);
    free(made);
    frs_values_fini(&settings);
    return bytes;
}

START_TEST(sums_of_ciphertexts) {
    static const double values[CLIENTS][VALUES] = {{0.5, -1.25, 3, 0, 1e-4, -7.5, 2, 0.125},
        {-0.5, 0.25, -3, 1, 2e-4, 7.5, -4, 0.125}, {1, -2, 0.5, 0.75, -5e-4, 0.0625, 1, -1}};
    gmp_randstate_t random;
    struct key key;
    mpz_t c, sum;
    double seal_s = 0, add_s = 0, open_s = 0;
    gmp_randinit_mt(random);
    gmp_randseed_ui(random, 7);
    draw_key(&key, random);
    mpz_inits(c, sum, NULL);
    for (size_t i = 0; i < VALUES; i++) {
        long expected = 0;
        mpz_set_ui(sum, 1);
        for (size_t u = 0; u < CLIENTS; u++) {
            long fixed = lround(values[u][i] * FIXED);
            double from_s = frs_cpu_s();
            encrypt(&key, random, fixed, c);
            seal_s += frs_cpu_s() - from_s;
            ck_assert_uint_le((mpz_sizeinbase(c, 2) + 7) / 8, modelled_bytes(1));
            from_s = frs_cpu_s();
            mpz_mul(sum, sum, c);
            mpz_mod(sum, sum, key.n2);
            add_s += frs_cpu_s() - from_s;
            expected += fixed;
        }
        double from_s = frs_cpu_s();
        long opened = decrypt(&key, sum);
        open_s += frs_cpu_s() - from_s;
        ck_assert_int_eq(opened, expected);
    }
    ck_assert_uint_eq(modelled_bytes(VALUES), VALUES * 2 * BITS / 8);
    printf("Paillier, %d bits: %.3g ms to encrypt a value, %.3g ms to add one, %.3g ms to decrypt one\n",
        BITS, 1e3 * seal_s / (CLIENTS * VALUES), 1e3 * add_s / (CLIENTS * VALUES), 1e3 * open_s / VALUES);
    mpz_clears(c, sum, key.n, key.n2, key.lambda, key.mu, NULL);
    gmp_randclear(random);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("Paillier");
    TCase *tests = tcase_create("Paillier");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, sums_of_ciphertexts);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}

#else

int main(void) {
    puts("SKIPPED paillier: there is no GMP (libgmp-dev)");
    return 77;
}

#endif
