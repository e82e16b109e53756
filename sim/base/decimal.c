#include "sim/base/decimal.h"
#include "sim/base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 15
#define LOWEST 1e14L /* the smallest number of 15 digits */

/* Powers of ten that a long double of 64 bits holds exactly: 5^27 < 2^63. */
#define LARGEST_POWER 27
static const long double powers[LARGEST_POWER + 1] = {1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L,
    1e9L, 1e10L, 1e11L, 1e12L, 1e13L, 1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L,
    1e24L, 1e25L, 1e26L, 1e27L};

static size_t print_slowly(char *text, double value) {
    return (size_t)snprintf(text, FRS_DECIMAL_CHARS, "%.15g", value);
}

size_t frs_decimal_count(char *text, uint64_t value) {
    char reversed[FRS_DECIMAL_CHARS];
    size_t n = 0;
    do
        reversed[n++] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    for (size_t i = 0; i < n; i++)
        text[i] = reversed[n - 1 - i];
    text[n] = '\0';
    return n;
}

/* value · 10^power, both exact, rounded once. */
static long double scale(double value, int power) {
    return power >= 0 ? (long double)value * powers[power] : (long double)value / powers[-power];
}

/* Finds the 15 digits of a positive value, and the power of ten of the first. Returns false when the
 * arithmetic here has too few bits to decide the rounding. */
static bool find_digits(double value, uint64_t *digits, int *power) {
    int binary;
    (void)frexp(value, &binary);
    *power = (int)floor((binary - 1) * 0.30102999566398120); /* or one more */
    if (LDBL_MANT_DIG < 64 || *power < DIGITS - LARGEST_POWER || *power > LARGEST_POWER + DIGITS - 2)
        return false;
    long double scaled = scale(value, DIGITS - 1 - *power);
    if (scaled >= 10 * LOWEST)
        scaled = scale(value, DIGITS - 1 - ++*power);
    *digits = (uint64_t)scaled;
    long double rest = scaled - (long double)*digits;
    if (fabsl(rest - 0.5L) < 1.0L / 1024) /* scaling errs by less than 1e15 · 2^-63 */
        return false;
    *digits += rest > 0.5L;
    if (*digits == (uint64_t)(10 * LOWEST)) {
        *digits = (uint64_t)LOWEST;
        ++*power;
    }
    return true;
}

static size_t drop_zeros(const char *digits) {
    size_t n = DIGITS;
    while (n > 1 && digits[n - 1] == '0')
        n--;
    return n;
}

/* d.ddde±XX. */
static size_t put_exponential(char *text, const char *digits, size_t n, int power) {
    char *to = text;
    *to++ = digits[0];
    if (n > 1) {
        *to++ = '.';
        memcpy(to, digits + 1, n - 1);
        to += n - 1;
    }
    int magnitude = power < 0 ? -power : power;
    *to++ = 'e';
    *to++ = power < 0 ? '-' : '+';
    if (magnitude < 10)
        *to++ = '0';
    to += frs_decimal_count(to, (uint64_t)magnitude);
    return (size_t)(to - text);
}

static size_t put_fixed(char *text, const char *digits, size_t n, int power) {
    char *to = text;
    if (power < 0) {
        *to++ = '0';
        *to++ = '.';
        for (int i = -1; i > power; i--)
            *to++ = '0';
        memcpy(to, digits, n);
        return (size_t)(to - text) + n;
    }
    size_t whole = (size_t)power + 1;
    memcpy(to, digits, whole); /* of all 15 digits, zeros included */
    to += whole;
    if (n > whole) {
        *to++ = '.';
        memcpy(to, digits + whole, n - whole);
        to += n - whole;
    }
    return (size_t)(to - text);
}

size_t frs_decimal_real(char *text, double value) {
    char digits[FRS_DECIMAL_CHARS];
    uint64_t number;
    int power;
    if (value >= 0 && value < 1e15 && value == (double)(uint64_t)value && !signbit(value))
        return frs_decimal_count(text, (uint64_t)value);
    double magnitude = fabs(value);
    if (!(magnitude > 0 && magnitude < INFINITY) || !find_digits(magnitude, &number, &power))
        return print_slowly(text, value);
    frs_decimal_count(digits, number);
    size_t n = drop_zeros(digits), sign = value < 0;
    text[0] = '-';
    size_t length = sign + (power < -4 || power >= DIGITS ? put_exponential(text + sign, digits, n, power)
                                                          : put_fixed(text + sign, digits, n, power));
    text[length] = '\0';
    return length;
}

