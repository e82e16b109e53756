#include "sim/base/terminal.h"

#include <errno.h>
#include <langinfo.h>
#include <math.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <unistd.h>

/* ---- what it can do ---- */

/* What stands for stdout has no descriptor. */
static int descriptor(FILE *out) {
    return out == stdout ? STDOUT_FILENO : fileno(out);
}

bool frs_terminal_redraws(FILE *out) {
    const char *kind = getenv("TERM");
    return isatty(descriptor(out)) && kind && *kind && strcmp(kind, "dumb") != 0;
}

size_t frs_terminal_columns(FILE *out) {
    const char *told = getenv("COLUMNS");
    long columns = told ? strtol(told, NULL, 10) : 0;
    struct winsize size;
    if (columns > 0 && columns <= 10000)
        return (size_t)columns;
    return ioctl(descriptor(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool frs_terminal_is_narrow(FILE *out, size_t columns) {
    return isatty(descriptor(out)) && columns > frs_terminal_columns(out);
}

/* ---- letters ---- */

/* Two letters take the place of a sign and the space behind it, so that columns stay where they are. */
static const struct {
    const char *sign, *ascii;
} signs[] = {{"± ", "+-"}, {"≥ ", ">="}, {"≤ ", "<="}, {"±", "+"}, {"≥", ">"}, {"≤", "<"}, {"–", "-"},
    {"−", "-"}, {"×", "x"}, {"·", "*"}, {"…", "~"}, {"√", "r"}, {"ε", "e"}, {"η", "h"}, {"µ", "u"}};

static size_t character_bytes(const char *text) {
    unsigned char first = (unsigned char)*text;
    return first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* How many bytes at `text` (n of them) the next letters of ASCII stand for. */
static size_t translate(const char *text, size_t n, const char **ascii) {
    static char plain[2];
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i].sign);
        if (length <= n && memcmp(text, signs[i].sign, length) == 0) {
            *ascii = signs[i].ascii;
            return length;
        }
    }
    size_t bytes = character_bytes(text);
    plain[0] = '?';
    if ((unsigned char)*text < 0x80)
        plain[0] = *text;
    *ascii = plain;
    return bytes < n ? bytes : n;
}

void frs_terminal_ascii(char *text, size_t *n, size_t *rest) {
    size_t from = 0, to = 0;
    const char *ascii;
    while (from < *n && from + character_bytes(text + from) <= *n) {
        from += translate(text + from, *n - from, &ascii);
        for (; *ascii; ascii++)
            text[to++] = *ascii;
    }
    *rest = *n - from;
    memmove(text + to, text + from, *rest);
    *n = to;
}

/* ---- stdout ---- */

enum { CHUNK = 4096, CUT = 3 }; /* bytes of a character that are not all of it */

static struct {
    char bytes[CUT];
    size_t n;
} cut;

static bool write_whole(const char *text, size_t n) {
    while (n > 0) {
        ssize_t written = write(STDOUT_FILENO, text, n);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        text += written;
        n -= (size_t)written;
    }
    return true;
}

static ssize_t write_ascii(void *cookie, const char *text, size_t n) {
    char chunk[CHUNK + CUT];
    (void)cookie;
    for (size_t done = 0, taken; done < n; done += taken) {
        taken = n - done < CHUNK ? n - done : CHUNK;
        memcpy(chunk, cut.bytes, cut.n);
        memcpy(chunk + cut.n, text + done, taken);
        size_t length = cut.n + taken;
        frs_terminal_ascii(chunk, &length, &cut.n);
        memcpy(cut.bytes, chunk + length, cut.n);
        if (!write_whole(chunk, length))
            return 0;
    }
    return (ssize_t)n;
}

void frs_terminal_begin(void) {
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool utf8 = locale && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    if (locale)
        freelocale(locale);
    if (utf8 || !isatty(STDOUT_FILENO))
        return;
    FILE *ascii = fopencookie(NULL, "w", (cookie_io_functions_t){.write = write_ascii});
    if (!ascii)
        return;
    setvbuf(ascii, NULL, _IOLBF, CHUNK);
    stdout = ascii;
}

char *frs_terminal_time_left(double seconds, char *text, size_t size) {
    static const struct {
        double most_s, unit_s, step;
        const char *name;
    } ranges[] = {{10, 1, 1, "s"}, {97.5, 1, 5, "s"}, {5970, 60, 1, "min"}, {172800, 3600, 1, "h"},
        {INFINITY, 86400, 1, "d"}};
    size_t i = 0;
    while (ranges[i].most_s < seconds)
        i++;
    double steps = seconds / ranges[i].unit_s / ranges[i].step;
    steps = fmax(i == 0 ? ceil(steps) : round(steps), 1);
    snprintf(text, size, "%.0f %s", steps * ranges[i].step, ranges[i].name);
    return text;
}
