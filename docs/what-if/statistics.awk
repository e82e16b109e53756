# What the studies of this folder compute of one figure over their seeds; loaded before their own script:
#   awk -f statistics.awk -f remedies.awk ...

# Two-sided level of Student's t with df degrees of freedom (Abramowitz and Stegun, 26.7.3 and 26.7.4).
function level(t, df, theta, c, term, sum, k) {
    theta = atan2(t < 0 ? -t : t, sqrt(df)); c = cos(theta)
    if (df % 2 == 1) {
        sum = 0; term = c
        for (k = 1; k <= df - 2; k += 2) { sum += term; term *= c * c * (k + 1) / (k + 2) }
        return 1 - 2 / 3.14159265358979 * (theta + sin(theta) * sum)
    }
    sum = 0; term = 1
    for (k = 0; k <= df - 2; k += 2) { sum += term; term *= c * c * (k + 1) / (k + 2) }
    return 1 - sin(theta) * sum
}

# The t beyond which 5 % lie.
function quantile(df, low, high, middle, i) {
    low = 0; high = 1000
    for (i = 0; i < 100; i++) { middle = (low + high) / 2; if (level(middle, df) > 0.05) low = middle; else high = middle }
    return low
}

# Of x[1 … n]: mean, half, p. `least` is the variance that rounding to whole interactions has.
function summarise(x, n, least, i, sum, squares) {
    sum = squares = 0
    for (i = 1; i <= n; i++) sum += x[i]
    mean = n > 0 ? sum / n : 0
    for (i = 1; i <= n; i++) squares += (x[i] - mean) * (x[i] - mean)
    half = -1; p = 1
    if (n < 2) return
    squares /= n - 1
    if (squares < least && squares + mean * mean > 0) squares = least
    half = quantile(n - 1) * sqrt(squares / n)
    if (squares > 0) p = level(mean / sqrt(squares / n), n - 1)
}

# Which of the p[1 … n] are below .05 by Holm's method: sets found[i].
function holm(p, n, found, i, j, least, done) {
    for (i = 1; i <= n; i++) found[i] = 0
    for (j = 0; j < n; j++) {
        least = 0
        for (i = 1; i <= n; i++) if (!found[i] && (!least || p[i] < p[least])) least = i
        if (p[least] * (n - j) > 0.05) return
        found[least] = 1
    }
}

function signed(x, digits, text) {
    text = sprintf("%." digits "f", x < 0 ? -x : x); return (x < 0 && text + 0 > 0 ? "−" : "+") text
}
function within(half, digits) { return half < 0 ? "" : sprintf(" ± %." digits "f", half) }
