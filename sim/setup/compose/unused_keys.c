#include "sim/setup/compose/unused_keys.h"
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "sim/setup/compose/compose_workload.h"
#include "sim/setup/input_files.h"

#include <stdlib.h>
#include <string.h>

/* The sections that data come from. */
static const char *const sections[] = {"data", "evaluation"};
enum { N_SECTIONS = sizeof sections / sizeof *sections };

static bool is_same_value(const struct frs_value *a, const struct frs_value *b) {
    char *left = frs_value_format(a), *right = frs_value_format(b);
    bool same = strcmp(left, right) == 0;
    free(left);
    free(right);
    return same;
}

/* But for the seed, which has no say in what is read. */
static bool has_same_data(const struct frs_setup *a, const struct frs_setup *b) {
    if (frs_compose_is_declared(a) || frs_compose_is_declared(b))
        return false;
    for (size_t i = 0; i < N_SECTIONS; i++) {
        const struct frs_values *left = frs_scenario_section(a->scenario, sections[i]);
        const struct frs_values *right = frs_scenario_section(b->scenario, sections[i]);
        for (size_t v = 0; v < left->n; v++)
            if (!is_same_value(&left->values[v], &right->values[v]))
                return false;
    }
    return true;
}

/* Loading would have read the same keys. */
static void borrow_data(struct frs_setup *setup, const struct frs_setup *from) {
    setup->training.data = from->training.data;
    for (size_t i = 0; i < N_SECTIONS; i++) {
        const struct frs_values *own = frs_scenario_section(setup->scenario, sections[i]);
        const struct frs_values *read = frs_scenario_section(from->scenario, sections[i]);
        for (size_t v = 0; v < own->n; v++)
            own->values[v].read = own->values[v].read || read->values[v].read;
    }
}

bool frs_unused_keys_compose(const struct frs_scenario *alone, const struct frs_setup *whole) {
    struct frs_setup setup;
    struct frs_errors others = {0};
    frs_compose_begin(alone, &setup, &others);
    bool borrows = whole && has_same_data(&setup, whole);
    if (borrows)
        borrow_data(&setup, whole);
    if (borrows || frs_compose_data(&setup, &others) == FRS_OK)
        frs_compose_rest(&setup, &others);
    bool is_sound = others.n == 0;
    if (borrows)
        setup.training.data = NULL;
    frs_setup_fini(&setup);
    frs_errors_clear(&others);
    return is_sound;
}

/* Only a run that is otherwise sound has read all it is going to read. */
enum frs_status frs_compose_on(const struct frs_scenario *scenario, const struct frs_scenario *file,
    struct frs_setup *setup, struct frs_errors *errors) {
    size_t before = errors->n;
    enum frs_status unread = FRS_OK;
    frs_compose_begin(scenario, setup, errors);
    if (frs_compose_data(setup, errors) == FRS_OK) {
        bool file_is_sound = file && frs_unused_keys_compose(file, setup);
        frs_compose_rest(setup, errors);
        if (errors->n == before)
            unread = frs_scenario_check_unread(scenario, errors);
        if (file_is_sound && (errors->n == before || unread != FRS_OK) &&
            frs_scenario_check_file(file, scenario, errors) != FRS_OK) {
            /* reported */
        }
    }
    if (errors->n == before) {
        frs_input_files_note(setup);
        return FRS_OK;
    }
    frs_setup_fini(setup);
    return FRS_ERR_INPUT;
}

enum frs_status frs_compose(
    const struct frs_scenario *scenario, struct frs_setup *setup, struct frs_errors *errors) {
    return frs_compose_on(scenario, NULL, setup, errors);
}
