#include "sim/sweep/plan.h"
#include "sim/base/clock.h"
#include "sim/base/errors.h"
#include "sim/base/limits.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/plugins/plugins.h"
#include "sim/setup/compose/compose.h"
#include "sim/setup/compose/unused_keys.h"
#include "sim/setup/dataset_cache.h"
#include "sim/scenario/hash.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What one sweep can hold; a mistyped list should not fill the memory first. */

/* --- one cell --- */

/* The sets of a cell: those of the request, then those of its levels. */
struct cell {
    const struct frs_sweep_request *request;
    const struct frs_axes *axes;
    size_t index;
    const char **sets;
    size_t n;
};

static struct cell cell_init(
    const struct frs_sweep_request *request, const struct frs_axes *axes, size_t index) {
    struct cell cell = {.request = request, .axes = axes, .index = index};
    size_t n = request->n_sets + 1; /* and the seed */
    for (size_t a = 0; a < axes->n; a++)
        n += axes->axes[a].levels[frs_axes_level(axes, index, a)].n;
    cell.sets = frs_alloc(n, sizeof *cell.sets);
    for (size_t i = 0; i < request->n_sets; i++)
        cell.sets[cell.n++] = request->sets[i];
    for (size_t a = 0; a < axes->n; a++) {
        const struct frs_level *level = &axes->axes[a].levels[frs_axes_level(axes, index, a)];
        for (size_t i = 0; i < level->n; i++)
            cell.sets[cell.n++] = level->sets[i];
    }
    return cell;
}

/* What is said of a --set beside axes. */
#define BELONGS_INTO_LEVELS                                                                                  \
    "; what belongs to some levels alone stands in them: --vary 'NAME | LABEL: KEY=V & KEY=V | LABEL: "      \
    "KEY=V'"

static bool is_of_set(const char *line) {
    return strncmp(line, "--set ", strlen("--set ")) == 0;
}

/* Who a message is about: "--set x=y: ..." is the level's fault when x=y is its setting. */
static char *blame(const struct cell *cell, const char *line) {
    for (size_t a = 0; a < cell->axes->n; a++) {
        const struct frs_axis *axis = &cell->axes->axes[a];
        const struct frs_level *level = &axis->levels[frs_axes_level(cell->axes, cell->index, a)];
        for (size_t i = 0; i < level->n; i++) {
            char *begin = frs_format("--set %s: ", level->sets[i]);
            bool found = strncmp(line, begin, strlen(begin)) == 0;
            const char *rest = line + strlen(begin);
            free(begin);
            if (found)
                return frs_format("axis %s, level \"%s\": %s", axis->name, level->label, rest);
        }
    }
    char *text = frs_axes_describe(cell->axes, cell->index);
    char *whole = cell->axes->n > 0
                      ? frs_format("%s (%s)%s", line, text, is_of_set(line) ? BELONGS_INTO_LEVELS : "")
                      : frs_strdup(line);
    free(text);
    return whole;
}

static void report(const struct cell *cell, struct frs_errors *found, struct frs_errors *errors) {
    for (size_t i = 0; i < found->n; i++) {
        char *line = blame(cell, found->lines[i]);
        frs_errors_add(errors, found->status, "%s", line);
        free(line);
    }
    frs_errors_clear(found);
}

/* The scenario of a cell; NULL after reporting what is wrong. `seed`: NULL for the scenario's own. */
static struct frs_scenario *load_cell(
    const struct cell *cell, const uint64_t *seed, struct frs_errors *errors) {
    struct frs_errors found = {0};
    struct frs_scenario *scenario;
    char *set = seed ? frs_format("seed=%llu", (unsigned long long)*seed) : NULL;
    if (set)
        cell->sets[cell->n] = set;
    if (frs_scenario_load(cell->request->sections, cell->request->file, cell->sets, cell->n + (set ? 1 : 0),
            &scenario, &found) != FRS_OK)
        report(cell, &found, errors);
    free(set);
    return scenario;
}

/* --- points --- */

struct collect {
    struct frs_sweep_plan *plan;
    const struct frs_sweep_point *before; /* whose texts are shared where they are the same */
    struct frs_sweep_point *point;
    size_t capacity;
};

static const char *keep(struct collect *collect, const char *text, const char *candidate) {
    if (candidate && strcmp(candidate, text) == 0)
        return candidate;
    size_t size = strlen(text) + 1;
    return memcpy(frs_arena_take(&collect->plan->texts, size, 1), text, size);
}

