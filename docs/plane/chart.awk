# The picture of docs/plane.md, an SVG: bytes up and down a participation, both on logarithmic axes, HR@10 as colour. Loaded after plane.awk,
# whose figures it draws.

# Dark to light, of viridis.
function colour(share, stops, n, i, part, a, b, text, k) {
    n = split("44,1,84 59,82,139 33,145,140 94,201,98 253,231,37", stops, " ")
    if (share < 0) share = 0
    if (share > 1) share = 1
    i = int(share * (n - 1)); if (i > n - 2) i = n - 2
    part = share * (n - 1) - i
    split(stops[i + 1], a, ","); split(stops[i + 2], b, ",")
    text = "#"
    for (k = 1; k <= 3; k++) text = text sprintf("%02x", a[k] + part * (b[k] - a[k]))
    return text
}
function log10(x) { return log(x) / log(10) }
function x_of(bytes) { return left + (log10(bytes) - log10(x_least)) / (log10(x_most) - log10(x_least)) * width }
function y_of(bytes) { return top + height - (log10(bytes) - log10(y_least)) / (log10(y_most) - log10(y_least)) * height }
function text_at(file, x, y, anchor, size, text) {
    gsub(/&/, "\\&amp;", text)
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\">%s</text>\n", x, y, anchor, size, text > file
}
# 1, 2 and 5 times a power of ten below and above.
function step_below(x, e, m) { e = 10 ^ int(log10(x) + 10) / 10 ^ 10; m = x / e; return (m >= 5 ? 5 : m >= 2 ? 2 : 1) * e }
function step_above(x, e) { e = step_below(x); return next_step(e) }
function next_step(x, m) { m = x / 10 ^ int(log10(x) + 10.0001) * 10 ^ 10; return m > 4.5 ? x * 2 : m > 1.5 ? x * 2.5 : x * 2 }

# Whether a box is free of the labels and points so far.
function is_free(x1, y1, x2, y2, i) {
    if (x1 < left || x2 > left + width || y1 < top || y2 > top + height) return 0
    for (i = 1; i <= n_boxes; i++) if (x1 < box[i, 3] && x2 > box[i, 1] && y1 < box[i, 4] && y2 > box[i, 2]) return 0
    return 1
}
function take(x1, y1, x2, y2) { n_boxes++; box[n_boxes, 1] = x1; box[n_boxes, 2] = y1; box[n_boxes, 3] = x2; box[n_boxes, 4] = y2 }

# Beside the point where there is room, further away with a line otherwise.
function label(file, x, y, text, w, side, d, dy, k) {
    w = 6.9 * length(text)
    for (k = 0; k < 40; k++) {
        dy = int((k + 1) / 2) * 8 * (k % 2 ? -1 : 1)
        d = k < 3 ? 12 : 22
        for (side = 1; side >= -1; side -= 2) {
            if (!is_free(side > 0 ? x + d : x - d - w, y + dy - 8, side > 0 ? x + d + w : x - d, y + dy + 7)) continue
            take(side > 0 ? x + d : x - d - w, y + dy - 8, side > 0 ? x + d + w : x - d, y + dy + 7)
            if (k >= 3) printf "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#888\" fill=\"none\"/>\n", x + side * 8, y, x + side * (d - 2), y + dy > file
            text_at(file, x + side * d, y + dy + 4, side > 0 ? "start" : "end", 12, text)
            return
        }
    }
    text_at(file, x + 12, y + 4, "start", 12, text)
}

function draw(file, m, i, x, y, method, n, low, high, hr, up, down, shown, steps) {
    left = 90; top = 50; width = 660; height = 420; n = 0
    for (m = 1; m <= n_methods; m++) {
        method = methods[m]
        if (!seeds_of(method)) continue
        shown[++n] = method
        over_seeds(method, "4g", "none", "up", 0); up[n] = mean
        over_seeds(method, "4g", "none", "down", 0); down[n] = mean
        over_seeds(method, "4g", "none", "hr", 0); hr[n] = mean
        if (n == 1 || up[n] < x_least) x_least = up[n]
        if (up[n] > x_most) x_most = up[n]
        if (n == 1 || down[n] < y_least) y_least = down[n]
        if (down[n] > y_most) y_most = down[n]
        if (n == 1 || hr[n] < low) low = hr[n]
        if (hr[n] > high) high = hr[n]
    }
    x_least = step_below(x_least * 0.9); y_least = step_below(y_least * 0.9); x_most = step_above(x_most * 1.05); y_most = step_above(y_most * 1.05)
    low = int(low * 50) / 50; high = int(high * 50 + 0.9999) / 50
    if (high <= low) high = low + 0.02
    print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 540\" width=\"900\" height=\"540\" font-family=\"sans-serif\" role=\"img\" aria-labelledby=\"t d\">" > file
    printf "<title id=\"t\">Bytes up and down a participation, and HR@10</title>\n<desc id=\"d\">%d methods; the table of the page has the figures.</desc>\n", n > file
    print "<rect width=\"900\" height=\"540\" fill=\"#fff\"/>" > file
    text_at(file, left, 26, "start", 15, "Bytes of a participation, and HR@10 after 500 rounds (MovieLens-100K, honest, none lost)")
    for (x = x_least; x <= x_most * 1.001; x = next_step(x)) {
        printf "<path d=\"M%.1f %dV%d\" stroke=\"#ddd\"/>\n", x_of(x), top, top + height > file
        text_at(file, x_of(x), top + height + 18, "middle", 12, x >= 1e6 ? x / 1e6 " MB" : x / 1000 " kB")
    }
    for (y = y_least; y <= y_most * 1.001; y = next_step(y)) {
        printf "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/>\n", left, y_of(y), left + width > file
        text_at(file, left - 8, y_of(y) + 4, "end", 12, y >= 1e6 ? y / 1e6 " MB" : y / 1000 " kB")
    }
    text_at(file, left + width / 2, top + height + 44, "middle", 13, "up, a participation")
    printf "<text transform=\"translate(22 %d) rotate(-90)\" text-anchor=\"middle\" font-size=\"13\">down, a participation</text>\n", top + height / 2 > file
    n_boxes = 0
    for (i = 1; i <= n; i++) take(x_of(up[i]) - 9, y_of(down[i]) - 9, x_of(up[i]) + 9, y_of(down[i]) + 9)
    for (i = 1; i <= n; i++) label(file, x_of(up[i]), y_of(down[i]), shown[i] sprintf(" %.3f", hr[i]))
    for (i = 1; i <= n; i++)
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"8\" fill=\"%s\" stroke=\"#333\"/>\n", x_of(up[i]), y_of(down[i]), colour((hr[i] - low) / (high - low)) > file
    steps = 40
    for (i = 0; i < steps; i++)
        printf "<rect x=\"%d\" y=\"%.1f\" width=\"16\" height=\"%.1f\" fill=\"%s\"/>\n", left + width + 40, top + height - (i + 1) * height / steps, height / steps + 0.5,
            colour((i + 0.5) / steps) > file
    for (i = 0; i <= 4; i++) text_at(file, left + width + 62, top + height - i * height / 4 + 4, "start", 12, sprintf("%.3f", low + i * (high - low) / 4))
    text_at(file, left + width + 40, top - 12, "start", 12, "HR@10")
    print "</svg>" > file
    close(file)
}
