/* The critical path of a row: the phases of its critical client from the start of the row to the end of
 * collecting, then the server's work. Time that no work explains is waiting. */
#include "checks.h"

#include <math.h>
#include <string.h>

struct path {
    double setup_s, retry_s, down_s, compute_s, up_s, latency_s, server_s, link_s;
};

static double overlap(double a0, double a1, double b0, double b1) {
    return fmax(0, fmin(a1, b1) - fmax(a0, b0));
}

static void add_transfer(struct path *path, const struct phase *phase, double from_s, double to_s) {
    double begins_s = fmin(phase->t0_s + phase->latency_s, phase->t1_s);
    path->latency_s += overlap(phase->t0_s, begins_s, from_s, to_s);
    *(phase->kind == UP ? &path->up_s : &path->down_s) += overlap(begins_s, phase->t1_s, from_s, to_s);
    path->link_s += overlap(alone_s(phase), phase->t1_s, from_s, to_s);
}

static void walk(struct path *walked, const struct part *part, double from_s, double to_s) {
    struct path path = *walked;
    for (size_t i = 0; i < part->n_phases; i++) {
        const struct phase *phase = part->phases + i;
        if (phase->kind == DOWN || phase->kind == UP)
            add_transfer(&path, phase, from_s, to_s);
        if (phase->kind == SETUP)
            path.setup_s += overlap(phase->t0_s, phase->t1_s, from_s, to_s);
        if (phase->kind == RETRY)
            path.retry_s += overlap(phase->t0_s, phase->t1_s, from_s, to_s);
        if (phase->kind == COMPUTE)
            path.compute_s += overlap(phase->t0_s, phase->t1_s, from_s, to_s);
    }
    *walked = path;
}

/* The participation the row names; of several of one client the last. */
static const struct part *critical_part(const struct run *run, size_t row) {
    const struct part *found = NULL;
    double client = field(&run->rounds, row, "critical_client");
    for (size_t i = run->first_part[row]; i < run->first_part[row + 1]; i++)
        if ((double)run->parts[i].client == client &&
            (!found || part_end_s(run->parts + i) > part_end_s(found)))
            found = run->parts + i;
    return found;
}

static double latest_s(const struct run *run, size_t row, double close_s) {
    double latest_s = 0;
    for (size_t i = run->first_part[row]; i < run->first_part[row + 1]; i++)
        latest_s = fmax(latest_s, fmin(close_s, part_end_s(run->parts + i)));
    return latest_s;
}

/* The cost of a finite server link is part of the time of the critical transfers. For a transfer that
 * broke off, or of which the row covers only a part, whole bytes do not determine it. */
static void check_link(struct report *report, const struct run *run, const struct part *part,
    const struct part *delivery, const struct path *path, double from_s, double to_s) {
    const struct scenario *s = &run->scenario;
    double link_s = field(&run->rounds, part->row, "path_server_link_s");
    bool is_whole = arrived(part) && !part_phase(part, RETRY) && part_start_s(part) >= from_s &&
                    part_end_s(part) <= to_s &&
                    (!delivery || (arrived(delivery) && !part_phase(delivery, RETRY)));
    if (isinf(s->server_link[0].steps[0].rate) && isinf(s->server_link[1].steps[0].rate))
        same_path_time(report, "path_server_link_s without a server link", 0, link_s);
    else if (is_whole)
        same_path_time(report, "path_server_link_s", path->link_s, link_s);
    must(report, part, link_s <= path->down_s + path->up_s + 2e-9, "path_server_link_s is %.15g of %.15g s",
        link_s, path->down_s + path->up_s);
}

/* How far a download of the row is from what the row says of the last one that the server learnt of. */
static double off_by(
    const struct run *run, size_t row, const struct part *delivery, const struct path *path) {
    struct path with = *path;
    walk(&with, delivery, -INFINITY, INFINITY);
    return fabs(with.down_s - field(&run->rounds, row, "path_down_s")) +
           fabs(with.latency_s - field(&run->rounds, row, "path_latency_s")) +
           fabs(with.setup_s - field(&run->rounds, row, "path_setup_s")) +
           fabs(with.retry_s - field(&run->rounds, row, "path_retry_s"));
}

