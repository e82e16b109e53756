#include "analysis/figures/gnuplot.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How data files begin: by it the program knows its own. */
static const char mark[] = "# a figure of fedrecsim";

static const char *const endings[] = {[FRS_FIGURES_SVG] = "svg", [FRS_FIGURES_PDF] = "pdf"};

/* 8.9 cm: a column of two on a page; 336 points of a screen. */
static void put_terminal(FILE *out, enum frs_figures_format format, size_t n) {
    if (format == FRS_FIGURES_SVG)
        fprintf(out, "set terminal svg size 336,%zu fixed noenhanced font 'sans,9' background rgb 'white'\n",
            220 + 12 * n);
    else
        fprintf(out, "set terminal pdfcairo size 8.9cm,%.2fcm noenhanced font 'sans,8'\n",
            5.8 + 0.32 * (double)n);
}

static bool is_own(const char *data) {
    char begin[sizeof mark] = "";
    FILE *file = fopen(data, "r");
    if (!file)
        return false;
    size_t n = fread(begin, 1, sizeof mark - 1, file);
    fclose(file);
    return n == sizeof mark - 1 && strcmp(begin, mark) == 0;
}

/* What stands there already has to be a figure of before: its data say so. */
static enum frs_status check_place(const struct frs_plot *plot, const char *data, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    const char *const names[] = {"dat", "gp", "svg", "pdf"};
    for (size_t i = 0; i < 4 && status == FRS_OK && !is_own(data); i++) {
        char *path = frs_format("%s/%s.%s", plot->folder, plot->name, names[i]);
        if (frs_contents_exist(path))
            status = frs_errors_add(errors, FRS_ERR_INPUT,
                "%s is in the way: it is no figure of this program; choose another place with --out DIR",
                path);
        free(path);
    }
    return status;
}

/* gnuplot reads the text of tics as a format, in which % is doubled. */
static void put_quoted(struct frs_plot *plot, const char *text, bool is_format) {
    char *line = frs_quoted_line(text);
    fputc('\'', plot->script.file);
    for (const char *at = line; *at; at++) {
        if (*at == '\'' || (*at == '%' && is_format))
            fputc(*at, plot->script.file);
        fputc(*at, plot->script.file);
    }
    fputc('\'', plot->script.file);
    free(line);
}

void frs_plot_put_text(struct frs_plot *plot, const char *text) {
    put_quoted(plot, text, false);
}

void frs_plot_put_tics(struct frs_plot *plot, const char *axis, const char *const *names, size_t n) {
    fprintf(plot->script.file, "set %s (", axis);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "", plot->script.file);
        put_quoted(plot, names[i], true);
        fprintf(plot->script.file, " %zu", i + 1);
    }
    fputs(")\n", plot->script.file);
}

static void put_setting(struct frs_plot *plot, const char *what, const char *text) {
    fprintf(plot->script.file, "set %s ", what);
    frs_plot_put_text(plot, text);
    fputc('\n', plot->script.file);
}

static void put_head(struct frs_plot *plot, const char *title, const char *x, const char *y, size_t n) {
    put_terminal(plot->script.file, plot->format, n);
    fputs("set encoding utf8\n", plot->script.file);
    char *output = frs_format("%s.%s", plot->name, endings[plot->format]);
    put_setting(plot, "output", output);
    free(output);
    put_setting(plot, "title", title);
    put_setting(plot, "xlabel", x);
    put_setting(plot, "ylabel", y);
    fputs("set grid lc rgb '#dddddd'\nset border 3\nset tics nomirror\nset key below samplen 2 maxcols 1 "
          "Left reverse\nset autoscale xfix\n"
          "set style fill transparent solid 0.25 noborder\n",
        plot->script.file);
    fprintf(plot->data.file, "%s: %s\n", mark, plot->name);
}

enum frs_status frs_plot_begin(struct frs_plot *plot, const char *folder, enum frs_figures_format format,
    char *name, const char *title, const char *x, const char *y, size_t n, struct frs_errors *errors) {
    *plot = (struct frs_plot){.folder = folder, .format = format, .name = name};
    char *data = frs_format("%s/%s.dat", folder, name), *script = frs_format("%s/%s.gp", folder, name);
    enum frs_status status = check_place(plot, data, errors);
    if (status == FRS_OK)
        status = frs_draft_open(&plot->data, data, errors);
    if (status == FRS_OK)
        status = frs_draft_open(&plot->script, script, errors);
    if (status == FRS_OK) {
        put_head(plot, title, x, y, n);
    } else {
        frs_draft_discard(&plot->data);
        free(plot->name);
    }
    free(script);
    free(data);
    return status;
}

/* Runs gnuplot in the folder, without a start file of its own (-d); its output is discarded, because it does
 * not name the figure. Returns its exit code, or -1. */
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
static void forget_date(const struct frs_plot *plot) {
    static const char key[] = "/CreationDate (";
    char *path = frs_format("%s/%s.pdf", plot->folder, plot->name), window[64];
    FILE *file = fopen(path, "r+b");
    long at = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) - (long)sizeof window : -1;
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
    if (file)
        fclose(file);
    free(path);
}

enum frs_status frs_plot_draw(struct frs_plot *plot, struct frs_errors *errors) {
    enum frs_status status = frs_draft_commit(&plot->data, errors);
    if (status == FRS_OK)
        status = frs_draft_commit(&plot->script, errors);
    char *script = frs_format("%s.gp", plot->name);
    int code = status == FRS_OK ? run_gnuplot(plot->folder, script) : 0;
    if (code == 127)
        status = frs_errors_add(errors, FRS_ERR_RUN,
            "gnuplot is not installed (package gnuplot-nox): %s has the data and the scripts of figures, and "
            "no figures",
            plot->folder);
    else if (code != 0)
        status = frs_errors_add(
            errors, FRS_ERR_RUN, "gnuplot has failed (%d) with %s/%s", code, plot->folder, script);
    else if (status == FRS_OK && plot->format == FRS_FIGURES_PDF)
        forget_date(plot);
    free(script);
    frs_draft_discard(&plot->data);
    frs_draft_discard(&plot->script);
    free(plot->name);
    return status;
}
