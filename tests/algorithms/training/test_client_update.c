/* What is kept of a participation: rows that a client both keeps and uploads are stored once if the
 * decoded upload equals them, and otherwise twice. */
#include "sim/base/errors.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/setup/compose/compose.h"
#include "algorithms/training/client_update.h"
#include "tests/sim/run/fixture.h"

static const struct {
    const char *method;
    bool once;
} cases[] = {
    {"method = { name = \"pfedrec\"; }", true},
    {"method = { name = \"pfedgraph\"; }", true},
    {"method = { name = \"gpfedrec\"; }", true},
    {"method = { name = \"pfedclr\"; }", true},
    {"method = { name = \"pfedrec\"; }; codec = { uplink = \"sparse\"; }", true},
    {"method = { name = \"pfedclr\"; laplace = 0.1; }", false}, /* what it uploads is not what it keeps */
    {"method = { name = \"pfedrec\"; }; codec = { uplink = \"quantise\"; }", false},
    {"method = { name = \"fedmf\"; }", false},
};

START_TEST(is_kept_once) {
    struct frs_errors errors = {0};
    struct frs_scenario *scenario = NULL;
    struct frs_setup setup = {0};
    char *text = frs_format("data = { synthetic = \"small\"; };\n%s;\n", cases[_i].method);
    write_text("s.cfg", text);
    char *path = frs_format("%s/s.cfg", frs_folder);
    ck_assert_int_eq(frs_scenario_load(frs_sections, path, NULL, 0, &scenario, &errors), FRS_OK);
    ck_assert_int_eq(frs_compose(scenario, &setup, &errors), FRS_OK);
    struct frs_client_update_bench bench = {0};
    struct frs_client_update work = {.client = 1};
    struct frs_tables tables = frs_model_tables(setup.training.model);
    frs_client_update_run(
        &work, &setup.training, &(struct frs_client_update_order){.tables = &tables, .sends = true}, &bench);
    const struct frs_rows *rows = &work.contribution.parts[0];
    const char *values = (const char *)rows->values, *kept = work.private_state;
    ck_assert_uint_gt(rows->n, 0);
    ck_assert_msg((values >= kept && values < kept + work.private_bytes) == cases[_i].once, "case %d", _i);
    frs_client_update_fini(&work);
    frs_client_update_bench_fini(&bench);
    frs_setup_fini(&setup);
    frs_scenario_destroy(scenario);
    free(text);
    free(path);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("work");
    TCase *tests = tcase_create("work");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_add_loop_test(tests, is_kept_once, 0, sizeof cases / sizeof *cases);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
