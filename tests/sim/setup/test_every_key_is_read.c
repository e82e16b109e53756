/* No idle keys: over scenarios that between them choose every plug-in, composing a run reads every key there
 * is. */
#include "sim/base/consent.h"
#include "sim/base/errors.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/setup/compose/compose.h"
#include "sim/sweep/settings.h"
#include "tests/sim/run/fixture.h"

enum { MAX_KEYS = 1024 };

static char *known[MAX_KEYS];
static bool is_read[MAX_KEYS];
static size_t n_known;

static const char csv[] =
    "user;item;value;time\na;1;5;1\na;2;4;2\na;3;3;3\nb;1;2;1\nb;2;5;2\nb;3;1;3\nb;4;1;4\n";

/* Network and devices complete what is not about them. */
#define REST " network = { preset = \"fieldguide\"; }; devices = { preset = \"fieldguide\"; };"
#define UPDATES(codecs)                                                                                      \
    "data = { synthetic = \"small\"; }; method = { name = \"fedmf_update\"; }; codec = { " codecs " };" REST
#define RATED(method)                                                                                        \
    "data = { format = \"csv\"; path = \"data.csv\"; csv_separator = \";\"; csv_value = \"value\";"          \
    " feedback = \"explicit\"; split = \"ratio\"; min_interactions = 3; }; method = { name = \"" method      \
    "\"; };" REST
#define UNIFORM(unit) "{ distribution = \"uniform\"; low = \"1 " unit "\"; high = \"2 " unit "\"; }"
#define LOGNORMAL(unit) "{ distribution = \"lognormal\"; median = \"1 " unit "\"; sigma = 0.5; }"
#define EMPIRICAL "{ distribution = \"empirical\"; table = \"fedscale-bandwidth\"; }"

#define SIZES "{ distribution = \"empirical\"; file = \"sizes.csv\"; }"

