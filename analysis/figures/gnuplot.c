#include "analysis/figures/gnuplot.h"
#include "analysis/figures/lettering.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How data files, and tables, begin: by it the program knows its own. */
static const char mark[] = "# a figure of fedrecsim", table_mark[] = "% a table of fedrecsim";

static const char *const endings[FRS_FIGURES_FORMATS] = {[FRS_FIGURES_SVG] = "svg",
    [FRS_FIGURES_PDF] = "pdf",
    [FRS_FIGURES_PNG] = "png",
    [FRS_FIGURES_PGF] = "tex"};

/* One column of two on a page, and both of them. */
static const double column_cm = 8.9, page_cm = 18.2;

/* Letters that fit above a figure and beside it, in its font. */
enum { ACROSS = 52, ACROSS_WIDE = 110, UPWARDS = 30, NAME = 28 };

static size_t letters_across(const struct frs_canvas *canvas) {
    return canvas->wide ? ACROSS_WIDE : ACROSS;
}

/* A PNG has 300 points an inch. */
static void put_terminal(FILE *out, const struct frs_canvas *canvas, double height_cm) {
    double width_cm = canvas->wide ? page_cm : column_cm;
    static const double screen = 96 / 2.54, print = 300 / 2.54;
    switch (canvas->format) {
    case FRS_FIGURES_PDF:
        fprintf(
            out, "set terminal pdfcairo size %.1fcm,%.2fcm noenhanced font 'sans,8'\n", width_cm, height_cm);
        break;
    case FRS_FIGURES_PNG:
        fprintf(out,
            "set terminal pngcairo size %.0f,%.0f noenhanced font 'sans,8' fontscale 3.125 linewidth 3.1 "
            "pointscale 3.1 background rgb 'white'\n",
            width_cm * print, height_cm * print);
        break;
    case FRS_FIGURES_PGF:
        fprintf(out,
            "set terminal tikz createstyle\n" /* what LaTeX needs beside the figures */
            "set terminal tikz size %.1fcm,%.2fcm font '\\footnotesize'\n",
            width_cm, height_cm);
        break;
    default:
        fprintf(out,
            "set terminal svg size %.0f,%.0f fixed noenhanced font 'sans,9' background rgb 'white'\n",
            width_cm * screen, height_cm * screen);
    }
}

/* Lines differ in colour, in its lightness, in dashes and in markers, so they can be distinguished in
 * grey, too. */
