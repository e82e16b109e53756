/* Layers that clients of a group exchange, and when they have their downloads: by hand. */
#include "actors/peers/arrival.h"
#include "actors/peers/group_layers.h"
#include "tests/support.h"

#include <math.h>

#define DETECT_S 3

static const struct frs_peer_sending at_once;

static double quarter_each(const void *context, uint32_t member, uint32_t n, bool goes_on) {
    (void)context;
    (void)member;
    (void)goes_on;
    return .25 * n;
}

static double quarter_and_one(const void *context, uint32_t member, uint32_t n, bool goes_on) {
    return quarter_each(context, member, n, goes_on) + (goes_on ? 1 : 0);
}

/* Three clients with 1,000 B/s each way that have their downloads at 1, 2 and 4 s, and two layers of 1,000
 * bytes a message. */
static struct frs_layers three(struct frs_peer_member members[3], bool by_head) {
    static const double ready_s[] = {1, 2, 4};
    for (uint32_t i = 0; i < 3; i++)
        members[i] = (struct frs_peer_member){
            .ready_s = ready_s[i], .dies_s = INFINITY, .links = {.bytes_per_s = {1000, 1000}}};
    return (struct frs_layers){.members = members,
        .n = 3,
        .layers = 2,
        .by_head = by_head,
        .head = 1,
        .bytes = 1000,
        .sending = &at_once,
        .detect_s = DETECT_S,
        .add_s = quarter_each};
}

static bool heard(const struct frs_layers *layers, uint32_t layer, uint32_t from, uint32_t to) {
    return layers->heard[(layer * 3 + to) * 3 + from];
}

/* Each sends two messages at 500 B/s: from 4 to 6 s; .5 s to add them up; from 6.5 to 8.5, and .5 s. */
START_TEST(mesh_by_hand) {
    struct frs_peer_member members[3];
    struct frs_layers layers = three(members, false);
    frs_layers_play(&layers);
    ck_assert_uint_eq(layers.n_messages, 12);
    ck_assert_double_eq_tol(layers.carried, 12000, 1e-6);
    for (uint32_t m = 0; m < 12; m++) {
        ck_assert_uint_eq(layers.messages[m].layer, m / 6);
        ck_assert_double_eq_tol(layers.messages[m].message.end_s, m < 6 ? 6 : 8.5, 1e-12);
    }
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(members[i].done_s, 9, 1e-12);
        ck_assert_double_eq_tol(members[i].first_s, 4, 1e-12);
        ck_assert_double_eq_tol(members[i].last_s, 8.5, 1e-12);
        ck_assert_uint_eq(layers.adds[i], 4);
        ck_assert(heard(&layers, 0, (i + 1) % 3, i) && heard(&layers, 1, (i + 2) % 3, i));
    }
    frs_layers_fini(&layers);
}
END_TEST

/* Two messages at 500 B/s to the head, which has them at 6 s and has added them up at 6.5; two from it until
 * 8.5; .25 s to take one. The second layer takes as long from 8.75 s on. */
START_TEST(head_by_hand) {
    static const double ends_s[] = {6, 8.5, 10.75, 13.25};
    struct frs_peer_member members[3];
    struct frs_layers layers = three(members, true);
    frs_layers_play(&layers);
    ck_assert_uint_eq(layers.n_messages, 8);
    for (uint32_t m = 0; m < 8; m++) {
        const struct frs_peer_message *message = &layers.messages[m].message;
        ck_assert_uint_eq(layers.messages[m].layer, m / 4);
        ck_assert_uint_eq(m % 4 < 2 ? message->to : message->from, 1);
        ck_assert_double_eq_tol(message->end_s, ends_s[m / 2], 1e-12);
    }
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(members[i].done_s, i == 1 ? 13.25 : 13.5, 1e-12);
        ck_assert_uint_eq(layers.adds[i], i == 1 ? 4 : 2);
        ck_assert(heard(&layers, 0, (i + 1) % 3, i) && heard(&layers, 1, (i + 2) % 3, i));
    }
    frs_layers_fini(&layers);
}
END_TEST

