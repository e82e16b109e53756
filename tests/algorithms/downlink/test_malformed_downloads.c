/* Messages that the server did not send: cut short, with something behind their end, or of another kind. */
#include "tests/algorithms/downlink/fixture.h"

static bool decodes(const struct run *run, const uint8_t *bytes, size_t n) {
    struct frs_buffer message = {.bytes = frs_alloc(n + !n, 1), .n = n, .capacity = n + !n};
    struct frs_tables copy = copy_tables(run->model);
    struct frs_download download;
    memcpy(message.bytes, bytes, n);
    bool ok = frs_downlink_decode(run->downlink, &message, &copy, &download);
    free_tables(&copy);
    frs_buffer_fini(&message);
    return ok;
}

static void check_refusals(struct run *run) {
    struct frs_buffer message = {0};
    frs_downlink_encode(run->downlink, 4, 0, &message);
    ck_assert(decodes(run, message.bytes, message.n));
    for (size_t n = 0; n < message.n; n++)
        ck_assert(!decodes(run, message.bytes, n));
    frs_buffer_put_u8(&message, 0);
    ck_assert(!decodes(run, message.bytes, message.n)); /* something behind the end */
    message.n--;
    for (uint8_t kind = 0; kind < 5; kind++) {
        uint8_t was = message.bytes[2];
        message.bytes[2] = kind;
        ck_assert(kind == was || !decodes(run, message.bytes, message.n));
        message.bytes[2] = was;
    }
    message.bytes[12]++; /* number of sections */
    ck_assert(!decodes(run, message.bytes, message.n));
    frs_buffer_fini(&message);
}

START_TEST(malformed_messages_are_refused) {
    struct run run = begin(&frs_learner_colr, codecs[_i], FRS_CATCHUP_REPLAY, FRS_FIRST_CONTACT_SEED);
    create(&run);
    for (uint32_t round = 0; round < 3; round++) {
        frs_downlink_open(run.downlink, round);
        train_and_publish(&run, (const uint32_t[]){0, 1}, 2, round);
    }
    check_refusals(&run);
    struct frs_buffer message = {0};
    frs_downlink_encode(run.downlink, 4, 0, &message);
    message.bytes[FRS_MESSAGE_HEADER_BYTES]++; /* a gap between the first update and the second */
    ck_assert(!decodes(&run, message.bytes, message.n));
    frs_buffer_fini(&message);
    end(&run);
}
END_TEST

/* Updates mean nothing to a method that sends state; neither does a message of updates that is empty. */
START_TEST(malformed_states_are_refused) {
    struct run run = begin(&frs_learner_fedmf, codecs[_i], FRS_CATCHUP_FULL, FRS_FIRST_CONTACT_TABLE);
    create(&run);
    frs_downlink_open(run.downlink, 0);
    check_refusals(&run);
    struct frs_buffer message = {0};
    frs_message_put_header(
        &message, &(struct frs_message_header){.kind = FRS_MESSAGE_UPDATES, .n_sections = 1});
    frs_buffer_put_u32(&message, 0);
    frs_buffer_put_u64(&message, 0);
    ck_assert(!decodes(&run, message.bytes, message.n));
    frs_buffer_fini(&message);
    end(&run);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("malformed downloads");
    TCase *tests = tcase_create("malformed downloads");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, malformed_messages_are_refused, 0, 3);
    tcase_add_loop_test(tests, malformed_states_are_refused, 0, 3);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
