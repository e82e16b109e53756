/* Every learner under every codec, in both directions, on random shapes: the receiver uses only what it
 * decodes, a message has the size that docs/messages.md states, and one byte that is changed on the way is
 * refused or shows. Also: the ledger of a run charges exactly these bytes. */
#include "tests/contract/damage.h"

/* ---- a round --------------------------------------------------------------------------------- */

static size_t missed_bytes(const struct scene *s, size_t from) {
    size_t bytes = 24;
    for (size_t v = from; v < s->n_updates; v++)
        bytes += 12 + s->update[v].bytes;
    return bytes;
}

/* The server's tables as a message. */
static struct weight weigh_state(struct scene *s, uint32_t round) {
    const struct frs_setup *setup = &s->setup;
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_rows rows[FRS_MAX_PARTS];
    struct frs_buffer out = {0};
    struct frs_tables tables = frs_model_tables(setup->training.model);
    size_t n = frs_model_parts(setup->training.model, FRS_STATE, shapes);
    for (size_t i = 0; i < n; i++)
        rows[i] = (struct frs_rows){shapes[i].n_rows, shapes[i].dim, shapes[i].n_rows, NULL, tables.part[i]};
    struct frs_rng rng = frs_rng_stream(setup->training.seed, FRS_RNG_SERVER, round, 0, FRS_RNG_CODEC);
    struct weight weight = encode_and_weigh(s, "codec.downlink",
        setup->training.learner->sends_updates ? &(struct frs_codec_choice){.codec = frs_codecs[0]}
                                               : &setup->training.downlink_codec,
        rows, n, NULL, (struct frs_encoding){.rng = &rng, .memory = s->memory, .arena = &s->arena}, &out);
    weight.bytes += 24;
    frs_buffer_fini(&out);
    return weight;
}

/* Whether the server has tables for this client alone. */
static bool has_personal(const struct scene *s, uint32_t client) {
    return frs_model_personal(s->setup.training.model, client).part[0];
}

/* Dense, in a section of its own. */
static size_t personal_bytes(const struct scene *s, uint32_t client) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t bytes = 0;
    if (has_personal(s, client))
        for (size_t n = frs_model_parts(s->setup.training.model, FRS_PERSONAL, shapes); n-- > 0;)
            bytes += 4 * shapes[n].n_rows * shapes[n].dim;
    return bytes;
}

/* What the client's next download weighs. */
static struct weight weigh_download(struct scene *s, uint32_t client) {
    const struct frs_setup *setup = &s->setup;
    if (!setup->training.learner->sends_updates) {
        size_t more = personal_bytes(s, client);
        return (struct weight){s->state.bytes + more, s->state.nominal + more};
    }
    uint32_t version = s->version[client];
    size_t replay = missed_bytes(s, version == UINT32_MAX ? 0 : version);
    struct weight weight = {.nominal = s->n_updates ? s->update[s->n_updates - 1].nominal : 0};
    if (setup->training.catchup == FRS_CATCHUP_IDEAL && s->n_updates > 0)
        weight.bytes = missed_bytes(s, s->n_updates - 1);
    else if (setup->training.catchup == FRS_CATCHUP_FULL ||
             (version == UINT32_MAX && setup->training.first_contact == 0))
        weight.bytes = s->state.bytes;
    else
        weight.bytes = setup->training.catchup == FRS_CATCHUP_REPLAY ? replay : least(replay, s->state.bytes);
    return weight;
}