/* Going on takes 1 s, once a layer: from 8.5 s, when the others have the head's sum, until 9.75. Over a mesh
 * all have added up two messages and go on at 7.5 s. */
START_TEST(going_on_takes_time_once_a_layer) {
    static const double ends_s[2][4] = {{6, 9.5, 0, 0}, {6, 8.5, 11.75, 14.25}};
    for (int by_head = 0; by_head < 2; by_head++) {
        struct frs_peer_member members[3];
        struct frs_layers layers = three(members, by_head);
        layers.add_s = quarter_and_one;
        frs_layers_play(&layers);
        for (uint32_t m = 0; m < layers.n_messages; m++)
            ck_assert_double_eq_tol(
                layers.messages[m].message.end_s, ends_s[by_head][by_head ? m / 2 : m / 6], 1e-12);
        for (uint32_t i = 0; i < 3; i++)
            ck_assert_double_eq_tol(members[i].done_s, by_head ? 15.25 + (i == 1 ? 0 : .25) : 11, 1e-12);
        frs_layers_fini(&layers);
    }
}
END_TEST

/* The device of client 2 drops out at 5 s, when half of each message has crossed. The others have each
 * other's at 5.5 s, notice the loss at 8 s, and need .25 s, 1 s and .25 s more. */
START_TEST(device_is_lost) {
    struct frs_peer_member members[3];
    struct frs_layers layers = three(members, false);
    members[2].dies_s = 5;
    members[2].dies_cause = FRS_CAUSE_DEVICE;
    frs_layers_play(&layers);
    ck_assert_uint_eq(layers.n_messages, 8);
    ck_assert_double_eq_tol(members[2].lost_s, 5, 1e-12);
    ck_assert_int_eq(members[2].cause, FRS_CAUSE_DEVICE);
    ck_assert(isnan(members[2].done_s));
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(members[i].done_s, 9.5, 1e-12);
        for (uint32_t layer = 0; layer < 2; layer++)
            ck_assert(heard(&layers, layer, 1 - i, i) && !heard(&layers, layer, 2, i));
    }
    for (uint32_t m = 0; m < 6; m++) {
        const struct frs_peer_message *message = &layers.messages[m].message;
        bool lost = message->from == 2 || message->to == 2;
        ck_assert_uint_eq(message->crossed_bytes, lost ? 500 : 1000);
        ck_assert_double_eq_tol(message->end_s, lost ? 5 : 5.5, 1e-12);
    }
    frs_layers_fini(&layers);
}
END_TEST

/* Without the head, which drops out at 5 s, the others notice that at 8 s, and go on at once without having
 * heard anything. */
START_TEST(head_is_lost) {
    struct frs_peer_member members[3];
    struct frs_layers layers = three(members, true);
    members[1].dies_s = 5;
    members[1].dies_cause = FRS_CAUSE_OFFLINE;
    frs_layers_play(&layers);
    ck_assert_uint_eq(layers.n_messages, 2);
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t from = 0; from < 3; from++)
            ck_assert(from == i || !heard(&layers, 1, from, i));
    ck_assert_double_eq_tol(members[0].done_s, 8, 1e-12);
    ck_assert_double_eq_tol(members[2].done_s, 8, 1e-12);
    ck_assert(isnan(members[1].done_s));
    frs_layers_fini(&layers);
}
END_TEST

/* Client 2 has never had its download, which the others know at 2 + 3 s; client 0 drops out at 6.1 s, while
 * it adds up the last message. */