static const char *const scenarios[] = {
    "data = { synthetic = \"small\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { optimiser = \"sgd\"; server = \"momentum\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { server = \"adam\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { server = \"yogi\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { server = { correction = \"fedau\"; }; };" REST,
    "data = { synthetic = \"small\"; }; method = { server = { correction = \"mifa\"; }; };" REST,
    "data = { synthetic = \"small\"; }; method = { server = { correction = \"fedawe\"; }; };" REST,
    "data = { synthetic = \"small\"; }; training = { enabled = false; messages = \"whole\"; };"
    " network = { preset = \"fieldguide\"; }; devices = { preset = \"ideal\"; };",
    "data = { synthetic = \"small\"; }; method = { name = \"colr\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"colr\"; optimiser = \"adam\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"scolr\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"scolr\"; optimiser = \"adam\"; };"
    " adaptation = \"uniform\"; rounds = { selection = \"fastest_first\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"scolr\"; }; adaptation = \"proportional\";"
    " rounds = { selection = \"utility\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"scolr\"; }; adaptation = \"deadline\";" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"scolr\"; }; adaptation = \"cap\"; caps = { bytes "
    "= \"1 GB\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"fedrap\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"fedrap\"; dp_clip = 0.1; dp_noise = 1.0; };"
    " rounds = { cohort = 20; selection = \"no_repeat\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"fedncf\"; };"
    " rounds = { cohort = 20; selection = \"bernoulli\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"fedncf\"; optimiser = \"sgd\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"fedncf_update\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"fedncf_update\"; optimiser = \"adam\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"colr_ncf\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"colr_ncf\"; optimiser = \"adam\"; };" REST,
    UPDATES("uplink = { name = \"topk\"; }; downlink = { name = \"topk\"; };"),
    UPDATES("uplink = { name = \"svd\"; }; downlink = { name = \"svd\"; };"),
    UPDATES("uplink = { name = \"quantise\"; }; downlink = { name = \"quantise\"; };"),
    UPDATES("uplink = { name = \"svd_quantised\"; }; downlink = { name = \"svd_quantised\"; };"),
    UPDATES("uplink = { name = \"rvq\"; }; downlink = { name = \"rvq\"; };"),
    UPDATES("uplink = { name = \"groups\"; }; downlink = { name = \"groups\"; };"),
    UPDATES("uplink = { name = \"adaptive_groups\"; }; downlink = { name = \"adaptive_groups\"; };"),
    "data = { synthetic = \"small\"; }; method = { name = \"fedmf_update\"; aggregation = \"uniform\"; };"
    " privacy = ( { name = \"pairwise_masks\"; neighbours = \"count\"; } );" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"pfedclr\"; }; codec = { uplink = \"rank_one\"; "
    "};" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"pfedclr\"; optimiser = \"sgd\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"pfedrec\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"gpfedrec\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"pfedgraph\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"pfedgraph\"; optimiser = \"sgd\"; };" REST,
    RATED("fcf"),
    "data = { synthetic = \"small\"; }; method = { name = \"fcf_implicit\"; };" REST,
    RATED("fedrec"),
    RATED("fedmf_ratings"),
    RATED("fedncf_ratings"),
    RATED("fedfast"),
    RATED("lightfr"),
    "data = { synthetic = \"small\"; }; method = { name = \"ptf_fedrec\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"cgfedrec\"; };" REST,
    "data = { synthetic = \"small\"; }; method = { name = \"semidfegl\"; };" REST,
    RATED("semidfegl_ratings"),
    "data = { synthetic = \"small\"; }; evaluation = { non_federated = [\"local_only\", \"centralised_mf\", "
    "\"item_knn\"]; };" REST,
    RATED("rfrec\"; }; evaluation = { non_federated = [\"item_mean\", \"pmf\", \"pmf_biases\", \"svdpp\"]; "
          "}; rounds = { selection = \"uniform"),
    RATED("rfrec\"; clipping = \"initial"),
    RATED("rfrec\"; local_step = \"gradient"),
    RATED("rfrec\"; variant = \"published_code"),
    RATED("rfrecf\"; variant = \"published_code"),
    RATED("fcf\"; variant = \"published_code"),
    RATED("rfrecf\"; clipping = \"initial"),
    RATED("rfrecf\"; local_step = \"gradient"),
    "data = { synthetic = \"small\"; }; rounds = { stop_tolerance = 0.1; };" REST,
    "data = { synthetic = \"small\"; }; privacy = ( \"clip\", { name = \"laplace\"; epsilon = 9.0; } );" REST,
    "data = { synthetic = \"small\"; }; method = { aggregation = \"uniform\"; };"
    " privacy = ( \"clip\", { name = \"gaussian\"; epsilon = 9.0; } );" REST,
    "data = { synthetic = \"small\"; }; method = { aggregation = \"uniform\"; }; privacy = ( \"ckks\" "
    ");" REST,
    "data = { synthetic = \"small\"; }; method = { aggregation = \"uniform\"; }; privacy = ( \"paillier\" "
    ");" REST,
    "data = { synthetic = \"small\"; split = \"date\"; test_from = \"50 %\"; };" REST,
    "data = { synthetic = \"small\"; split = \"ratio\"; };"
    " codec = { uplink = \"touched_rows\"; downlink = \"touched_rows\"; };"
    " evaluation = { candidates = \"full\"; };" REST,
    "data = { synthetic = \"small\"; }; devices = { preset = \"fieldguide\"; };"
    " network = { preset = \"fieldguide\"; model = \"packets\"; edges = { count = 2; fails = \"1 at 5 s\"; "
    "}; "
    "};",
    "data = { synthetic = \"custom\"; };" REST,
    "data = { format = \"csv\"; path = \"data.csv\"; csv_separator = \";\"; csv_value = \"value\"; csv_time "
    "= \"time\";"
    " min_interactions = 3; }; evaluation = { candidates = \"full\"; };" REST,
    "data = { synthetic = \"small\"; }; network = { downlink = " UNIFORM("MB/s") "; uplink = " UNIFORM(
        "MB/s") "; latency = " UNIFORM("ms") "; }; devices = { speed = " UNIFORM("Gflop/s") "; };",
    "data = { synthetic = \"small\"; }; network = { downlink = " LOGNORMAL("MB/s") "; uplink = " LOGNORMAL(
        "MB/s") "; latency = " LOGNORMAL("ms") "; }; devices = { speed = " LOGNORMAL("Gflop/s") "; };",
    "data = { synthetic = \"small\"; }; network = { downlink = " EMPIRICAL "; uplink = " EMPIRICAL
    "; latency = { distribution = \"empirical\"; table = \"fedscale-compute\"; }; };"
    " devices = { speed = { distribution = \"empirical\"; file = \"speeds.csv\"; }; };",
    "data = { synthetic = \"small\"; }; availability = { model = \"bernoulli\"; };"
    " rounds = { selection = { sees_availability = false; }; };",
    "data = { synthetic = \"small\"; }; availability = { model = \"bernoulli\"; dynamics = \"sine\";"
    " follows = \"taste\"; };",
    "data = { synthetic = \"small\"; }; availability = { model = \"diurnal\"; dynamics = \"sine\";"
    " follows = \"activity\"; };",
    "data = { synthetic = \"small\"; }; rounds = { window = \"22:00-6:00\"; per_day = 2;"
    " selection = { at_least = 5; wait = \"1 h\"; }; };",
    "data = { synthetic = \"small\"; }; availability = { model = \"markov\";"
    " dynamics = \"staircase\"; follows = \"activity\"; };"
    " failures = { late_share = 0.5; up = 0.1; connection_up = 0.1; follows = \"activity\"; server_restarts "
    "= \"1 h\"; retry = { times = 4; }; };",
    "data = { synthetic = \"small\"; }; rounds = { stragglers = \"run_on\";"
    " policy = { name = \"deadline\"; after = \"1 min\"; quorum = 0.5; late = \"accept\"; }; };",
    "data = { synthetic = \"small\"; }; rounds = { stragglers = \"run_on\";"
    " policy = { name = \"quorum_then_wait\"; quorum = 0.5; late = \"accept\"; }; };",
    "data = { synthetic = \"small\"; }; rounds = { policy = { name = \"over_select\"; quorum = 0.5; }; };",
    "data = { synthetic = \"small\"; }; rounds = { policy = { name = \"quantile\"; quorum = 0.5; }; };",
    "data = { synthetic = \"small\"; }; rounds = { policy = { name = \"partial_work\"; after = \"1 min\";"
    " grace = \"1 min\"; quorum = 0.5; }; };",
    "data = { synthetic = \"small\"; }; rounds = { policy = \"buffered_async\"; };",
    "data = { synthetic = \"small\"; }; availability = { model = \"diurnal\"; propensity = \"fedscale\"; };",
    "data = { synthetic = \"small\"; }; platform = { file = \"two.xml\"; };",
    "data = { synthetic = \"small\"; }; availability = { model = \"trace\"; file = \"sessions.csv\"; };",
    "data = { synthetic = \"small\"; }; peers = { neighbours = \"file\"; file = \"pairs.csv\"; };" REST,
    "data = { synthetic = \"small\"; }; peers = \"random_regular\";" REST,
    "data = { synthetic = \"small\"; }; peers = \"group\";" REST,
    "data = { synthetic = \"small\"; }; availability = \"states\";",
    "data = { synthetic = \"small\"; }; availability = { model = \"states\"; file = \"states.csv\"; };",
    "data = { synthetic = \"small\"; }; network = { preset = \"4g\"; model = \"tcp\"; connection = \"kept\"; "
    "};",
    "data = { synthetic = \"small\"; }; network = { preset = \"4g\"; model = \"packets\"; server_uplink = "
    "\"1 MB/s\"; };",
    "data = { synthetic = \"small\"; }; network = { preset = \"mixed-mobile\"; trace = \"trace.csv\"; };"
    " devices = { preset = \"fedscale\"; memory = " UNIFORM("MB") "; };",
    "data = { synthetic = \"small\"; }; network = { fleet = \"fleet.csv\"; fleet_assignment = \"sample\"; };"
    " devices = { fleet = \"fleet.csv\"; fleet_assignment = \"sample\"; }; server = { trace = "
    "\"server.csv\"; };",
    "data = { synthetic = \"small\"; }; devices = { preset = \"phones\"; memory = " LOGNORMAL("MB") "; };",
    "data = { synthetic = \"small\"; }; devices = { compute = \"per_sample\"; per_sample = " UNIFORM(
        "ms") "; memory = { distribution = \"empirical\"; file = \"sizes.csv\"; }; };",
    "data = { synthetic = \"small\"; }; devices = { compute = \"per_sample\"; per_sample = " LOGNORMAL(
        "ms") "; };",
    "data = { synthetic = \"small\"; }; devices = { compute = \"per_sample\"; per_sample = \"1 ms\"; };",
    "data = { synthetic = \"small\"; }; method = { name = \"external\";"
    " command = \"$FRS_BUILD_DIR/tests/external_fedmf\"; };" REST,
    "method = { name = \"declared\"; down = \"1 MB\"; up = \"1 MB\"; };" REST,
    "method = { name = \"declared\"; down = " UNIFORM("MB") "; up = " UNIFORM("MB") "; work = " UNIFORM(
        "Gflop") "; };" REST,
    "method = { name = \"declared\"; down = " LOGNORMAL("MB") "; up = " LOGNORMAL("MB") "; work = " LOGNORMAL(
        "Gflop") "; };" REST,
    "method = { name = \"declared\"; down = " SIZES "; up = " SIZES "; work = { distribution = "
    "\"empirical\"; file = \"works.csv\"; }; };" REST,
};

