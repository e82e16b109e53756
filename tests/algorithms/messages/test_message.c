/* Headers of messages byte by byte, and which of them are refused. */
#include "algorithms/messages/message.h"
#include "tests/algorithms/fixture.h"

extern const struct frs_codec frs_codec_dense, frs_codec_touched_rows;

/* magic "FR" · kind · no report · round · party · count · round seed, little-endian */
static const uint8_t upload_bytes[] = {'F', 'R', 3, 0, 0x04, 0x03, 0x02, 0x01, 0x08, 0x07, 0x06, 0x05, 0x0c,
    0x0b, 0x0a, 0x09, 0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11};

START_TEST(header_byte_by_byte) {
    struct frs_message_header header = {.kind = FRS_MESSAGE_UPLOAD,
        .n_sections = 1,
        .round = 0x01020304,
        .sender = 0x05060708,
        .samples = 0x090a0b0c,
        .round_seed = 0x1112131415161718};
    struct frs_buffer out = {0};
    frs_message_put_header(&out, &header);
    ck_assert_uint_eq(out.n, FRS_MESSAGE_HEADER_BYTES);
    ck_assert_uint_eq(sizeof upload_bytes, FRS_MESSAGE_HEADER_BYTES);
    ck_assert_mem_eq(out.bytes, upload_bytes, sizeof upload_bytes);
    frs_buffer_fini(&out);
}
END_TEST

START_TEST(headers_round_trip) {
    static const struct frs_message_header headers[] = {
        {.kind = FRS_MESSAGE_STATE, .n_sections = 1, .round = 7, .budget = 31, .round_seed = UINT64_MAX},
        {.kind = FRS_MESSAGE_UPDATES, .n_sections = 12, .round = UINT32_MAX, .round_seed = 1},
        {.kind = FRS_MESSAGE_UPLOAD, .n_sections = 1, .sender = 999999, .samples = UINT32_MAX},
        {.kind = FRS_MESSAGE_UPLOAD, .n_sections = 1, .sender = 2, .reports = true, .loss = 0.6875f}};
    for (size_t i = 0; i < 4; i++) {
        struct frs_buffer out = {0};
        struct frs_message_header read;
        frs_message_put_header(&out, &headers[i]);
        struct frs_reader in = frs_reader_init(out.bytes, out.n);
        ck_assert(frs_message_header(&in, &read));
        ck_assert_uint_eq(read.kind, headers[i].kind);
        ck_assert_uint_eq(read.n_sections, headers[i].n_sections);
        ck_assert_uint_eq(read.round, headers[i].round);
        ck_assert_uint_eq(read.sender, headers[i].sender);
        ck_assert_uint_eq(read.budget, headers[i].budget);
        ck_assert_uint_eq(read.samples, headers[i].samples);
        ck_assert_uint_eq(read.round_seed, headers[i].round_seed);
        ck_assert_int_eq(read.reports, headers[i].reports);
        ck_assert(read.loss == headers[i].loss);
        ck_assert_uint_eq(in.n, FRS_MESSAGE_HEADER_BYTES + 4 * headers[i].reports);
        ck_assert_uint_eq(in.at, in.n);
        frs_buffer_fini(&out);
    }
}
END_TEST

static bool is_refused(const uint8_t *bytes, size_t n) {
    struct frs_reader in = frs_reader_init(bytes, n);
    struct frs_message_header header;
    return !frs_message_header(&in, &header);
}

START_TEST(headers_of_others_are_refused) {
    static const struct {
        size_t at;
        uint8_t value;
    } wrong[] = {{0, 'f'}, {1, 0}, {2, 0}, {2, 4}, {2, 255}, {3, 1}, {3, 2}};
    uint8_t bytes[sizeof upload_bytes];
    ck_assert(!is_refused(upload_bytes, sizeof upload_bytes));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(bytes, upload_bytes, sizeof bytes);
        bytes[wrong[i].at] = wrong[i].value;
        ck_assert(is_refused(bytes, sizeof bytes));
    }
    for (size_t n = 0; n < sizeof upload_bytes; n++)
        ck_assert(is_refused(upload_bytes, n));
}
END_TEST

/* Two parts of different shapes, one of them a state against a base, one an update of a single row. */
START_TEST(parts_round_trip) {
    static const struct frs_part shapes[] = {{"items", 3, 2}, {"head", 4, 1}};
    static float base[] = {1, 2, 3, 4, 5, 6}, nothing[4];
    static const struct frs_tables bases = {.part = {base, nothing}};
    static const float item_values[] = {9, 4}, head_values[] = {7, 8, 0, 9};
    static const uint32_t item_ids[] = {1};
    struct frs_rows parts[] = {{.n_rows = 3, .dim = 2, .n = 1, .ids = item_ids, .values = item_values},
        {.n_rows = 4, .dim = 1, .n = 4, .values = head_values}};
    const struct frs_codec_choice codecs[] = {
        {.codec = &frs_codec_dense}, {.codec = &frs_codec_touched_rows}};
    for (size_t c = 0; c < 2; c++) {
        struct frs_buffer out = {0};
        struct frs_arena arena = {0};
        struct frs_rows read[2];
        size_t nominal =
            frs_message_put_parts(&out, &codecs[c], parts, 2, &bases, (struct frs_encoding){.arena = &arena});
        if (c == 0)
            ck_assert_uint_eq(nominal, 4 * 6 + 4 * 4);
        struct frs_reader in = frs_reader_init(out.bytes, out.n);
        ck_assert(frs_message_parts(&in, &codecs[c], shapes, 2, &bases, &arena, read));
        ck_assert_uint_eq(in.at, in.n);
        ck_assert_uint_eq(read[0].n, 1);
        ck_assert_uint_eq(read[0].ids[0], 1);
        ck_assert_mem_eq(read[0].values, item_values, sizeof item_values);
        ck_assert_uint_eq(read[1].n, 3); /* row 2 is as in the base */
        ck_assert_mem_eq(read[1].values, ((const float[]){7, 8, 9}), 3 * sizeof(float));
        for (size_t n = 0; n < out.n; n++) {
            in = frs_reader_init(out.bytes, n);
            ck_assert(!frs_message_parts(&in, &codecs[c], shapes, 2, &bases, &arena, read));
        }
        frs_arena_fini(&arena);
        frs_buffer_fini(&out);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("message");
    TCase *tests = tcase_create("message");
    tcase_add_test(tests, header_byte_by_byte);
    tcase_add_test(tests, headers_round_trip);
    tcase_add_test(tests, headers_of_others_are_refused);
    tcase_add_test(tests, parts_round_trip);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
