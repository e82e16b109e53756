#include "sim/run/setup/judge.h"
#include "sim/run/setup/input_files.h"

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
    setup->data = from->data;
    for (size_t i = 0; i < N_SECTIONS; i++) {
        const struct frs_values *own = frs_scenario_section(setup->scenario, sections[i]);
        const struct frs_values *read = frs_scenario_section(from->scenario, sections[i]);
        for (size_t v = 0; v < own->n; v++)
            own->values[v].read = own->values[v].read || read->values[v].read;
    }
}

enum frs_status frs_judge(
    const struct frs_scenario *alone, const struct frs_setup *whole, struct frs_errors *errors) {
    struct frs_setup setup;
    struct frs_errors others = {0};
    frs_compose_begin(alone, &setup, &others);
    bool borrows = whole && has_same_data(&setup, whole);
    if (borrows)
        borrow_data(&setup, whole);
    if (borrows || frs_compose_data(&setup, &others) == FRS_OK)
        frs_compose_rest(&setup, &others);
    enum frs_status status = others.n == 0 ? frs_scenario_check_unread(alone, errors) : FRS_OK;
    if (borrows)
        setup.data = NULL;
    frs_setup_fini(&setup);
    frs_errors_clear(&others);
    return status;
}

/* Only a run that is otherwise sound has read all it is going to read. */
enum frs_status frs_compose_on(const struct frs_scenario *scenario, const struct frs_scenario *file,
    struct frs_setup *setup, struct frs_errors *errors) {
    size_t before = errors->n;
    frs_compose_begin(scenario, setup, errors);
    if (frs_compose_data(setup, errors) == FRS_OK) {
        struct frs_errors of_file = {0};
        enum frs_status judged = file ? frs_judge(file, setup, &of_file) : FRS_OK;
        frs_compose_rest(setup, errors);
        if (errors->n == before && frs_scenario_check_unread(scenario, errors) != FRS_OK) {
            /* reported */
        }
        for (size_t i = 0; i < of_file.n; i++)
            frs_errors_add(errors, judged, "%s", of_file.lines[i]);
        frs_errors_clear(&of_file);
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