/* The client's tables are what it decodes, bit for bit those it is trained on. */
static void download(struct scene *s, uint32_t client, bool damages) {
    const struct frs_learner *learner = s->setup.training.learner;
    bool ideal = learner->sends_updates && s->setup.training.catchup == FRS_CATCHUP_IDEAL;
    struct frs_message_size size = frs_downlink_size(s->downlink, client);
    struct frs_buffer message = {0};
    struct frs_download got;
    frs_downlink_encode(s->downlink, client, 0, &message);
    ck_assert_uint_eq(message.n, size.bytes);
    if (!ideal || s->n_updates > 0) { /* before the first update ideal sends an empty one */
        struct weight weight = weigh_download(s, client);
        ck_assert_msg(size.bytes == weight.bytes, "a download of %zu instead of %zu bytes:\n%s", size.bytes,
            weight.bytes, s->text);
        if (!learner->sends_updates || s->n_updates > 0)
            ck_assert_uint_eq(size.nominal_bytes, weight.nominal);
    }
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = frs_model_parts(s->setup.training.model, FRS_STATE, shapes);
    for (size_t i = 0; i < n && ideal; i++) /* which assumes that no client has missed anything */
        memcpy(s->held[client].part[i], s->before.part[i], shapes[i].n_rows * shapes[i].dim * sizeof(float));
    if (damages)
        damage_download(s, &message, &s->held[client], frs_downlink_tables(s->downlink));
    ck_assert(frs_downlink_decode(s->downlink, &message, &s->held[client], &got));
    ck_assert_int_eq(
        compare_tables(s->setup.training.model, &s->held[client], frs_downlink_tables(s->downlink)), 0);
    ck_assert_uint_eq(got.header.round_seed, frs_downlink_round_seed(s->downlink));
    frs_downlink_received(s->downlink, client, frs_downlink_current(s->downlink));
    s->version[client] = frs_downlink_current(s->downlink);
    frs_buffer_fini(&message);
}

/* The server aggregates what is decoded from the client's bytes, and their number is that of the formulas. */
static void upload(struct scene *s, struct frs_client_update *work, bool damages) {
    const struct frs_setup *setup = &s->setup;
    const struct frs_tables *tables = &s->held[work->client];
    uint64_t round_seed = frs_downlink_round_seed(s->downlink);
    struct frs_tables own = {{0}};
    struct frs_part state[FRS_MAX_PARTS];
    size_t n_state = frs_model_parts(setup->training.model, FRS_STATE, state);
    for (size_t i = n_state; i < FRS_MAX_PARTS && has_personal(s, work->client); i++)
        own.part[i - n_state] = tables->part[i];
    struct frs_tables joined = frs_learner_join(setup->training.model, tables, &own);
    struct frs_training training = {.data = &setup->training.data->population.clients[work->client],
        .tables = &joined,
        .round_seed = round_seed,
        .round = work->round,
        .budget = setup->training.learner->budgets ? work->budget : 0};
    struct frs_trained trained;
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_rows parts[FRS_MAX_PARTS];
    struct frs_buffer message = {0};
    const struct frs_tables *bases = setup->training.learner->uploads_updates ? NULL : tables;
    size_t n = frs_learner_upload_parts(setup->training.learner, setup->training.model, work->budget, shapes);
    const struct frs_client_update_order order = {
        .tables = tables, .personal = &own, .round_seed = round_seed, .sends = true, .feedback = s->feedback};
    frs_client_update_run(work, &setup->training, &order, &s->bench);
    frs_learner_train(setup->training.learner, setup->training.model, &training, &s->arena, &trained);
    if (s->feedback)
        frs_feedback_add(s->feedback, work->client, trained.upload, &s->arena);
    frs_message_put_header(&message, &(struct frs_message_header){.kind = FRS_MESSAGE_UPLOAD,
                                         .round = work->round,
                                         .sender = work->client,
                                         .samples = trained.samples,
                                         .round_seed = round_seed,
                                         .reports = setup->selection->uses_loss,
                                         .loss = setup->selection->uses_loss ? (float)trained.loss : 0});
    struct frs_rng rng = frs_rng_stream(setup->training.seed, work->client, work->round, 0, FRS_RNG_CODEC);
    struct weight weight = encode_and_weigh(s, "codec.uplink", &setup->training.uplink_codec, trained.upload,
        n, bases,
        (struct frs_encoding){
            .budget = setup->training.learner->budgets ? 0 : work->budget, .rng = &rng, .arena = &s->arena},
        &message);
    ck_assert_uint_eq(work->usage.up_bytes, 24 + 4 * setup->selection->uses_loss + weight.bytes);
    ck_assert_uint_eq(work->usage.up_bytes, message.n);
    ck_assert_uint_eq(work->usage.nominal_up_bytes, weight.nominal);
    struct frs_message_header header;
    ck_assert(frs_message_upload(
        &message, &setup->training.uplink_codec, shapes, n, bases, &s->arena, &header, parts));
    ck_assert_uint_eq(header.sender, work->client);
    ck_assert(are_same(parts, work->contribution.parts, n));
    if (s->feedback)
        frs_feedback_commit(s->feedback, work->client, &work->residual);
    if (damages)
        damage_upload(s, &message, shapes, n);
    frs_buffer_fini(&message);
}

