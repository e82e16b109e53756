/* Every broken invariant of the ledger ends the program, and says what is wrong. */
#include "tests/sim/base/death.h"
#include "tests/sim/ledger/fixture.h"

static void empty_round(void) {
    close_with(10, 26, alone, 0, NULL);
}

static void round_overlaps(void) {
    close_round();
    close_with(25, 42, alone, 1, NULL);
}

static void no_outcome(void) {
    participation.result.outcome = FRS_PENDING;
    close_round();
}

static void unknown_outcome(void) {
    participation.result.outcome = FRS_N_OUTCOMES;
    close_round();
}

static void missing_time(void) {
    participation.times.compute_end_s = NAN;
    close_round();
}

static void endless_phase(void) {
    participation.times.up_end_s = INFINITY;
    close_round();
}

static void negative_phase(void) {
    participation.times.compute_end_s = 18.5;
    close_round();
}

static void selected_before_the_round(void) {
    participation.times.selected_s = 9;
    close_round();
}

static void ends_after_the_round(void) {
    participation.times.up_end_s = participation.times.ended_s = 26.001;
    close_round();
}

static void empty_message(void) {
    participation.usage.up_bytes = participation.result.up_crossed_bytes = 0;
    close_round();
}

static void lost_bytes(void) {
    participation.result.down_crossed_bytes = 799;
    close_round();
}

static void invented_bytes(void) {
    participation.result.up_crossed_bytes = 101;
    close_round();
}

static void post_without_work(void) {
    add_post(FRS_POST_ENDED, 35, FRS_CAUSE_NONE);
    participation.usage.post_flop = 0;
    close_round();
}

static void post_without_end(void) {
    add_post(FRS_POST_ENDED, 35, FRS_CAUSE_NONE);
    participation.post.end_s = NAN;
    close_round();
}

static void post_broken_without_cause(void) {
    add_post(FRS_POST_DROPPED, 26, FRS_CAUSE_NONE);
    close_round();
}

/* The same client computes from 39 to 43 while its work after the last upload lasts until 40. */
static void two_things_at_once(void) {
    add_post(FRS_POST_ENDED, 40, FRS_CAUSE_NONE);
    participation.post.work_s = 17;
    participation.post.share = 1;
    close_round();
    shift(&participation, 20);
    close_with(30, 46, alone, 1, NULL);
}

static void negative_flop(void) {
    participation.usage.flop = -1;
    close_round();
}

static void endless_flop(void) {
    participation.usage.flop = NAN;
    close_round();
}

static void network_carried_less(void) {
    close_round();
    check_network(799.5, 100);
}

static void network_carried_more(void) {
    close_round();
    check_network(800, 100.1);
}

static void network_carried_nonsense(void) {
    close_round();
    check_network(NAN, 100);
}

static void down_for_too_long(void) {
    frs_ledger_close_round(ledger,
        &(struct frs_closed_round){.start_s = 10, .end_s = 26, .restart_s = 10.5, .list = alone, .n = 1});
}

static void no_such_client(void) {
    participation.client = N_CLIENTS;
    close_round();
}

static void descending_clients(void) {
    struct frs_participation other = participation;
    other.client = 1;
    const struct frs_participation *const two[] = {&participation, &other};
    close_with(10, 26, two, 2, NULL);
}

static void client_twice(void) {
    const struct frs_participation *const two[] = {&participation, &participation};
    close_with(10, 26, two, 2, NULL);
}

static void link_was_slower(void) {
    participation.plan.up_bytes_per_s = 49;
    close_round();
}

static void link_was_faster(void) {
    participation.plan.down_bytes_per_s = 101;
    close_round();
}

/* Its times say that half as much could cross as was charged. */
static void broken_off_too_late(void) {
    participation.result.outcome = FRS_DROPPED_UP;
    participation.result.cause = FRS_CAUSE_CONNECTION;
    participation.times.up_end_s = NAN;
    participation.times.ended_s = 25;
    participation.result.up_crossed_bytes = 52;
    close_round();
}