static void collect_setting(void *context, const char *key, const char *text) {
    struct collect *collect = context;
    struct frs_sweep_point *point = collect->point;
    const struct frs_setting *same = NULL;
    if (collect->before && point->n_settings < collect->before->n_settings)
        same = &collect->before->settings[point->n_settings];
    point->settings =
        frs_grow(point->settings, point->n_settings + 1, &collect->capacity, sizeof *point->settings);
    point->settings[point->n_settings++] = (struct frs_setting){
        keep(collect, key, same ? same->key : NULL), keep(collect, text, same ? same->text : NULL)};
}

static enum frs_status resolve_point(struct frs_sweep_plan *plan, const struct cell *cell, size_t index,
    uint64_t seed, struct frs_errors *errors) {
    struct frs_scenario *scenario = load_cell(cell, &seed, errors);
    if (!scenario)
        return FRS_ERR_INPUT;
    struct frs_sweep_point *point = &plan->points[index];
    struct collect collect = {
        .plan = plan, .point = point, .before = index > 0 ? &plan->points[index - 1] : NULL};
    point->cell = cell->index;
    point->replicate = index % plan->sweep.replicates + 1;
    point->seed = seed;
    frs_scenario_hash(scenario, point->hash);
    frs_scenario_training_hash(scenario, point->learning);
    frs_scenario_each(scenario, collect_setting, &collect);
    frs_scenario_destroy(scenario);
    return FRS_OK;
}

static enum frs_status resolve_cell(struct frs_sweep_plan *plan, const struct frs_sweep_request *request,
    size_t index, uint64_t seed, struct frs_errors *errors) {
    struct cell cell = cell_init(request, &plan->sweep.axes, index);
    enum frs_status status = FRS_OK;
    for (size_t r = 0; r < plan->sweep.replicates && status == FRS_OK; r++)
        status = resolve_point(plan, &cell, index * plan->sweep.replicates + r, seed + r, errors);
    free(cell.sets);
    return status;
}

/* --- what is common --- */

/* The setting of a key; most points list the same keys in the same order, so `hint` is usually its place. */
static const struct frs_setting *find_setting(
    const struct frs_setting *settings, size_t n, const char *key, size_t hint) {
    if (hint < n && strcmp(settings[hint].key, key) == 0)
        return &settings[hint];
    for (size_t i = 0; i < n; i++)
        if (strcmp(settings[i].key, key) == 0)
            return &settings[i];
    return NULL;
}

static bool is_common(const struct frs_sweep_plan *plan, size_t hint) {
    const struct frs_setting *first = &plan->points[0].settings[hint];
    for (size_t p = 1; p < plan->n_points; p++) {
        const struct frs_sweep_point *point = &plan->points[p];
        const struct frs_setting *other = find_setting(point->settings, point->n_settings, first->key, hint);
        if (!other || strcmp(other->text, first->text) != 0)
            return false;
    }
    return true;
}

static void drop_common(const struct frs_sweep_plan *plan, struct frs_sweep_point *point) {
    size_t n = 0;
    for (size_t i = 0; i < point->n_settings; i++)
        if (!find_setting(plan->common, plan->n_common, point->settings[i].key, i))
            point->settings[n++] = point->settings[i];
    point->n_settings = n;
}

static void separate_common(struct frs_sweep_plan *plan) {
    const struct frs_sweep_point *first = &plan->points[0];
    plan->common = frs_alloc(first->n_settings, sizeof *plan->common);
    for (size_t i = 0; i < first->n_settings; i++)
        if (is_common(plan, i))
            plan->common[plan->n_common++] = first->settings[i];
    for (size_t p = 0; p < plan->n_points; p++)
        drop_common(plan, &plan->points[p]);
}

/* --- the plan --- */

/* Of a --set that goes with some levels of an axis only, the scenario without its axes says that it is wrong.
 */
static void report_base(
    const struct frs_sweep_request *request, struct frs_errors *found, struct frs_errors *errors) {
    for (size_t i = 0; i < found->n; i++) {
        bool is_set = request->n_vary > 0 && is_of_set(found->lines[i]);
        frs_errors_add(errors, found->status, "%s%s", found->lines[i],
            is_set ? " in the scenario without its axes" BELONGS_INTO_LEVELS : "");
    }
    frs_errors_clear(found);
}

/* Reads the scenario without axes, for its name, its seed and its section `sweep`. Required keys may be
 * missing: if no axis gives them, the first cell reports it. */