START_TEST(download_is_lost) {
    struct frs_peer_member members[3];
    struct frs_layers layers = three(members, false);
    layers.layers = 1;
    members[2].ready_s = INFINITY;
    members[2].dies_s = 2;
    members[0].dies_s = 6.1;
    frs_layers_play(&layers);
    ck_assert_double_eq_tol(members[1].done_s, 6.25, 1e-12);
    ck_assert_double_eq_tol(members[0].lost_s, 6.1, 1e-12);
    ck_assert_double_eq_tol(members[2].lost_s, 2, 1e-12);
    for (size_t m = 0; m < layers.n_messages; m++)
        if (layers.messages[m].message.from == 2 || layers.messages[m].message.to == 2)
            ck_assert_int_eq(layers.messages[m].message.fate, FRS_PEER_NOT_SENT);
    frs_layers_fini(&layers);
}
END_TEST

/* One connection breaks when a quarter has crossed: its receiver notices that 3 s later, its sender at once.
 */
static void lose_one(
    const void *context, uint32_t stage, uint32_t from, uint32_t to, struct frs_loss loss[2]) {
    (void)context;
    if (stage == 0 && from == 0 && to == 1)
        loss[1] = (struct frs_loss){
            .planned = true, .at_share = .25, .cause = FRS_CAUSE_CONNECTION, .after_s = INFINITY};
}

START_TEST(connection_breaks) {
    struct frs_peer_member members[3];
    struct frs_layers layers = three(members, false);
    layers.lose = lose_one;
    frs_layers_play(&layers);
    ck_assert_uint_eq(layers.n_messages, 12);
    ck_assert(!heard(&layers, 0, 0, 1) && heard(&layers, 0, 1, 0) && heard(&layers, 1, 0, 1));
    ck_assert_double_eq_tol(layers.messages[0].message.end_s, 4.5, 1e-12);
    ck_assert_double_eq_tol(layers.messages[6].message.begun_s, 7.75, 1e-12);
    frs_layers_fini(&layers);
}
END_TEST

/* .3 s to connect, .1 s of latency, 2,000 bytes at 1,000 B/s. */
START_TEST(downloads_by_hand) {
    struct frs_participation p = frs_participation_new(0);
    p.plan.down_bytes_per_s = 1000;
    p.plan.up_bytes_per_s = 500;
    p.plan.down_latency_s = .1;
    p.plan.leaves_s = INFINITY;
    p.plan.handshake.wait_s = .3;
    p.plan.down_loss = (struct frs_loss){.at_share = NAN, .after_s = INFINITY};
    p.usage.down_bytes = 2000;
    struct frs_arrival arrival = frs_arrival_of(&p, 1);
    ck_assert_double_eq_tol(arrival.at_s, 3.4, 1e-12);
    ck_assert(!arrival.lost);
    p.plan.handshake.up_bytes = 250;
    ck_assert_double_eq_tol(frs_arrival_of(&p, 1).at_s, 3.9, 1e-12);
    p.plan.handshake.up_bytes = 0;
    p.plan.down_loss.planned = true;
    p.plan.down_loss.at_share = .25;
    p.plan.down_loss.cause = FRS_CAUSE_DEVICE;
    arrival = frs_arrival_of(&p, 1);
    ck_assert(arrival.lost);
    ck_assert_int_eq(arrival.cause, FRS_CAUSE_DEVICE);
    ck_assert_double_eq_tol(arrival.at_s, 1.9, 1e-12);
    p.plan.leaves_s = 1.2;
    p.plan.leaves_cause = FRS_CAUSE_OFFLINE;
    arrival = frs_arrival_of(&p, 1);
    ck_assert_int_eq(arrival.cause, FRS_CAUSE_OFFLINE);
    ck_assert_double_eq_tol(arrival.at_s, 1.2, 1e-12);
    frs_participation_fini(&p);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("group_layers");
    TCase *tests = tcase_create("group_layers");
    tcase_add_test(tests, mesh_by_hand);
    tcase_add_test(tests, head_by_hand);
    tcase_add_test(tests, going_on_takes_time_once_a_layer);
    tcase_add_test(tests, device_is_lost);
    tcase_add_test(tests, head_is_lost);
    tcase_add_test(tests, download_is_lost);
    tcase_add_test(tests, connection_breaks);
    tcase_add_test(tests, downloads_by_hand);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
