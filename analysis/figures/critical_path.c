/* The critical path of a run: what each round waited for. */
#include "analysis/figures/drawing.h"
#include "sim/base/memory.h"

#include <string.h>

/* The seconds between edges and the server in a row; 0 where the file has no such columns. */
static enum frs_status edges_s(
    const struct frs_records *rounds, size_t row, double *seconds, struct frs_errors *errors) {
    static const char *const names[] = {"path_edge_down_s", "path_edge_up_s", "path_edge_rounds_s"};
    enum frs_status status = FRS_OK;
    *seconds = 0;
    for (size_t i = 0; i < rounds->n_columns && status == FRS_OK; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            double value = 0;
            if (strcmp(rounds->names[i], names[k]) == 0)
                status = frs_records_number(rounds, row, i, &value, errors);
            *seconds += value;
        }
    return status;
}

static enum frs_status put_paths(
    struct frs_plot *plot, const struct frs_records *rounds, bool *has_edges, struct frs_errors *errors) {
    static const char *const names[] = {"round", "path_down_s", "path_compute_s", "path_up_s", "path_setup_s",
        "path_latency_s", "path_retry_s", "path_server_s", "path_wait_s"};
    enum { N = sizeof names / sizeof *names };
    size_t columns[N];
    double v[N], forwarded_s = 0;
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < N && status == FRS_OK; i++)
        status = frs_records_column(rounds, names[i], &columns[i], errors);
    fputs("# round downloads_s computing_s uploads_s connecting_s server_s waiting_s\n", plot->data.file);
    for (size_t row = 0; row < rounds->n && status == FRS_OK; row++) {
        for (size_t i = 0; i < N && status == FRS_OK; i++)
            status = frs_records_number(rounds, row, columns[i], &v[i], errors);
        if (status == FRS_OK)
            status = edges_s(rounds, row, &forwarded_s, errors);
        *has_edges |= forwarded_s > 0;
        const double own[] = {v[0], v[1], v[2], v[3], v[4] + v[5] + v[6] + forwarded_s, v[7], v[8]};
        if (status == FRS_OK)
            frs_plot_put_row(plot, own, sizeof own / sizeof *own);
    }
    return status;
}

enum frs_status frs_draw_paths(
    struct frs_drawing *d, const struct frs_records *rounds, struct frs_errors *errors) {
    const char *titles[] = {"downloads", "computing", "uploads", "connecting, latency", "server", "waiting"};
    struct frs_plot plot;
    enum frs_status status = frs_plot_begin(
        &plot, &d->canvas, frs_strdup("critical-path"), "", "round", "what a round waited for, s", 6, errors);
    if (status != FRS_OK)
        return status;
    bool has_edges = false;
    enum frs_status read = put_paths(&plot, rounds, &has_edges, errors);
    if (has_edges)
        titles[3] = "connecting, latency, edges";
    fputs("set style fill solid 0.8 noborder\nset boxwidth 1\nset yrange [0:*]\n", plot.script.file);
    for (size_t i = 0; i < 6; i++) { /* the highest first, each over those below it */
        fprintf(plot.script.file, "%s'%s.dat' using 1:($2", i ? ", \\\n     " : "plot ", plot.name);
        for (size_t k = 3; k < 8 - i; k++)
            fprintf(plot.script.file, "+$%zu", k);
        fprintf(plot.script.file, ") with boxes lc %zu title ", 6 - i);
        frs_plot_put_text(&plot, titles[5 - i]);
    }
    fputc('\n', plot.script.file);
    status = frs_plot_draw(&plot, errors);
    return read == FRS_OK ? status : read;
}
