/* SimGrid's host-energy plug-in as the oracle of the energy of computing: what devices ran, lost
 * participations and work after the upload included, is run once more on one SimGrid host for each client, of
 * that client's speed, which takes nothing while it is idle. What radios take has no counterpart there. */
#include "tests/sim/run/fixture.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/plugins/energy.h>

enum { MAX_CLIENTS = 64, MAX_STRETCHES = 4096 };

/* Operations a device ran without a break. */
struct stretch {
    uint32_t client;
    double start_s, flop;
};

static struct stretch stretches[MAX_STRETCHES];
static size_t n_stretches;
static sg_host_t hosts[MAX_CLIENTS];

static void read_stretches(const char *out) {
    char *path = frs_format("%s/events.ndjson", out);
    FILE *file = folder_open(path, "r");
    n_stretches = 0;
    for (json_t *line; (line = next_line(file)) != NULL; json_decref(line)) {
        const char *phase = json_string_value(json_object_get(line, "phase"));
        if (strcmp(phase, "compute") != 0 && strcmp(phase, "post") != 0)
            continue;
        ck_assert_uint_lt(n_stretches, MAX_STRETCHES);
        stretches[n_stretches++] = (struct stretch){.client = (uint32_t)json_of(line, "client"),
            .start_s = json_of(line, "t0_s"),
            .flop = json_of(line, "flop")};
    }
    fclose(file);
    free(path);
}

static void write_platform(const char *path, const struct table *clients, double watt) {
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\n",
        file);
    for (size_t i = 0; i < clients->n_rows; i++)
        fprintf(file,
            "<host id=\"client%zu\" speed=\"%.17gf\"><prop id=\"wattage_per_state\" "
            "value=\"0:%g:%g\"/></host>\n",
            i, cell(clients, i, "flop_per_s"), watt, watt);
    fputs("</zone></platform>\n", file);
    fclose(file);
}

static void device(int argc, char **argv) {
    uint32_t client = (uint32_t)strtoul(argv[argc - 1], NULL, 10);
    for (size_t i = 0; i < n_stretches; i++) {
        if (stretches[i].client != client)
            continue;
        if (stretches[i].start_s > simgrid_get_clock())
            sg_actor_sleep_for(stretches[i].start_s - simgrid_get_clock());
        sg_actor_execute(stretches[i].flop);
    }
}

/* In a process of its own, as a process has one simulation; leaves the joules of every client. */
static void simulate(const char *platform, const char *result, size_t n_clients) {
    char *arguments[] = {"test", "--cfg=surf/precision:1e-12", "--log=root.thresh:error", NULL}, name[32];
    int n = 3;
    sg_host_energy_plugin_init();
    simgrid_init(&n, arguments);
    simgrid_load_platform(platform);
    for (size_t i = 0; i < n_clients; i++) {
        snprintf(name, sizeof name, "client%zu", i);
        hosts[i] = sg_host_by_name(name);
        snprintf(name, sizeof name, "%zu", i);
        char *argv[] = {"device", name};
        sg_actor_start(sg_actor_init("device", hosts[i]), device, 2, argv);
    }
    simgrid_run();
    FILE *file = fopen(result, "w");
    for (size_t i = 0; i < n_clients; i++)
        fprintf(file, "%.17g\n", sg_host_get_consumed_energy(hosts[i]));
    fclose(file);
}

static void run_simgrid(const char *platform, const char *result, size_t n_clients) {
    int status;
    pid_t child = fork();
    if (child == 0) {
        simulate(platform, result, n_clients);
        _exit(0);
    }
    ck_assert_int_gt(child, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "SimGrid ended with status %d", status);
}

static void compare(const struct table *clients, const char *result) {
    FILE *file = fopen(result, "r");
    double worst = 0, sum_j = 0;
    ck_assert_ptr_nonnull(file);
    for (size_t i = 0; i < clients->n_rows; i++) {
        double oracle_j, ours_j = cell(clients, i, "energy_j");
        ck_assert_int_eq(fscanf(file, "%lf", &oracle_j), 1);
        ck_assert_msg(fabs(ours_j - oracle_j) <= 1e-9 * fmax(ours_j, 1e-3),
            "client %zu: %.12g J instead of %.12g J", i, ours_j, oracle_j);
        worst = fmax(worst, fabs(ours_j - oracle_j) / fmax(ours_j, 1e-3));
        sum_j += ours_j;
    }
    fclose(file);
    ck_assert_double_gt(sum_j, 1);
    printf("%zu stretches of work, %.3f J: clients agree to %.1e\n", n_stretches, sum_j, worst);
}

static const char *const methods[] = {"fedmf", "pfedclr", "rfrec"};

START_TEST(energy_of_computing_is_simgrids) {
    char *platform = frs_format("%s/platform.xml", frs_folder), *result = frs_format("%s/joules", frs_folder);
    write_text("s.cfg",
        "data = { synthetic = \"custom\"; users = 40; items = 150; interactions = 800; };\n"
        "devices = { power_compute = \"2.5 W\"; power_radio = \"0 W\"; energy_per_byte = \"0 J/B\";"
        " speed = { distribution = \"lognormal\"; median = \"2 Mflop/s\"; sigma = 1.0; }; };\n"
        "failures = { compute = 0.2; up = 0.1; device_mtbf = \"1 min\"; };\n"
        "rounds = { count = 12; cohort = 15; };\n");
    char *options = frs_format("--set method.name=%s %s", methods[_i],
        strcmp(methods[_i], "rfrec") == 0 ? "--set data.feedback=explicit --set data.split=ratio" : "");
    run_scenario("s.cfg", "out", options);
    struct table clients = table_load("out", "clients.csv");
    ck_assert_uint_le(clients.n_rows, MAX_CLIENTS);
    read_stretches("out");
    write_platform(platform, &clients, 2.5);
    run_simgrid(platform, result, clients.n_rows);
    compare(&clients, result);
    table_fini(&clients);
    free(options);
    free(platform);
    free(result);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("energy");
    TCase *tests = tcase_create("energy");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_add_loop_test(tests, energy_of_computing_is_simgrids, 0, sizeof methods / sizeof *methods);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