static enum frs_status read_base(struct frs_sweep_plan *plan, const struct frs_sweep_request *request,
    uint64_t *seed, struct frs_errors *errors) {
    struct frs_scenario *scenario;
    struct frs_errors found = {0};
    if (frs_scenario_load_unfinished(
            request->sections, request->file, request->sets, request->n_sets, &scenario, &found) != FRS_OK) {
        report_base(request, &found, errors);
        return FRS_ERR_INPUT;
    }
    plan->name = frs_strdup(frs_scenario_name(scenario));
    *seed = (uint64_t)frs_values_find(frs_scenario_section(scenario, ""), "seed")->integer;
    enum frs_status status = frs_sweep_read(scenario, request, &plan->sweep, errors);
    frs_scenario_destroy(scenario);
    return status;
}

static void note_plugins(struct frs_sweep_plan *plan) {
    const struct frs_loaded_plugin *loaded;
    plan->n_plugins = frs_plugins_loaded(&loaded);
    plan->plugins = frs_alloc(plan->n_plugins + 1, sizeof *plan->plugins);
    for (size_t i = 0; i < plan->n_plugins; i++) {
        plan->plugins[i].path = frs_strdup(loaded[i].path);
        frs_digest_text(&loaded[i].digest, plan->plugins[i].digest);
    }
}

enum frs_status frs_sweep_plan_build(
    const struct frs_sweep_request *request, struct frs_sweep_plan **out, struct frs_errors *errors) {
    struct frs_sweep_plan *plan = frs_alloc(1, sizeof *plan);
    uint64_t seed = 0;
    *out = NULL;
    plan->version = frs_strdup(FRS_VERSION);
    plan->working_folder = getcwd(NULL, 0);
    note_plugins(plan);
    enum frs_status status = read_base(plan, request, &seed, errors);
    size_t n_cells = frs_axes_cells(&plan->sweep.axes);
    if (status == FRS_OK && n_cells > FRS_LIMIT_POINTS / plan->sweep.replicates)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: the sweep has more than %d points; allowed: fewer", request->file, FRS_LIMIT_POINTS);
    if (status == FRS_OK) {
        plan->n_points = n_cells * plan->sweep.replicates;
        plan->points = frs_alloc(plan->n_points, sizeof *plan->points);
    }
    for (size_t i = 0; i < n_cells && status == FRS_OK; i++)
        status = resolve_cell(plan, request, i, seed, errors);
    if (status != FRS_OK) {
        frs_sweep_plan_destroy(plan);
        return status;
    }
    separate_common(plan);
    *out = plan;
    return FRS_OK;
}

/* --- trying --- */

static enum frs_status try_cell(const struct frs_sweep_plan *plan, const struct frs_sweep_request *request,
    size_t index, struct frs_errors *errors) {
    struct cell cell = cell_init(request, &plan->sweep.axes, index);
    struct frs_scenario *scenario = load_cell(&cell, NULL, errors);
    struct frs_errors found = {0};
    struct frs_setup setup;
    enum frs_status status = scenario ? frs_compose(scenario, &setup, &found) : FRS_ERR_INPUT;
    if (status == FRS_OK)
        frs_setup_fini(&setup);
    report(&cell, &found, errors);
    frs_scenario_destroy(scenario);
    free(cell.sets);
    return status;
}

/* The file by itself and with what --set says, before anything is varied. */
static enum frs_status judge_file(const struct frs_sweep_request *request, struct frs_errors *errors) {
    struct frs_errors ignored = {0}; /* some level may set what is missing */
    struct frs_scenario *file, *on_top = NULL;
    enum frs_status status = FRS_OK;
    bool is_sound = frs_scenario_load(request->sections, request->file, NULL, 0, &file, &ignored) == FRS_OK &&
                    frs_unused_keys_compose(file, NULL);
    bool has_top = is_sound && request->n_sets > 0 &&
                   frs_scenario_load(request->sections, request->file, request->sets, request->n_sets,
                       &on_top, &ignored) == FRS_OK &&
                   frs_unused_keys_compose(on_top, NULL);
    if (is_sound)
        status =
            has_top ? frs_scenario_check_file(file, on_top, errors) : frs_scenario_check_unread(file, errors);
    frs_scenario_destroy(on_top);
    frs_scenario_destroy(file);
    frs_errors_clear(&ignored);
    return status;
}

/* Whether a cell is one of the cells that together show every level: all axes at the same level, or at
 * their last one where they have fewer. */
