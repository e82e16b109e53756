#include "algorithms/privacy_accountant.h"
#include "algorithms/renyi.h"

#include <math.h>

const char *const frs_noise_names[] = {
    [FRS_NO_NOISE] = "none", [FRS_LAPLACE] = "laplace", [FRS_GAUSSIAN] = "gaussian"};

/* Φ(−x)/φ(x) for x ≥ 0. From 20 on by its asymptotic series, whose terms are below 1e-9 then. */
static double mills_ratio(double x) {
    if (x < 20)
        return sqrt(M_PI / 2) * exp(x * x / 2) * erfc(x / M_SQRT2);
    double y = 1 / (x * x);
    return (1 - y * (1 - y * (3 - y * (15 - y * 105)))) / x;
}

/* e^ε Φ(−μ/2 − ε/μ) = φ(ε/μ − μ/2) · the Mills ratio: e^ε alone may be beyond every number. */
static double gaussian_delta(double mu, double epsilon) {
    double x = epsilon / mu - mu / 2;
    double density = exp(-x * x / 2) / sqrt(2 * M_PI);
    double above = x < 0 ? erfc(x / M_SQRT2) / 2 : density * mills_ratio(x);
    return above - density * mills_ratio(epsilon / mu + mu / 2);
}

/* The least ε at δ; δ(ε) falls. At ε = μ²/2 + μ√(2 ln(1/δ)) it is below δ (zero-concentrated privacy, Bun &
 * Steinke 2016). */
static double gaussian_epsilon(double mu, double delta) {
    double low = 0, high = mu * mu / 2 + mu * sqrt(2 * log(1 / delta));
    if (gaussian_delta(mu, 0) <= delta)
        return 0;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (gaussian_delta(mu, middle) > delta)
            low = middle;
        else
            high = middle;
    }
    return high;
}

struct frs_privacy_loss frs_privacy_loss(const struct frs_guarantee *guarantee, uint64_t releases) {
    struct frs_privacy_loss loss = {0};
    if (releases == 0)
        return loss;
    loss.delta = guarantee->noise == FRS_GAUSSIAN ? guarantee->delta : 0;
    if (guarantee->noise == FRS_NO_NOISE || guarantee->scale <= 0)
        loss.epsilon = INFINITY;
    else if (guarantee->noise == FRS_LAPLACE)
        loss.epsilon = (double)releases * guarantee->values / guarantee->scale;
    else
        loss.epsilon = gaussian_epsilon(sqrt((double)releases) / guarantee->scale, guarantee->delta);
    return loss;
}

/* n values at ε₀ = r/b each are one release of n·ε₀. */
static double advanced_epsilon(const struct frs_guarantee *guarantee, uint64_t releases) {
    double epsilon = guarantee->values / guarantee->scale, n = (double)releases;
    return epsilon * sqrt(2 * n * log(1 / guarantee->delta)) + n * epsilon * expm1(epsilon);
}

static struct frs_renyi_release release_of(const struct frs_guarantee *guarantee) {
    return (struct frs_renyi_release){
        .noise = guarantee->noise == FRS_LAPLACE ? FRS_RENYI_LAPLACE : FRS_RENYI_GAUSSIAN,
        .scale = guarantee->scale,
        .values = guarantee->noise == FRS_LAPLACE ? guarantee->values : 1};
}

struct frs_privacy_account frs_privacy_account(
    const struct frs_guarantee *guarantee, uint64_t releases, uint64_t rounds) {
    struct frs_privacy_account account = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, 0};
    if (releases == 0 || guarantee->noise == FRS_NO_NOISE || guarantee->scale <= 0) {
        account.epsilon = releases == 0 ? 0 : INFINITY;
        return account;
    }
    struct frs_renyi_release release = release_of(guarantee);
    bool laplace = guarantee->noise == FRS_LAPLACE;
    *(laplace ? &account.sum : &account.exact) = frs_privacy_loss(guarantee, releases).epsilon;
    account.epsilon = laplace ? account.sum : account.exact;
    if (guarantee->delta > 0) {
        account.advanced = laplace ? advanced_epsilon(guarantee, releases) : INFINITY;
        account.renyi = frs_renyi_epsilon(&release, releases, guarantee->delta);
        release.sampling = guarantee->sampling;
        if (guarantee->sampling.kind != FRS_NOT_SAMPLED)
            account.sampled = frs_renyi_epsilon(&release, rounds, guarantee->delta);
    }
    double others = fmin(fmin(account.advanced, account.renyi), account.sampled);
    if (others < account.epsilon || !laplace)
        account.delta = guarantee->delta;
    account.epsilon = fmin(account.epsilon, others);
    return account;
}

double frs_privacy_scale(
    const struct frs_guarantee *guarantee, uint64_t releases, uint64_t rounds, double epsilon) {
    struct frs_guarantee with = *guarantee;
    double low = log(1e-9), high = log(1e9);
    with.scale = exp(high);
    if (frs_privacy_account(&with, releases, rounds).epsilon > epsilon)
        return NAN;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        with.scale = exp(middle);
        *(frs_privacy_account(&with, releases, rounds).epsilon > epsilon ? &low : &high) = middle;
    }
    return exp(high);
}