/* All places of a list have the same keys, which count once: "privacy.3.clip.bound" is that of "privacy.1".
 */
static char *at_first_place(const char *key) {
    char *copy = frs_strdup(key), *dot = strchr(copy, '.');
    if (dot && dot[1] >= '1' && dot[1] <= '9' && dot[2] == '.')
        dot[1] = '1';
    return copy;
}

static size_t find(const char *key) {
    char *first = at_first_place(key);
    size_t i = 0;
    while (i < n_known && strcmp(known[i], first) != 0)
        i++;
    free(first);
    return i;
}

static void add_known(void *context, const char *key) {
    (void)context;
    ck_assert_uint_lt(n_known, MAX_KEYS);
    char *first = at_first_place(key);
    size_t at = find(key);
    ck_assert_msg(at == n_known || strcmp(first, key) != 0, "%s is there twice", key);
    if (at == n_known)
        known[n_known++] = first;
    else
        free(first);
}

static void add_read(void *context, const char *key) {
    (void)context;
    size_t at = find(key);
    if (strncmp(key, "method.external.", strlen("method.external.")) == 0 && at == n_known)
        return; /* the program's own */
    ck_assert_msg(at < n_known, "%s is read but not known", key);
    is_read[at] = true;
}

static void compose(const char *text) {
    struct frs_errors errors = {0};
    struct frs_scenario *scenario;
    struct frs_setup run;
    struct frs_sweep sweep;
    write_text("s.cfg", text);
    enum frs_status status = frs_scenario_load(frs_sections, "s.cfg", NULL, 0, &scenario, &errors);
    ck_assert_msg(status == FRS_OK, "%s: %s", text, errors.n ? errors.lines[0] : "");
    status = frs_compose(scenario, &run, &errors);
    ck_assert_msg(status == FRS_OK, "%s: %s", text, errors.n ? errors.lines[0] : "");
    status = frs_sweep_read(scenario, &(struct frs_sweep_request){0}, &sweep, &errors);
    ck_assert_msg(status == FRS_OK, "%s: %s", text, errors.n ? errors.lines[0] : "");
    frs_scenario_each_read(scenario, add_read, NULL);
    frs_sweep_fini(&sweep);
    frs_setup_fini(&run);
    frs_scenario_destroy(scenario);
}