static bool shows_levels(const struct frs_axes *axes, size_t cell) {
    size_t level = 0;
    for (size_t a = 0; a < axes->n; a++) {
        size_t own = frs_axes_level(axes, cell, a);
        level = own > level ? own : level;
    }
    for (size_t a = 0; a < axes->n; a++) {
        size_t own = frs_axes_level(axes, cell, a), last = axes->axes[a].n - 1;
        if (own != (level < last ? level : last))
            return false;
    }
    return true;
}

/* Composing reads the data, which can take seconds. Every level is tried, because a mistake usually sits
 * in one level; combinations are tried for `patience_s`. A wrong combination that was not tried fails in
 * its turn, and only that point is lost. */
enum frs_status frs_sweep_plan_check(const struct frs_sweep_plan *plan,
    const struct frs_sweep_request *request, double patience_s, struct frs_errors *errors) {
    const struct frs_axes *axes = &plan->sweep.axes;
    size_t n_cells = frs_axes_cells(axes);
    double began_s = frs_wall_s();
    frs_dataset_cache_keep_initial_values(FRS_INITIAL_VALUES_OF_SWEEP); /* points begin with the same */
    enum frs_status status = judge_file(request, errors);
    for (size_t i = 0; i < n_cells && status == FRS_OK; i++)
        if (shows_levels(axes, i))
            status = try_cell(plan, request, i, errors);
    for (size_t i = 0; i < n_cells && status == FRS_OK && frs_wall_s() - began_s < patience_s; i++)
        if (!shows_levels(axes, i))
            status = try_cell(plan, request, i, errors);
    frs_dataset_cache_keep_initial_values(0);
    return status;
}

/* --- distributions that were replaced --- */

/* Adds those of `lines` that are not there yet. */
static void add_lines(char **all, char *lines) {
    for (char *line; (line = strsep(&lines, "\n")) && *line;) {
        if (strstr(*all, line))
            continue;
        char *longer = frs_format("%s%s%s", *all, **all ? "\n" : "", line);
        free(*all);
        *all = longer;
    }
}

char *frs_sweep_plan_replaced(const struct frs_sweep_plan *plan, const struct frs_sweep_request *request) {
    const struct frs_axes *axes = &plan->sweep.axes;
    struct frs_errors ignored = {0};
    char *all = frs_strdup("");
    for (size_t i = 0; i < frs_axes_cells(axes); i++) {
        if (!shows_levels(axes, i))
            continue;
        struct cell cell = cell_init(request, axes, i);
        struct frs_scenario *scenario = load_cell(&cell, NULL, &ignored);
        char *lines = scenario ? frs_scenario_replaced(scenario) : frs_strdup("");
        add_lines(&all, lines);
        free(lines);
        frs_scenario_destroy(scenario);
        free(cell.sets);
    }
    frs_errors_clear(&ignored);
    return all;
}

/* --- reading --- */

enum frs_status frs_sweep_plan_read(
    const char *path, struct frs_sweep_plan **out, struct frs_errors *errors) {
    enum frs_status status = frs_sweep_plan_load(path, out, errors);
    if (status != FRS_OK || !(*out)->lacks)
        return status;
    status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: \"%s\" is missing or wrong", path, (*out)->lacks);
    frs_sweep_plan_destroy(*out);
    *out = NULL;
    return status;
}

const char *frs_sweep_plan_setting(const struct frs_sweep_plan *plan, size_t point, const char *key) {
    const struct frs_sweep_point *p = &plan->points[point];
    const struct frs_setting *found = find_setting(p->settings, p->n_settings, key, 0);
    if (!found)
        found = find_setting(plan->common, plan->n_common, key, 0);
    return found ? found->text : NULL;
}

enum frs_status frs_sweep_plan_scenario(const struct frs_section *sections, const struct frs_sweep_plan *plan,
    size_t point, const char *where, struct frs_scenario **out, struct frs_errors *errors) {
    const struct frs_sweep_point *p = &plan->points[point];
    size_t n = plan->n_common + p->n_settings;
    struct frs_setting *all = frs_alloc(n + 1, sizeof *all);
    memcpy(all, plan->common, plan->n_common * sizeof *all);
    if (p->n_settings > 0)
        memcpy(all + plan->n_common, p->settings, p->n_settings * sizeof *all);
    enum frs_status status = frs_scenario_load_settings(sections, where, all, n, out, errors);
    free(all);
    return status;
}

char *frs_sweep_plan_describe(const struct frs_sweep_plan *plan, size_t point) {
    char *cell = frs_axes_describe(&plan->sweep.axes, plan->points[point].cell);
    char *text = frs_format("%s%sreplicate %zu", cell, *cell ? ", " : "", plan->points[point].replicate);
    free(cell);
    return text;
}