/* The update that goes out: what was aggregated, and under error feedback what was left out so far. */
static void publish(struct scene *s, struct frs_rows *update) {
    const struct frs_setup *setup = &s->setup;
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_rows sent[FRS_MAX_PARTS], decoded[FRS_MAX_PARTS];
    size_t n = frs_model_parts(setup->training.model, FRS_UPDATE, shapes);
    for (size_t i = 0; i < n; i++) {
        sent[i] = update[i];
        if (!setup->training.downlink_feedback)
            continue;
        frs_rows_add_to(&update[i], s->residual.part[i]);
        sent[i] =
            (struct frs_rows){shapes[i].n_rows, shapes[i].dim, shapes[i].n_rows, NULL, s->residual.part[i]};
    }
    struct frs_buffer message = {0};
    struct frs_rng rng =
        frs_rng_stream(setup->training.seed, FRS_RNG_SERVER, (uint32_t)s->n_updates, 0, FRS_RNG_CODEC);
    s->update[s->n_updates++] = encode_and_weigh(s, "codec.downlink", &setup->training.downlink_codec, sent,
        n, NULL, (struct frs_encoding){.rng = &rng, .memory = s->memory, .arena = &s->arena}, &message);
    struct frs_reader in = frs_reader_init(message.bytes, message.n);
    ck_assert(frs_message_parts(&in, &setup->training.downlink_codec, shapes, n, NULL, &s->arena, decoded));
    for (size_t i = 0; i < n && setup->training.downlink_feedback; i++)
        for (size_t r = 0; r < decoded[i].n; r++)
            for (size_t k = 0; k < shapes[i].dim; k++)
                s->residual.part[i][(decoded[i].ids ? decoded[i].ids[r] : r) * shapes[i].dim + k] -=
                    decoded[i].values[r * shapes[i].dim + k];
    frs_buffer_fini(&message);
}

/* Aggregates n = COHORT uploads, or 0 where clients send nothing. */
static void aggregate(struct scene *s, size_t n) {
    const struct frs_setup *setup = &s->setup;
    struct frs_contribution contributions[COHORT];
    struct frs_rows update[FRS_MAX_PARTS];
    struct frs_arena arena = {0};
    for (size_t i = 0; i < COHORT; i++) {
        frs_model_commit(
            setup->training.model, s->works[i].client, s->works[i].private_state, s->works[i].private_bytes);
        contributions[i] = s->works[i].contribution;
    }
    if (n == 0)
        return;
    struct frs_tables before = copy_tables(setup->training.model);
    setup->training.learner->aggregate(setup->training.model, contributions, n, &arena, update);
    if (setup->training.learner->sends_updates) {
        publish(s, update);
        struct frs_rows decoded[FRS_MAX_PARTS];
        frs_downlink_publish(
            s->downlink, frs_downlink_round_seed(s->downlink), update, false, &arena, decoded);
    }
    free_tables(&s->before);
    s->before = before;
    frs_arena_fini(&arena);
}

/* A round in which clients receive nothing, or send nothing. */
static void step(struct scene *s, struct frs_client_update *work, struct frs_course course) {
    const struct frs_client_update_order order = {.tables = course.receives ? &s->held[work->client] : NULL,
        .round_seed = frs_downlink_round_seed(s->downlink),
        .sends = course.sends};
    frs_client_update_run(work, &s->setup.training, &order, &s->bench);
    if (!course.sends)
        ck_assert_uint_eq(work->usage.up_bytes, 0);
}

static bool is_among(const uint32_t *clients, uint32_t client) {
    for (size_t i = 0; i < COHORT; i++)
        if (clients[i] == client)
            return true;
    return false;
}

/* Who was not called may make its step without the server, and send it another time. */
static void step_alone(struct scene *s, uint32_t round, const uint32_t *clients) {
    const struct frs_setup *setup = &s->setup;
    if (!frs_learner_steps_alone(setup->training.learner, setup->training.model, round))
        return;
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_client_update work = {.client = client, .round = round};
        if (is_among(clients, client))
            continue;
        frs_client_update_run(&work, &setup->training, &(struct frs_client_update_order){0}, &s->bench);
        frs_model_commit(setup->training.model, client, work.private_state, work.private_bytes);
        frs_client_update_fini(&work);
    }
}