/* The download behind the aggregation of the row of whose end the server learnt last; of several that end at
 * the same time any may be meant. NULL: there is none. */
static const struct part *last_delivery(
    const struct run *run, size_t row, double end_s, const struct path *path) {
    const struct part *last = NULL;
    double last_s = 0, close_s = 2e-9 + 1e-14 * end_s;
    for (size_t i = run->first_part[row]; i < run->first_part[row + 1]; i++) {
        const struct part *delivery = run->parts[i].delivery;
        double known_s = delivery ? fmin(noticed_s(run, delivery), end_s) : 0;
        if (!delivery || (last && known_s < last_s - close_s))
            continue;
        if (!last || known_s > last_s + close_s ||
            off_by(run, row, delivery, path) < off_by(run, row, last, path))
            last = delivery;
        last_s = fmax(last_s, known_s);
    }
    return last;
}

static void check_path(struct report *report, const struct run *run, size_t row) {
    const struct table *rounds = &run->rounds;
    const struct part *part = critical_part(run, row);
    double start_s = field(rounds, row, "start_s"), end_s = field(rounds, row, "end_s");
    if (!part)
        return;
    double close_s = collected_s(run, row), worked_s = close_s + aggregation_s(run, row);
    const struct phase *encode = part_phase(part, ENCODE);
    if (isnan(close_s))
        return;
    struct path path = {0};
    walk(&path, part, start_s, close_s);
    path.server_s =
        (encode ? overlap(encode->t0_s, encode->t1_s, start_s, close_s) : 0) + (worked_s - close_s);
    const struct part *delivery = last_delivery(run, row, end_s, &path);
    if (delivery)
        walk(&path, delivery, worked_s, end_s);
    same_path_time(report, "path_setup_s", path.setup_s, field(rounds, row, "path_setup_s"));
    same_path_time(report, "path_retry_s", path.retry_s, field(rounds, row, "path_retry_s"));
    same_path_time(report, "path_down_s", path.down_s, field(rounds, row, "path_down_s"));
    same_path_time(report, "path_compute_s", path.compute_s, field(rounds, row, "path_compute_s"));
    same_path_time(report, "path_up_s", path.up_s, field(rounds, row, "path_up_s"));
    same_path_time(report, "path_latency_s", path.latency_s, field(rounds, row, "path_latency_s"));
    same_path_time(report, "path_server_s", path.server_s, field(rounds, row, "path_server_s"));
    same_path_time(report, "path_wait_s",
        end_s - start_s - path.setup_s - path.retry_s - path.down_s - path.compute_s - path.up_s -
            path.latency_s - path.server_s,
        field(rounds, row, "path_wait_s"));
    check_link(report, run, part, delivery, &path, start_s, close_s);
    same_path_time(
        report, "end of the critical client", latest_s(run, row, close_s), fmin(close_s, part_end_s(part)));
}

void check_paths(struct report *report, const struct run *run) {
    static const char *const columns[] = {"setup_s", "retry_s", "down_s", "compute_s", "up_s", "latency_s",
        "server_s", "wait_s", "server_link_s"};
    for (size_t row = 0; row < run->rounds.n_rows; row++)
        if (!run->scenario.lv08)
            check_path(report, run, row);
    const json_t *paths = json_object_get(run->summary, "critical_path");
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        char name[64] = "path_";
        double sum = 0;
        strcat(name, columns[i]);
        for (size_t row = 0; row < run->rounds.n_rows; row++)
            sum += field(&run->rounds, row, name);
        same_amount(report, columns[i], sum, json_number_value(json_object_get(paths, columns[i])));
    }
}