/* Paths in a scenario are relative to the working directory. */
static char before[4096];

static void setup(void) {
    folder_setup();
    frs_consent_give();
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    ck_assert_int_eq(chdir(frs_folder), 0);
    write_text("data.csv", csv);
    write_text("two.xml",
        "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
        "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\"><host id=\"server\" speed=\"1Gf\"/>"
        "<host id=\"client0\" speed=\"1Gf\"/><link id=\"l\" bandwidth=\"1MBps\" latency=\"1ms\"/>"
        "<route src=\"server\" dst=\"client0\"><link_ctn id=\"l\"/></route></zone></platform>");
    write_text("sessions.csv", "client,start_s,end_s\n0,0,1000\n");
    write_text("pairs.csv", "client,neighbour\n0,1\n");
    write_text("states.csv", "client,start_s,end_s,link,charging,in_use\n0,0,1000,wifi,1,0\n");
    write_text("sizes.csv", "value,share\n1e6,0.5\n2e6,1\n");
    write_text("works.csv", "value,unit,share\n1,Gflop,0.5\n2,Gflop,1\n");
    write_text("trace.csv", "t_s,factor\n0,1\n5,0.5\n9,1\n");
    write_text("fleet.csv", "down_Mbit_s,up_Mbit_s,latency_ms,speed_Gflop_s\n10,1,20,2\n");
    write_text("server.csv", "t_s,up_Mbit_s\n0,1\n5,2\n9,1\n");
    write_text("speeds.csv", "value,unit,share\n1,Gflop/s,0\n2,Gflop/s,1\n");
}

static void teardown(void) {
    ck_assert_int_eq(chdir(before), 0);
    folder_teardown();
}

START_TEST(test_every_key_is_read) {
    char idle[4096] = "";
    size_t n_idle = 0;
    frs_scenario_each_known(frs_sections, add_known, NULL);
    ck_assert_uint_gt(n_known, 80);
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
        compose(scenarios[i]);
    for (size_t i = 0; i < n_known; i++)
        if (!is_read[i] && strlen(idle) + strlen(known[i]) + 2 < sizeof idle) {
            strcat(strcat(idle, " "), known[i]);
            n_idle++;
        }
    ck_assert_msg(
        n_idle == 0, "%zu keys of %zu are read by no scenario of this test:%s", n_idle, n_known, idle);
    for (size_t i = 0; i < n_known; i++)
        free(known[i]);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("every key is read");
    TCase *tests = tcase_create("every key is read");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_every_key_is_read);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