/* Most of what is written are separators and single digits, for which a call takes longer than they do. */
static void put(FILE *out, const char *text, size_t n) {
    if (n > 12)
        fwrite_unlocked(text, 1, n, out);
    else
        for (size_t i = 0; i < n; i++)
            putc_unlocked(text[i], out);
}

void frs_put_real(FILE *out, double value) {
    char text[FRS_DECIMAL_CHARS];
    put(out, text, frs_decimal_real(text, value));
}

void frs_put_count(FILE *out, uint64_t value) {
    char text[FRS_DECIMAL_CHARS];
    put(out, text, frs_decimal_count(text, value));
}

void frs_put_text(FILE *out, const char *text) {
    for (; *text; text++)
        putc_unlocked(*text, out);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* A decimal number as it is written: digits with a point among them, and an exponent. */
struct written {
    const char *digits; /* `n` characters, a point included */
    size_t n, n_decimals;
    long exponent;
    bool negative;
};

#define EXPONENT_MOST 1000000 /* beyond all doubles, whatever digits stand before it */

static const char *read_exponent(const char *at, long *exponent) {
    if (*at != 'e' && *at != 'E')
        return at; /* which may be where the text ends */
    const char *from = at + 1 + (at[1] == '-' || at[1] == '+');
    if (*from < '0' || *from > '9')
        return at;
    for (; *from >= '0' && *from <= '9'; from++)
        if (*exponent < EXPONENT_MOST)
            *exponent = 10 * *exponent + (*from - '0');
    if (at[1] == '-')
        *exponent = -*exponent;
    return from;
}

/* Returns where it ends; `text`: there is no number. */
static const char *read_written(const char *text, struct written *written) {
    *written = (struct written){.negative = *text == '-'};
    const char *at = text + (*text == '-' || *text == '+'), *point = NULL;
    written->digits = at;
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && !point); at++)
        if (*at == '.')
            point = at;
    written->n = (size_t)(at - written->digits);
    written->n_decimals = point ? (size_t)(at - point) - 1 : 0;
    bool is_hexadecimal = at == written->digits + 1 && *written->digits == '0' && (*at == 'x' || *at == 'X');
    if (written->n == (point != NULL) || is_hexadecimal)
        return text;
    return read_exponent(at, &written->exponent);
}

/* Where a double holds both the digits times the factor and the power of ten exactly, one operation rounds
 * only once. */
static bool read_short(const struct written *written, unsigned factor, long exponent, double *value) {
    static const double tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13,
        1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const long most = (long)(sizeof tens / sizeof *tens) - 1;
    uint64_t digits = 0;
    if (written->n > 18 || exponent > most || exponent < -most)
        return false;
    for (size_t i = 0; i < written->n; i++)
        if (written->digits[i] != '.')
            digits = 10 * digits + (uint64_t)(written->digits[i] - '0');
    if (digits > (UINT64_C(1) << 53) / factor)
        return false;
    *value = exponent >= 0 ? (double)(digits * factor) * tens[exponent]
                           : (double)(digits * factor) / tens[-exponent];
    return true;
}

/* The product is written out in decimal, and strtod rounds it. */
static double read_long(const struct written *written, unsigned factor, long exponent) {
    size_t room = written->n + 16, first = room; /* a factor below 10^6 and a carry */
    char *product = frs_alloc(room + 32, 1);
    uint64_t carry = 0;
    for (size_t i = written->n; i > 0; i--) {
        if (written->digits[i - 1] == '.')
            continue;
        carry += (uint64_t)(written->digits[i - 1] - '0') * factor;
        product[--first] = (char)('0' + carry % 10);
        carry /= 10;
    }
    for (; carry > 0; carry /= 10)
        product[--first] = (char)('0' + carry % 10);
    snprintf(product + room, 32, "e%ld", exponent);
    double value = strtod(product + first, NULL);
    free(product);
    return value;
}

double frs_decimal_read(const char *text, unsigned factor, int power, char **end) {
    struct written written;
    double value;
    const char *behind = read_written(text, &written);
    *end = (char *)behind;
    if (behind == text)
        return 0;
    long exponent = written.exponent + power - (long)written.n_decimals;
    if (!read_short(&written, factor, exponent, &value))
        value =
            factor == 1 && power == 0 ? strtod(written.digits, NULL) : read_long(&written, factor, exponent);
    return written.negative ? -value : value;
}

bool frs_decimal_is(const char *text, double *value) {
    char *end;
    double number = frs_decimal_read(text, 1, 0, &end);
    bool good = end != text && !*end && isfinite(number);
    if (good)
        *value = number;
    return good;
}