static void transfers_faster_than_alone(void) {
    frs_ledger_set_links(ledger, &(struct frs_own_links){0});
    participation.plan.down_bytes_per_s = 80;
    frs_ledger_close_round(ledger,
        &(struct frs_closed_round){.start_s = 10, .end_s = 26, .contended = true, .list = alone, .n = 1});
}

/* No phase covers the time from 9 to 10. */
static void second_unaccounted_for(void) {
    close_with(9, 26, alone, 1, NULL);
}

/* The server works for longer than the round lasts. */
static void second_counted_twice(void) {
    frs_ledger_close_round(ledger,
        &(struct frs_closed_round){.start_s = 10, .end_s = 26, .server_s = 17, .list = alone, .n = 1});
}

static struct frs_totals *totals_after_a_round(void) {
    close_round();
    return (struct frs_totals *)(uintptr_t)frs_ledger_totals(ledger);
}

static struct frs_client_row *client_after_a_round(void) {
    close_round();
    return (struct frs_client_row *)(uintptr_t)frs_ledger_client(ledger, 2);
}

static void used_bytes_wasted(void) {
    totals_after_a_round()->wasted_up_bytes = 100;
    frs_ledger_check_clients(ledger);
}

static void bytes_neither_used_nor_wasted(void) {
    totals_after_a_round()->used_down_bytes = 799;
    frs_ledger_check_clients(ledger);
}

static void connecting_neither_used_nor_wasted(void) {
    totals_after_a_round()->setup_up_bytes = 932;
    frs_ledger_check_clients(ledger);
}

static void connecting_charged_to_nobody(void) {
    struct frs_totals *totals = totals_after_a_round();
    totals->setup_down_bytes = totals->used_setup_down_bytes = 3966;
    frs_ledger_check_clients(ledger);
}

static void flop_neither_used_nor_wasted(void) {
    totals_after_a_round()->flop += 1;
    frs_ledger_check_clients(ledger);
}

static void wasted_participation_that_was_used(void) {
    totals_after_a_round()->waste[FRS_CAUSE_DEVICE][FRS_DELIVERED].participations++;
    frs_ledger_check_clients(ledger);
}

static void client_lost_and_delivered(void) {
    client_after_a_round()->lost++;
    frs_ledger_check_clients(ledger);
}

static void client_takes_part_once_more(void) {
    struct frs_client_row *row = client_after_a_round();
    row->participations++;
    row->delivered++;
    frs_ledger_check_clients(ledger);
}

static void client_charged_less(void) {
    client_after_a_round()->down_bytes--;
    frs_ledger_check_clients(ledger);
}

static void break_out_of_order(void) {
    add_break(true);
    participation.breaks->again_s = 12.5;
    close_round();
}

static void break_after_the_end(void) {
    add_break(true);
    participation.breaks->broke_s = 27;
    close_round();
}

static void one_try_too_many(void) {
    add_break(true);
    participation.plan.retrying.times = 0;
    close_round();
}

static void try_that_is_not_counted(void) {
    add_break(true);
    participation.result.retries = 0;
    close_round();
}

static void try_that_moved_more(void) {
    add_break(false);
    participation.breaks->bytes = 201;
    close_round();
}

static void try_faster_than_its_link(void) {
    add_break(true);
    participation.breaks->bytes = 210;
    close_round();
}

static void resumes_and_sends_again(void) {
    add_break(false);
    participation.plan.retrying.resumes = true;
    participation.breaks->bytes = 0;
    participation.result.resent_down_bytes = 0;
    participation.result.resent_up_bytes = 1;
    close_round();
}

static void handshake_that_nobody_made(void) {
    add_break(true);
    participation.breaks->setup_up_bytes = participation.result.setup_up_bytes = 5;
    close_round();
}

static void resent_for_no_reason(void) {
    add_break(false);
    totals_after_a_round()->resent_down_bytes = 199;
    frs_ledger_check_clients(ledger);
}

