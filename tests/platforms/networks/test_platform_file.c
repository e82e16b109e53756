/* What of a SimGrid platform is refused by name, with the line where it stands. */
#include "platforms/networks/platform_file.h"
#include "sim/base/errors.h"
#include "tests/folder.h"

/* The line of an error about one element between two that are taken; NULL: there is none. */
static const char *objection(const char *element) {
    char *text =
        frs_format("<?xml version='1.0'?>\n<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Full\">\n"
                   "<host id=\"a\" speed=\"1Gf\"/>\n%s\n<link id=\"b\" bandwidth=\"1MBps\" "
                   "latency=\"1ms\" sharing_policy=\"FATPIPE\"/>\n</zone>\n</platform>\n",
            element);
    write_file("p.xml", text);
    free(text);
    frs_errors_clear(&errors);
    enum frs_status status = frs_platform_file_check("p.xml", &errors);
    ck_assert_int_eq(status, errors.n ? FRS_ERR_INPUT : FRS_OK);
    ck_assert_uint_le(errors.n, 1);
    return errors.n ? errors.lines[0] : NULL;
}

static void expect(const char *element, const char *beginning) {
    const char *line = objection(element);
    ck_assert_msg(line && strncmp(line, beginning, strlen(beginning)) == 0, "%s: %s", element, line);
    ck_assert_msg(strstr(line, "; allowed: "), "%s", line);
}

START_TEST(what_simgrid_simulates_is_taken) {
    ck_assert_ptr_null(objection(""));
    ck_assert_ptr_null(objection("<cluster id=\"c\" prefix=\"n\" radical=\"0-9\" suffix=\"\" speed=\"1Gf\" "
                                 "bw=\"1GBps\" lat=\"1us\"/>"));
    ck_assert_ptr_null(objection("<peer id=\"p\" speed=\"1Gf\" bw_in=\"1MBps\" bw_out=\"1MBps\"/>"));
    ck_assert_ptr_null(objection("<link id=\"l\" bandwidth=\"1MBps\" sharing_policy=\"SPLITDUPLEX\"/>"));
    ck_assert_ptr_null(
        objection("<host id=\"h\" speed=\"1Gf\"><prop id=\"state_file\" value=\"x\"/></host>"));
}
END_TEST

/* SimGrid would take these, and end the program in the middle of a run. */
START_TEST(quantities_are_numbers_of_0_or_more) {
    expect("<link id=\"l\" bandwidth=\"-1MBps\" latency=\"1ms\"/>",
        "p.xml:5: link \"l\": bandwidth=\"-1MBps\": is no quantity");
    expect("<link id=\"l\" bandwidth=\"nanMBps\"/>", "p.xml:5: link \"l\": bandwidth=\"nanMBps\": ");
    expect("<link id=\"l\" bandwidth=\"1MBps,-2MBps\"/>", "p.xml:5: link \"l\": bandwidth=");
    expect("<link id=\"l\" latency=\"\"/>", "p.xml:5: link \"l\": latency=\"\": ");
    expect("<cluster id=\"c\" bb_lat=\"-1us\"/>", "p.xml:5: cluster \"c\": bb_lat=\"-1us\": ");
    expect("<host id=\"h\" speed=\"1Gf,fast\"/>", "p.xml:5: host \"h\": speed=\"1Gf,fast\": ");
    ck_assert_ptr_null(objection("<host id=\"h\" speed=\"1Gf,0.5Gf\"/>"));
}
END_TEST

START_TEST(routings_are_known_and_one_zone_holds_all) {
    expect("<zone id=\"c\" routing=\"Fully\"/>", "p.xml:5: zone \"c\": routing=\"Fully\": is not known");
    expect("<AS id=\"c\" routing=\"Wifi\"/>", "p.xml:5: AS \"c\": routing=\"Wifi\": ");
    expect("</zone><zone id=\"c\" routing=\"Full\">", "p.xml:5: zone \"c\": is the second one that is in no");
    ck_assert_ptr_null(objection("<zone id=\"c\" routing=\"Full\"/><zone id=\"d\" routing=\"floyd\"/>"));
}
END_TEST

START_TEST(profiles_are_refused) {
    expect(
        "<host id=\"h\" speed=\"1Gf\" state_file=\"x\"/>", "p.xml:5: host \"h\": state_file: profiles are ");
    expect("<link id=\"l\" bandwidth_file=\"x\"/>", "p.xml:5: link \"l\": bandwidth_file: ");
    expect("<link id=\"l\"\n latency_file=\"x\"/>", "p.xml:5: link \"l\": latency_file: ");
    expect("<peer id=\"p\" availability_file=\"x\"/>", "p.xml:5: peer \"p\": availability_file: ");
    expect("<trace id=\"t\" periodicity=\"1\">0 1</trace>", "p.xml:5: trace \"t\": profiles are ");
    expect("\n<trace_connect trace=\"t\" element=\"l\"/>", "p.xml:6: <trace_connect>: profiles are ");
}
END_TEST

START_TEST(cells_are_refused) {
    expect("<link id=\"air\" sharing_policy=\"WIFI\"/>", "p.xml:5: link \"air\": sharing_policy=\"WIFI\": ");
    expect("<zone id=\"c\" routing=\"Wifi\"/>", "p.xml:5: zone \"c\": routing=\"Wifi\": ");
    expect("<zone id=\"c\" routing=\"WIFI\"/>", "p.xml:5: zone \"c\": routing=\"WIFI\": ");
}
END_TEST

START_TEST(options_deployments_and_further_files_are_refused) {
    expect("<config><prop id=\"network/model\" value=\"CM02\"/></config>", "p.xml:5: <config>: ");
    expect("<actor host=\"a\" function=\"f\"/>", "p.xml:5: <actor>: ");
    expect("<process host=\"a\" function=\"f\"/>", "p.xml:5: <process>: ");
    expect("<include file=\"o.xml\"/>", "p.xml:5: <include>: ");
}
END_TEST

START_TEST(other_files_are_refused) {
    expect("<host id=\"a\"", "p.xml:6: not well-formed (invalid token); allowed: a SimGrid platform in XML");
    write_file("p.xml", "t_s,factor\n0,1\n");
    frs_errors_clear(&errors);
    ck_assert_int_eq(frs_platform_file_check("p.xml", &errors), FRS_ERR_INPUT);
    ck_assert_str_eq(errors.lines[0], "p.xml:1: syntax error; allowed: a SimGrid platform in XML");
    frs_errors_clear(&errors);
    ck_assert_int_eq(frs_platform_file_check("none.xml", &errors), FRS_ERR_INPUT);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("platform file");
    TCase *tests = tcase_create("platform file");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, what_simgrid_simulates_is_taken);
    tcase_add_test(tests, quantities_are_numbers_of_0_or_more);
    tcase_add_test(tests, routings_are_known_and_one_zone_holds_all);
    tcase_add_test(tests, profiles_are_refused);
    tcase_add_test(tests, cells_are_refused);
    tcase_add_test(tests, options_deployments_and_further_files_are_refused);
    tcase_add_test(tests, other_files_are_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