/* One round of these clients, ascending, under these budgets. */
static void play_round(struct scene *s, uint32_t round, const uint32_t *clients, const uint32_t *budgets) {
    const struct frs_learner *learner = s->setup.training.learner;
    struct frs_course course = frs_learner_course(learner, s->setup.training.model, round);
    frs_arena_reset(&s->arena);
    if (course.receives) {
        s->state = weigh_state(s, round);
        open_downlink(s, round);
    }
    for (size_t i = 0; i < COHORT; i++) {
        struct frs_client_update *work = &s->works[i];
        bool damages = round + 1 == ROUNDS && i == 0;
        work->client = clients[i];
        work->round = round;
        work->budget = budgets[i];
        s->down_bytes[i] = course.receives ? frs_downlink_size(s->downlink, clients[i]).bytes : 0;
        if (course.receives)
            download(s, clients[i], damages);
        if (i == 0 && course.receives)
            frs_learner_broadcast(learner, s->setup.training.model, round, &s->held[clients[i]]);
        frs_model_receive(s->setup.training.model, clients[i], &s->held[clients[i]], round);
        if (course.receives && course.sends)
            upload(s, work, damages);
        else
            step(s, work, course);
    }
    step_alone(s, round, clients);
    aggregate(s, course.sends ? COHORT : 0);
}

static void play(struct scene *s, struct frs_rng *rng) {
    struct frs_budgets range = frs_training_budgets(&s->setup.training);
    begin(s);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t *clients = random_subset(rng, s->setup.training.data->population.n_clients, COHORT),
                 budgets[COHORT];
        for (size_t i = 0; i < COHORT; i++)
            budgets[i] = range.max ? range.min + frs_rng_below(rng, range.max - range.min + 1) : 0;
        play_round(s, round, clients, budgets);
        free(clients);
    }
    end(s);
}

/* ---- combinations ---------------------------------------------------------------------------- */

static size_t count(const void *const *entries) {
    size_t n = 0;
    while (entries[n])
        n++;
    return n;
}

static bool has_key(const struct frs_plugin *plugin, const char *key) {
    for (const struct frs_param *p = plugin->params; p && p->key; p++)
        if (strcmp(p->key, key) == 0)
            return true;
    return false;
}

/* The settings of one direction; half of those that may make up for what they left out do. */
static char *codec_text(
    const struct frs_learner *learner, const struct frs_codec *codec, struct frs_rng *rng) {
    bool feedback = learner->updates_keep && !codec->lossless && frs_rng_below(rng, 2);
    return frs_format("{ name = \"%s\";%s }", codec->plugin.name, feedback ? " error_feedback = true;" : "");
}

static const char *const catchups[] = {"ideal", "replay", "full", "cheapest"};

static char *write_scenario(const struct frs_learner *learner, const struct frs_codec *up,
    const struct frs_codec *down, struct frs_rng *rng) {
    /* In one dimension all seeds of a projection have the same one, but for its sign. */
    unsigned dim = (has_key(&learner->plugin, "rank") ? 2 : 1) + frs_rng_below(rng, 20),
             items = 24 + frs_rng_below(rng, 60);
    char *rank = has_key(&learner->plugin, "rank") ? frs_format(" rank = %u;", 1 + frs_rng_below(rng, dim))
                                                   : frs_strdup("");
    char *length = has_key(&learner->plugin, "dim") ? frs_format(" dim = %u;", dim) : frs_strdup("");
    char *uplink = codec_text(learner, up, rng), *downlink = codec_text(learner, down, rng);
    char *text = frs_format(
        "seed = %u;\n"
        "data = { synthetic = \"custom\"; users = %u; items = %u; interactions = %u;"
        " activity_ceiling = 0.5;%s };\n"
        "method = { name = \"%s\";%s%s%s%s%s };\n"
        "codec = { uplink = %s; downlink = %s; };\n"
        "network = { preset = \"fieldguide\"; };\ndevices = { preset = \"fieldguide\"; };\n"
        "rounds = { count = %u; cohort = %u;%s };\n",
        1 + frs_rng_below(rng, 1000), CLIENTS, items, 11 * CLIENTS,
        learner->predicts_ratings ? " feedback = \"explicit\";" : " }; evaluation = { negatives = 5;",
        learner->plugin.name, length, rank, learner->sends_updates ? " catchup = \"" : "",
        learner->sends_updates ? catchups[frs_rng_below(rng, 4)] : "", learner->sends_updates ? "\";" : "",
        uplink, downlink, ROUNDS, COHORT, frs_rng_below(rng, 4) ? "" : " selection = \"utility\";");
    free(uplink);
    free(downlink);
    free(rank);
    free(length);
    return text;
}