static void put_lines(FILE *out) {
    static const char *const colours[] = {
        "#0072b2", "#e69f00", "#000000", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#7f7f7f"};
    static const char *const dashes[] = {"1", "(12,4)", "(4,3)", "(12,3,2,3)", "(2,2)"};
    static const int markers[] = {7, 4, 9, 12, 6, 10, 5, 8};
    for (size_t i = 0; i < 24; i++)
        fprintf(out, "set linetype %zu lc rgb '%s' dt %s pt %d\n", i + 1, colours[i % 8],
            dashes[(i + i / 8) % 5], markers[(i + 3 * (i / 8)) % 8]);
    fputs("set linetype cycle 24\n", out);
}

static bool begins_with(const char *data, const char *text) {
    char begin[64] = "";
    FILE *file = fopen(data, "r");
    if (!file)
        return false;
    size_t n = fread(begin, 1, strlen(text), file);
    fclose(file);
    return n == strlen(text) && strcmp(begin, text) == 0;
}

static bool is_own(const char *data) {
    return begins_with(data, mark);
}

enum frs_status frs_canvas_open_table(struct frs_canvas *canvas, const char *name, const char *title,
    struct frs_draft *draft, struct frs_errors *errors) {
    *draft = (struct frs_draft){0};
    canvas->n_tables++;
    if (canvas->list) {
        fprintf(canvas->list, "%-24s %s\n", name, title);
        return FRS_OK;
    }
    char *path = frs_format("%s/%s.tex", canvas->folder, name);
    enum frs_status status = FRS_OK;
    if (frs_contents_exist(path) && !begins_with(path, table_mark))
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s is in the way: it is no table of this program; choose another place with --out DIR", path);
    if (status == FRS_OK)
        status = frs_draft_open(draft, path, errors);
    if (status == FRS_OK)
        fprintf(draft->file, "%s: %s; needs the package booktabs\n", table_mark, name);
    free(path);
    return status;
}

/* What stands there already has to be a figure of before: its data say so. */
static enum frs_status check_place(const struct frs_plot *plot, const char *data, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    const char *const names[] = {"dat", "gp", "svg", "pdf", "png", "tex"};
    for (size_t i = 0; i < sizeof names / sizeof *names && status == FRS_OK && !is_own(data); i++) {
        char *path = frs_format("%s/%s.%s", plot->canvas->folder, plot->name, names[i]);
        if (frs_contents_exist(path))
            status = frs_errors_add(errors, FRS_ERR_INPUT,
                "%s is in the way: it is no figure of this program; choose another place with --out DIR",
                path);
        free(path);
    }
    return status;
}

/* A line in quotes. */
static void put_line(struct frs_plot *plot, const char *text, size_t n, bool is_format) {
    FILE *out = plot->script.file;
    bool is_latex = plot->canvas->format == FRS_FIGURES_PGF;
    char *line = frs_format("%.*s", (int)n, text),
         *latex = is_latex ? frs_lettering_latex(line) : frs_strdup(line),
         *set =
             is_latex && is_format ? frs_lettering_replaced(latex, "\\%", "\\char37{}") : frs_strdup(latex);
    fputc('\'', out);
    for (const char *at = set; *at; at++) {
        if (*at == '\'' || (*at == '%' && is_format))
            fputc(*at, out);
        fputc(*at, out);
    }
    fputc('\'', out);
    free(set);
    free(latex);
    free(line);
}

/* gnuplot reads the text of tics as a format, in which % is doubled; it keeps only 49 bytes of a text with
 * a %. */
enum { FORMAT_MOST = 44 };

/* In lines of at most `most` letters. Quotes of gnuplot that hold a text as it is have no line ends. */
static void put_quoted(struct frs_plot *plot, const char *text, size_t most, bool is_format) {
    char *quoted = frs_quoted_line(text);
    bool is_long = is_format && plot->canvas->format != FRS_FIGURES_PGF && strlen(quoted) > FORMAT_MOST;
    char *spaced = is_long ? frs_lettering_replaced(quoted, " %", "%") : frs_strdup(quoted),
         *whole = is_long ? frs_lettering_replaced(spaced, "%", " per cent") : frs_strdup(spaced),
         *lines = frs_lettering_lines(whole, most);
    const char *at = lines;
    for (;;) {
        size_t n = strcspn(at, "\n");
        put_line(plot, at, n, is_format);
        at += n;
        if (!*at)
            break;
        fputs(".\"\\n\".", plot->script.file);
        at++;
    }
    free(lines);
    free(whole);
    free(spaced);
    free(quoted);
}

void frs_plot_put_lines(struct frs_plot *plot, const char *text, size_t most) {
    put_quoted(plot, text, most, false);
}

void frs_plot_put_text(struct frs_plot *plot, const char *text) {
    put_quoted(plot, text, SIZE_MAX, false);
}

void frs_plot_put_tics_at(
    struct frs_plot *plot, const char *axis, const char *const *names, const double *places, size_t n) {
    char number[32];
    fprintf(plot->script.file, "set %s (", axis);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "", plot->script.file);
        put_quoted(plot, names[i], NAME, true);
        fprintf(plot->script.file, " %s", frs_text_number(places[i], number, sizeof number));
    }
    fputs(")\n", plot->script.file);
}

void frs_plot_put_tics(struct frs_plot *plot, const char *axis, const char *const *names, size_t n) {
    double *places = frs_alloc(n, sizeof *places);
    for (size_t i = 0; i < n; i++)
        places[i] = (double)(i + 1);
    frs_plot_put_tics_at(plot, axis, names, places, n);
    free(places);
}

static void put_numbers(struct frs_plot *plot, const double *values, size_t n) {
    char number[32];
    for (size_t i = 0; i < n; i++)
        fprintf(plot->data.file, "%s%s", i ? " " : "",
            isfinite(values[i]) ? frs_text_number(values[i], number, sizeof number) : "NaN");
}

void frs_plot_put_row(struct frs_plot *plot, const double *values, size_t n) {
    put_numbers(plot, values, n);
    fputc('\n', plot->data.file);
}

/* gnuplot's data have no quotes inside quotes. */
void frs_plot_put_labelled(struct frs_plot *plot, const double *values, size_t n, const char *label) {
    char *line = frs_quoted_line(label);
    for (char *at = line; *at; at++)
        if (*at == '"')
            *at = '\'';
    put_numbers(plot, values, n);
    fprintf(plot->data.file, " \"%s\"\n", line);
    free(line);
}

