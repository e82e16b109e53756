/* Hosts of a platform of one's own: by prefix and by names, the ways between them, and how often SimGrid is
 * asked. */
#include "actors/links/user_hosts.h"
#include "sim/base/errors.h"
#include "tests/folder.h"

static struct frs_user_hosts hosts;
static size_t n_counts, n_lists;
static __typeof__(frs_simgrid.sg_host_count) real_count;
static __typeof__(frs_simgrid.sg_host_list) real_list;

static size_t counted_count(void) {
    n_counts++;
    return real_count();
}

static sg_host_t *counted_list(void) {
    n_lists++;
    return real_list();
}

/* SimGrid loads one platform a process: clusters m0 to m11 and n0 to n7999, and hosts with various ways. */
static void load_once(void) {
    char program[] = "test", *arguments[] = {program, NULL};
    int n = 1;
    fixture_setup();
    write_file("p.xml",
        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\">\n<zone id=\"all\" routing=\"Full\">\n"
        "<cluster id=\"m\" prefix=\"m\" radical=\"0-11\" suffix=\"\" speed=\"1Gf\" bw=\"1GBps\" "
        "lat=\"1us\"/>\n"
        "<cluster id=\"n\" prefix=\"n\" radical=\"0-7999\" suffix=\"\" speed=\"1Gf\" bw=\"1GBps\" "
        "lat=\"1us\"/>\n"
        "<zone id=\"z\" routing=\"Full\">\n"
        "<host id=\"s\" speed=\"1Gf\"/><host id=\"both\" speed=\"1Gf\"/><host id=\"down\" speed=\"1Gf\"/>\n"
        "<host id=\"up\" speed=\"1Gf\"/><host id=\"lost\" speed=\"1Gf\"/><host id=\"still\" speed=\"1Gf\"/>\n"
        "<link id=\"l\" bandwidth=\"1MBps\" latency=\"0ms\"/>\n"
        "<link id=\"o\" bandwidth=\"0Bps\" latency=\"1ms\"/>\n"
        "<route src=\"s\" dst=\"both\"><link_ctn id=\"l\"/></route>\n"
        "<route src=\"s\" dst=\"down\" symmetrical=\"NO\"><link_ctn id=\"l\"/></route>\n"
        "<route src=\"up\" dst=\"s\" symmetrical=\"NO\"><link_ctn id=\"l\"/></route>\n"
        "<route src=\"s\" dst=\"still\"><link_ctn id=\"o\"/></route>\n</zone>\n</zone>\n</platform>\n");
    ck_assert_int_eq(frs_simgrid_load(&errors), FRS_OK);
    frs_simgrid.simgrid_init(&n, arguments);
    frs_simgrid.simgrid_load_platform("p.xml");
    real_count = frs_simgrid.sg_host_count;
    real_list = frs_simgrid.sg_host_list;
    frs_simgrid.sg_host_count = counted_count;
    frs_simgrid.sg_host_list = counted_list;
}

static void expect_hosts(const char *server, const char *clients, const char *names) {
    char *why = frs_user_hosts_find(&hosts, server, clients), *all = frs_strdup("");
    ck_assert_msg(!why, "%s", why);
    for (size_t i = 0; i < hosts.n_clients; i++) {
        char *longer =
            frs_format("%s%s%s", all, i ? " " : "", frs_simgrid.sg_host_get_name(hosts.clients[i]));
        free(all);
        all = longer;
    }
    ck_assert_str_eq(all, names);
    ck_assert_str_eq(frs_simgrid.sg_host_get_name(hosts.server), server);
    free(all);
    free(hosts.clients);
}

static void expect_none(const char *server, const char *clients, const char *reason) {
    char *why = frs_user_hosts_find(&hosts, server, clients);
    ck_assert_ptr_nonnull(why);
    ck_assert_str_eq(why, reason);
    free(why);
    free(hosts.clients);
}

START_TEST(clients_are_found_by_prefix_without_the_server) {
    expect_hosts("m0", "m", "m1 m2 m3 m4 m5 m6 m7 m8 m9 m10 m11");
    ck_assert(hosts.left_out);
    expect_hosts("m3", "m1", "m1 m10 m11");
    ck_assert(!hosts.left_out);
    expect_none("m1", "m1x", "it has no host whose name starts with \"m1x\" (platform.clients)");
    expect_none(
        "m11", "m11", "it has no host but the server's whose name starts with \"m11\" (platform.clients)");
    expect_none("m12", "m", "it has no host \"m12\" (platform.server)");
}
END_TEST

START_TEST(clients_are_found_by_names_in_their_order) {
    expect_hosts("m0", "m7; m1", "m7 m1");
    expect_none("m0", "m7;m12", "it has no host \"m12\" (platform.clients)");
    expect_none("m0", "m7;m1;m7", "host \"m7\" stands twice in platform.clients");
    expect_none("m7", "m1;m7",
        "host \"m7\" is the server's (platform.server) and cannot be a client's, too (platform.clients)");
    expect_none("m0", " ; ", "no client has a host (platform.clients is empty)");
}
END_TEST

static void expect_way(const char *clients, const char *none) {
    char now[256], *why = frs_user_hosts_find(&hosts, "s", clients);
    ck_assert_msg(!why, "%s", why);
    why = frs_user_hosts_check_routes(&hosts, now, sizeof now);
    free(hosts.clients);
    if (none)
        ck_assert_msg(why && strstr(why, none), "%s", why);
    else
        ck_assert_msg(!why, "%s", why);
    ck_assert_str_eq(now, none ? none : "");
    free(why);
}

START_TEST(ways_are_looked_for_in_both_directions) {
    expect_way("both", NULL);
    expect_way("down", "\"down\" to \"s\"");
    expect_way("up", "\"s\" to \"up\"");
    expect_way("lost", "\"s\" to \"lost\"");
    expect_way("still", "\"s\" to \"still\"");
    expect_way("both;down", "\"down\" to \"s\"");
}
END_TEST

/* Each of the two makes a list of all hosts. */
START_TEST(simgrid_lists_its_hosts_twice) {
    char now[64];
    n_counts = n_lists = 0;
    ck_assert_ptr_null(frs_user_hosts_find(&hosts, "n0", "n"));
    ck_assert_uint_eq(hosts.n_clients, 7999);
    ck_assert_ptr_null(frs_user_hosts_check_routes(&hosts, now, sizeof now));
    ck_assert_uint_eq(n_counts, 1);
    ck_assert_uint_eq(n_lists, 1);
    free(hosts.clients);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("user hosts");
    TCase *tests = tcase_create("user hosts");
    tcase_add_unchecked_fixture(tests, load_once, fixture_teardown);
    tcase_add_test(tests, clients_are_found_by_prefix_without_the_server);
    tcase_add_test(tests, clients_are_found_by_names_in_their_order);
    tcase_add_test(tests, ways_are_looked_for_in_both_directions);
    tcase_add_test(tests, simgrid_lists_its_hosts_twice);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