static const struct {
    void (*call)(void);
    const char *text;
} violations[] = {
    {link_was_slower, "client 2: 100 bytes up from 24 to 26, in which its link carries 98"},
    {link_was_faster, "client 2: 800 bytes down from 11 to 19, in which its link carries 808"},
    {broken_off_too_late, "client 2: 52 bytes up from 24 to 25, in which its link carries 50"},
    {transfers_faster_than_alone, "client 2: a transfer of 8 s takes 10 s alone on its own link"},
    {second_unaccounted_for, "the critical path from 9 to 26, of client 2, adds up to 16 s"},
    {second_counted_twice, "the critical path from 10 to 26, of client 2, adds up to 17 s"},
    {used_bytes_wasted, "100 bytes up, 100 used and 0 wasted"},
    {bytes_neither_used_nor_wasted, "800 bytes down, 799 used and 0 wasted"},
    {connecting_neither_used_nor_wasted, "932 bytes of connecting up, 0 used and 0 wasted"},
    {connecting_charged_to_nobody, "clients were charged 0 and 0 bytes of connecting, rounds 3966 and 0"},
    {flop_neither_used_nor_wasted, "5000001 flop, 5000000 used and 0 wasted"},
    {wasted_participation_that_was_used, "1 participations, 1 outcomes, 1 used and 1 wasted"},
    {client_lost_and_delivered, "client 2: 1 delivered, 1 lost and 0 unavailable of 1 participations"},
    {client_takes_part_once_more, "clients had 2 participations, rounds 1"},
    {client_charged_less, "clients were charged 799 and 100 bytes"},
    {break_out_of_order, "client 2: break 1, at 13, is out of order"},
    {break_after_the_end, "client 2: break 1, at 27, is out of order"},
    {one_try_too_many, "client 2 connects anew 1 times of 0"},
    {try_that_is_not_counted, "client 2 connects anew 0 times of 1"},
    {try_that_moved_more, "client 2: tries at a message moved 1001 bytes, of which 800 crossed and 200"},
    {try_faster_than_its_link, "client 2: 210 bytes down from 11 to 13, in which its link carries 200"},
    {resumes_and_sends_again, "client 2: tries at a message moved 100 bytes, of which 100 crossed and 1"},
    {handshake_that_nobody_made, "client 2 connects with other bytes than that takes"},
    {resent_for_no_reason, "199 and 0 bytes sent again, and 200 and 0 wasted for that"},
    {empty_round, "a round without participants takes 16 s"},
    {round_overlaps, "round 2 starts before the last one ended"},
    {no_outcome, "client 2 has no outcome"},
    {unknown_outcome, "client 2 has no outcome"},
    {missing_time, "client 2: time 5 is missing"},
    {endless_phase, "client 2: time 8 is missing"},
    {negative_phase, "client 2: time runs backwards from 19 to 18.5"},
    {selected_before_the_round, "client 2: time runs backwards from 10 to 9"},
    {ends_after_the_round, "client 2 ends at 26.001"},
    {empty_message, "client 2 sent an empty message"},
    {lost_bytes, "client 2 finished a message without all its bytes having crossed"},
    {invented_bytes, "client 2 exchanged more than its messages"},
    {negative_flop, "client 2 computed -1 flop"},
    {post_without_work, "client 2: 0 flop after its upload, outcome ended"},
    {post_without_end, "client 2: work after the upload ends at nan"},
    {post_broken_without_cause, "client 2: work after the upload dropped_post for cause none"},
    {two_things_at_once, "client 2 computes at 39, and is busy until 40"},
    {endless_flop, "client 2 computed nan flop"},
    {network_carried_less, "the network carried 799.5"},
    {network_carried_more, "the ledger charged 800 and 100"},
    {network_carried_nonsense, "the network carried nan"},
    {down_for_too_long, "the server was down for 10.5 s of the 10 s before round 1"},
    {no_such_client, "there is no client 5"},
    {descending_clients, "client 1 is entered after client 2"},
    {client_twice, "client 2 is entered after client 2"},
};

START_TEST(violations_abort) {
    frs_test_panics(violations[_i].call, violations[_i].text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("invariants of the ledger");
    TCase *tests = tcase_create("invariants");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, violations_abort, 0, sizeof violations / sizeof *violations);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