void frs_plot_put_comment(struct frs_plot *plot, const char *a, const char *b) {
    char *line_a = frs_quoted_line(a), *line_b = frs_quoted_line(b);
    fprintf(plot->data.file, "# %s; %s\n", line_a, line_b);
    free(line_b);
    free(line_a);
}

void frs_plot_put_setting(struct frs_plot *plot, const char *what, const char *text, size_t most) {
    fprintf(plot->script.file, "set %s ", what);
    frs_plot_put_lines(plot, text, most);
    fputc('\n', plot->script.file);
}

/* In the middle of the whole figure: above its axes a title is cropped where long names stand beside them. */
static void put_title(struct frs_plot *plot, const char *title, double height_cm) {
    size_t across = letters_across(plot->canvas), lines = frs_lettering_count(title, across);
    if (lines == 0)
        return;
    fputs("set label ", plot->script.file);
    frs_plot_put_lines(plot, title, across);
    fprintf(plot->script.file, " at screen 0.5, screen %.4f center\nset tmargin at screen %.4f\n",
        1 - 0.35 / height_cm, 1 - (0.35 + 0.38 * (double)lines) / height_cm);
}

static void put_head(
    struct frs_plot *plot, const char *title, const char *x, const char *y, double height_cm) {
    size_t across = letters_across(plot->canvas);
    put_terminal(plot->script.file, plot->canvas, height_cm);
    fputs("set encoding utf8\n", plot->script.file);
    char *output = frs_format("%s.%s", plot->name, endings[plot->canvas->format]);
    fprintf(plot->script.file, "set output '%s'\n", output);
    free(output);
    put_lines(plot->script.file);
    if (x) {
        put_title(plot, title, height_cm);
        frs_plot_put_setting(plot, "xlabel", x, across);
        frs_plot_put_setting(plot, "ylabel", y, UPWARDS);
    }
    fputs("set grid lc rgb '#dddddd' lt 1 dt 1 lw 0.5\nset border 3\nset tics nomirror\nset key below "
          "samplen 3 "
          "maxcols 1 Left reverse\nset autoscale xfix\nset datafile missing 'NaN'\n"
          "set style fill transparent solid 0.25 noborder\n",
        plot->script.file);
    fprintf(plot->data.file, "%s: %s\n", mark, plot->name);
}

static enum frs_status open_files(struct frs_plot *plot, struct frs_errors *errors) {
    const char *folder = plot->canvas->folder;
    char *data = frs_format("%s/%s.dat", folder, plot->name),
         *script = frs_format("%s/%s.gp", folder, plot->name);
    enum frs_status status = FRS_OK;
    if (plot->canvas->list) {
        plot->data.file = fopen("/dev/null", "w");
        /* cppcheck-suppress incompatibleFileOpen ; a device that holds nothing */
        plot->script.file = fopen("/dev/null", "w");
        if (!plot->data.file || !plot->script.file)
            status = frs_errors_add(errors, FRS_ERR_RUN, "/dev/null: %s", strerror(errno));
    } else {
        status = check_place(plot, data, errors);
        if (status == FRS_OK)
            status = frs_draft_open(&plot->data, data, errors);
        if (status == FRS_OK)
            status = frs_draft_open(&plot->script, script, errors);
    }
    free(script);
    free(data);
    return status;
}

/* Also of files that have no name. */
static void close_files(struct frs_plot *plot) {
    if (plot->canvas->list) {
        if (plot->data.file)
            fclose(plot->data.file);
        if (plot->script.file)
            fclose(plot->script.file);
    } else {
        frs_draft_discard(&plot->data);
        frs_draft_discard(&plot->script);
    }
    free(plot->title);
    free(plot->name);
}

enum frs_status frs_plot_begin_high(struct frs_plot *plot, struct frs_canvas *canvas, char *name,
    const char *title, const char *x, const char *y, double height_cm, struct frs_errors *errors) {
    *plot = (struct frs_plot){.canvas = canvas,
        .name = name,
        .title = frs_format("%s%s%s", title, *title && y && *y ? ": " : "", y ? y : "")};
    enum frs_status status = open_files(plot, errors);
    if (status == FRS_OK)
        put_head(plot, title, x, y, height_cm);
    else
        close_files(plot);
    return status;
}

