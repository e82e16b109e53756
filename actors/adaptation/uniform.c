/* Budgets are drawn uniformly for every client, from a range or from a list. The paper of SCoLR draws from
 * 1 … r_g anew in every round. A client that keeps its draw stands for a device of constant strength. */
#include "actors/adaptation.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CHOICES 256u

struct settings {
    bool redraw;
    uint32_t n;
    uint32_t choices[MAX_CHOICES]; /* of a list; otherwise the first and the last of a range */
    bool is_range;
};

static const struct frs_param params[] = {
    {.key = "from",
        .type = FRS_INT,
        .initial = "0",
        .min = 0,
        .max = 1e9,
        .help = "smallest budget; 0: the smallest the method knows"},
    {.key = "to",
        .type = FRS_INT,
        .initial = "0",
        .min = 0,
        .max = 1e9,
        .help = "largest budget; 0: the largest the method knows"},
    {.key = "list",
        .type = FRS_TEXT,
        .initial = "",
        .help = "budgets to draw from instead of a range, such as \"2, 4, 8\"; one that stands twice is "
                "drawn twice as often"},
    {.key = "redraw",
        .type = FRS_BOOL,
        .initial = "true",
        .help = "draw anew in every round; false: a client keeps what it drew once"},
    {0},
};

static void read_list(struct settings *settings, const struct frs_values *values, const char *text,
    const struct frs_budget_range *range, struct frs_errors *errors) {
    for (const char *at = text;; at++) {
        char *end;
        errno = 0;
        unsigned long budget = strtoul(at, &end, 10);
        end += strspn(end, " ");
        bool ok = end > at && errno == 0 && budget >= range->min && budget <= range->max &&
                  strspn(at, " 0123456789") > 0 && settings->n < MAX_CHOICES && (!*end || *end == ',');
        if (!ok) {
            frs_values_error(values, "list", errors,
                "\"%s\" is no list of budgets; allowed: up to %u integers from %u to %u with commas between "
                "them",
                text, MAX_CHOICES, range->min, range->max);
            return;
        }
        settings->choices[settings->n++] = (uint32_t)budget;
        at = end;
        if (!*at)
            return;
    }
}

static void *create(
    const struct frs_values *values, const struct frs_budget_range *range, struct frs_errors *errors) {
    struct settings *settings = frs_alloc(1, sizeof *settings);
    const char *list = frs_values_text(values, "list");
    settings->redraw = frs_values_bool(values, "redraw");
    settings->is_range = !*list;
    if (*list) {
        read_list(settings, values, list, range, errors);
        return settings;
    }
    uint32_t from = frs_adaptation_budget(values, "from", range, range->min, errors);
    uint32_t to = frs_adaptation_budget(values, "to", range, range->max, errors);
    if (from > to)
        frs_values_error(values, "to", errors, "%u is below from (%u); allowed: at least from", to, from);
    settings->choices[0] = from;
    settings->n = to - from + 1;
    return settings;
}

static void choose(const struct frs_adaptation_request *request, uint32_t *budgets) {
    const struct settings *settings = request->settings;
    for (size_t i = 0; i < request->n; i++) {
        struct frs_rng rng = frs_rng_stream(request->seed, request->clients[i],
            settings->redraw ? request->round : 0, settings->redraw ? request->attempt : 0, FRS_RNG_BUDGET);
        uint32_t drawn = frs_rng_below(&rng, settings->n);
        budgets[i] = settings->is_range ? settings->choices[0] + drawn : settings->choices[drawn];
    }
}

const struct frs_adaptation frs_adaptation_uniform = {
    .plugin = {.name = "uniform",
        .summary = "drawn uniformly for every client, from a range or a list",
        .source = "Nguyen et al. 2024, section 5.3",
        .params = params},
    .create = create,
    .choose = choose,
};
