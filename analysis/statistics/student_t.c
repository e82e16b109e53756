#include "analysis/statistics/student_t.h"
#include "sim/base/numbers/beta.h"

#include <math.h>

/* Γ(a + 1/2) / Γ(a); the series is that of its logarithm for large a (DLMF 5.11.8). */
static double gamma_ratio(double a) {
    if (a < 30)
        return tgamma(a + 0.5) / tgamma(a);
    double r = 1 / a, r2 = r * r;
    return sqrt(a) * exp(r * (-1.0 / 8 + r2 * (1.0 / 192 + r2 * (-1.0 / 640 + r2 * 17 / 14336))));
}

/* P(T > t) for t ≥ 0: half of the regularised incomplete beta function I_x(df/2, 1/2) at x = df/(df + t²)
 * (DLMF 8.17). y = 1 − x is computed on its own, because x is nearly 1 for many degrees of freedom. */
static double upper_tail(double t, double df) {
    if (isinf(df))
        return 0.5 * erfc(t / sqrt(2));
    double a = 0.5 * df, b = 0.5, x = df / (df + t * t), y = t * t / (df + t * t);
    double inverse_beta = gamma_ratio(a) / sqrt(M_PI);
    double front = inverse_beta * exp(a * (t * t < df ? log1p(-y) : log(x))) * sqrt(y);
    if (x < (a + 1) / (a + b + 2))
        return 0.5 * front * frs_beta_fraction(a, b, x) / a;
    return 0.5 * (1 - front * frs_beta_fraction(b, a, y) / b);
}

static double density(double t, double df) {
    if (isinf(df))
        return exp(-0.5 * t * t) / sqrt(2 * M_PI);
    return gamma_ratio(0.5 * df) / sqrt(M_PI * df) * exp(-0.5 * (df + 1) * log1p(t * t / df));
}

double frs_student_t_cdf(double t, double df) {
    return t < 0 ? upper_tail(-t, df) : 1 - upper_tail(t, df);
}

/* Newton's steps, kept inside a bracket that every step narrows. */
double frs_student_t_quantile(double p, double df) {
    double tail = p < 0.5 ? p : 1 - p, low = 0, high = 1;
    if (p == 0.5)
        return 0;
    while (upper_tail(high, df) > tail) {
        low = high;
        high *= 2;
    }
    double t = 0.5 * (low + high);
    for (int i = 0; i < 200; i++) {
        double excess = upper_tail(t, df) - tail;
        if (excess > 0)
            low = t;
        else
            high = t;
        double next = t + excess / density(t, df);
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        double moved = fabs(next - t);
        t = next;
        if (moved <= 1e-15 * t)
            break;
    }
    return p < 0.5 ? -t : t;
}