/* A line of a title takes 0.36 cm. */
enum frs_status frs_plot_begin(struct frs_plot *plot, struct frs_canvas *canvas, char *name,
    const char *title, const char *x, const char *y, size_t n, struct frs_errors *errors) {
    double own = canvas->wide ? 7.4 : 5.8;
    size_t lines = frs_lettering_count(title, letters_across(canvas)),
           more = frs_lettering_count(x, letters_across(canvas));
    double below = 0.36 * (double)(more > 1 ? more - 1 : 0),
           height = own + 0.34 * (double)n + below + 0.36 * (double)(lines > 1 ? lines - 1 : 0);
    enum frs_status status = frs_plot_begin_high(plot, canvas, name, title, x, y, height, errors);
    if (status == FRS_OK) /* gnuplot's own place for a key below is so near that it touches the label of x */
        fprintf(plot->script.file,
            "set key at screen 0.5, screen %.4f center top vertical\nset bmargin at screen %.4f\n",
            (0.36 * (double)n + 0.1) / height, (1.25 + below + 0.36 * (double)n) / height);
    return status;
}

/* Runs gnuplot in the folder, without a start file of its own (-d). Its output is discarded, because it
 * does not name the figure. Returns its exit code, or -1. */
static int run_gnuplot(const char *folder, const char *script) {
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_RDWR);
        if (null < 0 || chdir(folder) != 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
            _exit(126);
        setenv("TZ", "UTC", 1);
        execlp("gnuplot", "gnuplot", "-d", script, (char *)NULL);
        _exit(errno == ENOENT ? 127 : 126);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* gnuplot's PDF says when it was made: spaces take that place, so that equal results give equal files. */
static void forget_pdf_date(FILE *file) {
    static const char key[] = "/CreationDate (";
    char window[64];
    long at = fseek(file, 0, SEEK_END) == 0 ? ftell(file) - (long)sizeof window : -1;
    for (; at >= 0; at--) {
        if (fseek(file, at, SEEK_SET) != 0 || fread(window, 1, sizeof window, file) != sizeof window)
            break;
        const char *end = memchr(window, ')', sizeof window);
        if (memcmp(window, key, sizeof key - 1) != 0 || !end)
            continue;
        memset(window, ' ', (size_t)(end + 1 - window));
        fseek(file, at, SEEK_SET);
        fwrite(window, 1, (size_t)(end + 1 - window), file);
        break;
    }
}

/* Its TikZ picture has the date as the comment in the third line. */
static void forget_pgf_date(FILE *file) {
    char line[200];
    for (int i = 0; i < 2; i++)
        if (!fgets(line, sizeof line, file))
            return;
    long at = ftell(file);
    if (at < 0 || !fgets(line, sizeof line, file) || strncmp(line, "%% ", 3) != 0)
        return;
    memset(line + 2, ' ', strcspn(line, "\n") - 2);
    fseek(file, at, SEEK_SET);
    fputs(line, file);
}

static void forget_date(const struct frs_plot *plot) {
    char *path = frs_format("%s/%s.%s", plot->canvas->folder, plot->name, endings[plot->canvas->format]);
    FILE *file = fopen(path, "r+b");
    if (file && plot->canvas->format == FRS_FIGURES_PDF)
        forget_pdf_date(file);
    if (file && plot->canvas->format == FRS_FIGURES_PGF)
        forget_pgf_date(file);
    if (file)
        fclose(file);
    free(path);
}

static enum frs_status draw(struct frs_plot *plot, struct frs_errors *errors) {
    enum frs_status status = frs_draft_commit(&plot->data, errors);
    if (status == FRS_OK)
        status = frs_draft_commit(&plot->script, errors);
    char *script = frs_format("%s.gp", plot->name);
    int code =
        status == FRS_OK && !plot->canvas->without_gnuplot ? run_gnuplot(plot->canvas->folder, script) : 0;
    if (code == 127)
        plot->canvas->without_gnuplot = true;
    else if (code != 0)
        status = frs_errors_add(
            errors, FRS_ERR_RUN, "gnuplot has failed (%d) with %s/%s", code, plot->canvas->folder, script);
    else if (status == FRS_OK)
        forget_date(plot);
    free(script);
    return status;
}

enum frs_status frs_plot_draw(struct frs_plot *plot, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    if (plot->canvas->list)
        fprintf(plot->canvas->list, "%-24s %s\n", plot->name, plot->title);
    else
        status = draw(plot, errors);
    plot->canvas->n += status == FRS_OK;
    close_files(plot);
    return status;
}