/* Learner _i under every codec, up and down. What goes together is played, the rest has to be refused. */
START_TEST(every_codec_is_played_or_refused) {
    const struct frs_learner *learner = frs_learners[_i];
    struct frs_rng rng = test_rng(510 + (uint32_t)_i);
    size_t played = 0;
    for (size_t c = 0; frs_codecs[c]; c++)
        for (int up = 0; up < 2; up++) {
            struct scene scene;
            const struct frs_codec *codec = frs_codecs[c], *dense = frs_codecs[0];
            if (!try_compose(&scene, write_scenario(learner, up ? codec : dense, up ? dense : codec, &rng)))
                continue;
            play(&scene, &rng);
            played++;
        }
    ck_assert_uint_ge(played, 2);
}
END_TEST

/* The clients of a round, and what the ledger charged them, in ascending order. */
static void sort_events(struct event *events, size_t n) {
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && events[j].client < events[j - 1].client; j--) {
            struct event event = events[j];
            events[j] = events[j - 1];
            events[j - 1] = event;
        }
}

/* A run of the program charges these bytes: its rounds are played once more here. */
static void check_ledger(struct scene *s) {
    uint32_t clients[COHORT], budgets[COHORT];
    struct event events[COHORT];
    run_scenario("s.cfg", "out", "--force");
    FILE *file = folder_open("out/events.ndjson", "r");
    begin(s);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < COHORT; i++)
            ck_assert(next_event(file, &events[i]) && events[i].round == round + 1);
        sort_events(events, COHORT);
        for (size_t i = 0; i < COHORT; i++) {
            clients[i] = events[i].client;
            budgets[i] = frs_training_budgets(&s->setup.training).max;
        }
        play_round(s, round, clients, budgets);
        for (size_t i = 0; i < COHORT; i++) {
            ck_assert_double_eq(events[i].down_bytes, (double)s->down_bytes[i]);
            ck_assert_double_eq(events[i].up_bytes, (double)s->works[i].usage.up_bytes);
        }
    }
    fclose(file);
    end(s);
}

enum { LEDGERS = 1 + FRS_TEST_CASES(1) };

START_TEST(the_ledger_charges_them) {
    size_t n_codecs = count((const void *const *)frs_codecs);
    struct frs_rng rng = test_rng(540 + (uint32_t)_i);
    for (size_t tries = 0, played = 0; played < LEDGERS; tries++) {
        struct scene scene;
        ck_assert_uint_lt(tries, 100);
        const struct frs_codec *up = frs_codecs[frs_rng_below(&rng, (uint32_t)n_codecs)],
                               *down = frs_codecs[frs_rng_below(&rng, (uint32_t)n_codecs)];
        if (!try_compose(&scene, write_scenario(frs_learners[_i], up, down, &rng)))
            continue;
        check_ledger(&scene);
        played++;
    }
}
END_TEST

/* What is not payload must not show in the papers' figures. */
START_TEST(headers_are_small) {
    struct frs_buffer message = {0};
    frs_message_put_header(
        &message, &(struct frs_message_header){.kind = FRS_MESSAGE_UPDATES, .n_sections = 1});
    ck_assert_uint_eq(message.n, 24);
    ck_assert_uint_eq(FRS_MESSAGE_HEADER_BYTES, 24);
    ck_assert_uint_lt(FRS_MESSAGE_HEADER_BYTES + FRS_MESSAGE_UPDATE_HEADER_BYTES, 98);
    frs_buffer_fini(&message);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("messages");
    TCase *tests = tcase_create("messages");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(
        tests, every_codec_is_played_or_refused, 0, (int)count((const void *const *)frs_learners));
    tcase_add_loop_test(tests, the_ledger_charges_them, 0, (int)count((const void *const *)frs_learners));
    tcase_add_test(tests, headers_are_small);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
