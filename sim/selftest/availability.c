/* Contract of availability models: answers depend on seed, client and time alone, and the times of changes
 * are exact. */
#include "platforms/availability/availability.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/selftest/draws.h"
#include "sim/selftest/entry.h"
#include "sim/selftest/kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AVAILABILITY_H "platforms/availability/model.h, "
#define DAY_S 86400.0

enum {
    CLIENTS = 8,
    FEW = 10,
    MANY = 1000000,
    MOST_CHANGES = FRS_CASES(20000),
    QUESTIONS = FRS_CASES(300),
    ROUNDS = 2500
};

/* What a model that goes by a file is given: sessions, with the states of devices where it has some. */
static const char sessions[] = "0,0,100\n0,5000,90000\n1,10,20\n1,3600,7200\n2,86000,86400\n2,0,50\n5,1,2\n";

/* Settings besides the defaults under which models of ours are checked. */
static const struct example {
    const char *model;
    double horizon_s;
    const char *settings[12];
} examples[] = {
    {"markov", 20 * DAY_S, {"on", "20 min", "off", "2 h"}},
    {"markov", 300 * DAY_S, {"on", "10 s", "off", "1 d"}},
    {"markov", 30 * DAY_S, {"on", "1 d", "off", "1 ms"}},
    {"diurnal", 20 * DAY_S,
        {"curve", "0,0,0,0.1,0.9,1,1,1,0.5,0.2,0,0,0,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.01", "session",
            "2 h", "propensity", "fedscale", "time_zones", "5 h", "start", "23 h"}},
    {"bernoulli", DAY_S, {"p", "0.3", "dynamics", "interleaved_sine", "dynamics_period", "20 rounds"}},
    {"trace", 30 * DAY_S, {"clients", "cycle", "period", "1.5 d"}},
};

struct subject {
    struct frs_check *check;
    const struct frs_availability_model *model;
    const char *const *settings;
    double horizon_s;
};

/* A state of the model, for these clients; with a file where it refuses to be without one. */
static void *begin(const struct subject *s, uint32_t n_clients, uint64_t seed) {
    const struct frs_plugin *plugin = &s->model->plugin;
    void *state = NULL;
    for (int with_file = 0; with_file < 2; with_file++) {
        const char *settings[16] = {NULL};
        size_t n = 0;
        for (; s->settings && s->settings[n]; n++)
            settings[n] = s->settings[n];
        char *path = with_file ? frs_trial_file(s->check, sessions) : NULL;
        if (path) {
            settings[n++] = "file";
            settings[n++] = path;
        }
        struct frs_values values = frs_trial_values(s->check, plugin, settings);
        struct frs_errors errors = {0};
        bool good = s->model->create(&values, n_clients, seed, &state, &errors);
        frs_clause(s->check, AVAILABILITY_H "create", "create is true, or adds errors and leaves no state");
        FRS_HOLDS(s->check, good == (errors.n == 0) && (good || !state),
            "it is %s after %zu errors, and there is %s state", good ? "true" : "false", errors.n,
            state ? "a" : "no");
        if (path)
            unlink(path);
        if (!good && (with_file || !frs_has_key(plugin, "file")))
            frs_check_impossible(s->check, "its settings are refused: %s", errors.lines[0]);
        frs_errors_clear(&errors);
        frs_values_fini(&values);
        free(path);
        if (good)
            break;
    }
    return state;
}

static void end(const struct subject *s, void *state) {
    if (s->model->destroy)
        s->model->destroy(state);
}

static bool ask(const struct subject *s, const void *state, uint32_t client, double t_s, double *until_s) {
    bool online = s->model->at(state, client, 0, 0, t_s, until_s);
    frs_clause(s->check, AVAILABILITY_H "at", "the time of the next change is later than the time asked for");
    FRS_HOLDS(s->check, *until_s > t_s, "client %u at %.17g s: %.17g s", client, t_s, *until_s);
    return online;
}

/* The times at which the client changes, found by following `until`; *online: the state at 0. */
static size_t walk(const struct subject *s, const void *state, uint32_t client, bool *online, double *times) {
    size_t n = 0;
    double t_s = 0, until_s;
    bool now = *online = ask(s, state, client, 0, &until_s);
    while (until_s <= s->horizon_s && n < MOST_CHANGES) {
        t_s = until_s;
        bool then = ask(s, state, client, t_s, &until_s);
        frs_clause(
            s->check, AVAILABILITY_H "at", "at the time of the next change the answer is the other one");
        FRS_HOLDS(s->check, then != now, "client %u is %s before and after %.17g s", client,
            now ? "online" : "offline", t_s);
        now = then;
        times[n++] = t_s;
    }
    return n;
}

/* A client's changes, as the walk has found them. */
struct walked {
    uint32_t client;
    bool first; /* the state at 0 */
    size_t n;
    double *times; /* [n] */
    double covered_s;
};

/* A time of a question: any, that of a change, or right before it. */
static double draw_time(struct frs_rng *rng, const struct walked *walked, int question) {
    if (walked->n == 0 || question % 3 != 0)
        return walked->covered_s * frs_rng_unit(rng);
    double t_s = walked->times[frs_rng_below(rng, (uint32_t)walked->n)];
    return question % 2 ? t_s : nextafter(t_s, 0);
}

static const char *state_name(bool online) {
    return online ? "online" : "offline";
}

/* The answer of another model at this time is that of the walk. */
static void check_answer(const struct subject *s, const void *many, const struct walked *walked, double t_s) {
    size_t passed = 0;
    double until_s;
    while (passed < walked->n && walked->times[passed] <= t_s)
        passed++;
    bool is_last = passed == walked->n, expected = walked->first != (passed % 2 == 1),
         online = s->model->at(many, walked->client, 5, 2, t_s, &until_s);
    double change_s = is_last ? until_s : walked->times[passed];
    frs_clause(s->check, AVAILABILITY_H "at",
        "the answer follows from seed, client and time alone: not from other clients, other questions, round "
        "or attempt");
    FRS_HOLDS(s->check, online == expected, "client %u at %.17g s is %s, and was %s", walked->client, t_s,
        state_name(online), state_name(expected));
    FRS_HOLDS(s->check, until_s == change_s && until_s > t_s,
        "client %u at %.17g s changes at %.17g s, and at %.17g s", walked->client, t_s, until_s, change_s);
}

/* The model is asked in any order, for another number of clients, and after questions about other clients.
 * The answers have to be those of the walk, and have to be right just before and at every change. */
static void answers_do_not_depend_on_questions(const struct subject *s) {
    struct frs_rng rng = frs_check_rng(1);
    struct walked walked = {.times = frs_alloc(MOST_CHANGES, sizeof(double))};
    void *few = begin(s, FEW, 7), *many = begin(s, MANY, 7);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        walked.client = client;
        walked.n = walk(s, few, client, &walked.first, walked.times);
        walked.covered_s = walked.n == MOST_CHANGES ? walked.times[walked.n - 1] : s->horizon_s;
        for (int question = 0; question < QUESTIONS; question++) {
            double t_s = draw_time(&rng, &walked, question), ignored_s;
            s->model->at(many, frs_rng_below(&rng, 100), 0, 0, t_s / 2, &ignored_s);
            check_answer(s, many, &walked, t_s);
        }
    }
    end(s, few);
    end(s, many);
    free(walked.times);
}

/* A model that answers per attempt. */
static void attempts_are_draws(const struct subject *s) {
    void *a = begin(s, FEW, 7), *b = begin(s, MANY, 7);
    double retry_s = s->model->retry_s(a), until_s, ignored_s;
    frs_clause(s->check, AVAILABILITY_H "retry_s", "the next attempt comes later");
    FRS_HOLDS(s->check, retry_s > 0, "after %g s", retry_s);
    for (uint32_t i = 0; i < 400; i++) {
        uint32_t client = i % CLIENTS, round = i / CLIENTS, attempt = i % 3;
        bool online = s->model->at(a, client, round, attempt, 100, &until_s);
        frs_clause(
            s->check, AVAILABILITY_H "retry_s", "a model that answers per attempt never changes within one");
        FRS_HOLDS(s->check, isinf(until_s), "client %u changes at %g s", client, until_s);
        frs_clause(
            s->check, AVAILABILITY_H "at", "the answer follows from seed, client, round and attempt alone");
        FRS_HOLDS(s->check, s->model->at(b, client, round, attempt, 1e6, &ignored_s) == online,
            "client %u in attempt %u of round %u is %s, and is not", client, attempt, round,
            online ? "online" : "offline");
    }
    end(s, a);
    end(s, b);
}

/* What a model of attempts knows of a round beforehand is what its answers are drawn by. Two clients, so that
 * the shares are of 2500 draws each; no share of so many is 5 standard deviations off by chance. */
static void rounds_are_known(const struct subject *s, const void *state) {
    for (uint32_t client = 0; client < 2; client++) {
        double expected = 0, variance = 0, answers = 0, until_s;
        bool known = s->model->probability != NULL;
        for (uint32_t round = 0; round < ROUNDS; round++) {
            bool never = s->model->never && s->model->never(state, client, round),
                 online = s->model->at(state, client, round, round % 3, 100, &until_s);
            double p = s->model->probability ? s->model->probability(state, client, round) : NAN;
            frs_clause(
                s->check, AVAILABILITY_H "never", "a client that never answers in a round is offline in it");
            FRS_HOLDS(s->check, !never || !online, "client %u is online in round %u", client, round);
            frs_clause(s->check, AVAILABILITY_H "probability", "it is between 0 and 1, or not known");
            FRS_HOLDS(
                s->check, isnan(p) || (p >= 0 && p <= 1), "%g of client %u in round %u", p, client, round);
            frs_clause(
                s->check, AVAILABILITY_H "probability", "a client whose probability is 0 never answers");
            FRS_HOLDS(s->check, !s->model->never || isnan(p) || never == !(p > 0),
                "%g of client %u in round %u, which %s", p, client, round,
                never ? "never answers" : "may answer");
            known = known && !isnan(p);
            expected += p;
            variance += p * (1 - p);
            answers += online;
        }
        frs_clause(s->check, AVAILABILITY_H "probability", "clients answer with it");
        FRS_HOLDS(s->check, !known || fabs(answers - expected) <= 5 * sqrt(variance),
            "client %u answers in %g of %d rounds, and %g are expected", client, answers, ROUNDS, expected);
    }
}

/* The share of the time, or of rounds, in which the client is online. */
static double share_online(const struct subject *s, const void *state, uint32_t client) {
    double online = 0, until_s;
    for (uint32_t i = 0; i < ROUNDS; i++)
        online += s->model->at(state, client, i, 0, i * 3600.0, &until_s);
    return online / ROUNDS;
}

/* Ten clients in the reverse order of their numbers. */
static void places_decide(const struct subject *s) {
    static const uint32_t place[FEW] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    static const char *const settings[] = {"follows", "taste", NULL};
    struct subject followed = *s;
    followed.settings = settings;
    frs_clause(s->check, AVAILABILITY_H "follow",
        "clients differ by what the key `follows` says, which the model has");
    FRS_HOLDS(s->check, frs_has_key(&s->model->plugin, "follows"), "it has no such key");
    void *state = begin(&followed, FEW, 7);
    s->model->follow(state, place, FEW);
    if (s->model->retry_s)
        rounds_are_known(s, state);
    double most = share_online(s, state, 0), least = share_online(s, state, 9);
    frs_clause(s->check, AVAILABILITY_H "follow", "the client at place 0 is online least");
    FRS_HOLDS(s->check, least < most,
        "it is online for %g of the time, and the client at the last place for %g", least, most);
    end(s, state);
}

/* ---- states of devices ------------------------------------------------------------------------ */

static void devices_agree(const struct subject *s) {
    static const struct frs_eligible rules[] = {{0}, {.wifi = true}, {.charging = true, .idle = true}};
    struct frs_rng rng = frs_check_rng(2);
    void *state = begin(s, FEW, 7);
    for (size_t r = 0; s->model->device && r < sizeof rules / sizeof *rules; r++) {
        if (s->model->require)
            s->model->require(state, &rules[r]);
        for (int question = 0; question < QUESTIONS; question++) {
            uint32_t client = frs_rng_below(&rng, CLIENTS);
            double t_s = 7 * DAY_S * frs_rng_unit(&rng), until_s;
            struct frs_device_state device = s->model->device(state, client, t_s);
            bool online = ask(s, state, client, t_s, &until_s);
            frs_clause(s->check, AVAILABILITY_H "device",
                "the parts of a device's state change later than the time asked for");
            FRS_HOLDS(s->check,
                device.link_until_s > t_s && device.charging_until_s > t_s && device.in_use_until_s > t_s,
                "client %u at %.17g s: %.17g, %.17g and %.17g s", client, t_s, device.link_until_s,
                device.charging_until_s, device.in_use_until_s);
            frs_clause(s->check, AVAILABILITY_H "require",
                "a client is online in the states that are required, and in no others");
            FRS_HOLDS(s->check, !s->model->require || online == frs_is_eligible(&device, &rules[r]),
                "client %u at %.17g s is %s with link %d, charging %d, in use %d", client, t_s,
                online ? "online" : "offline", (int)device.link, device.charging, device.in_use);
        }
    }
    end(s, state);
}

static void clocks_and_days(const struct subject *s) {
    void *state = begin(s, FEW, 7);
    uint32_t clients[CLIENTS];
    for (uint32_t client = 0; client < CLIENTS; client++) {
        clients[client] = client;
        double clock_s = s->model->clock_s ? s->model->clock_s(state, client) : 0;
        frs_clause(s->check, AVAILABILITY_H "clock_s", "a clock shows a time after a midnight");
        FRS_HOLDS(s->check, clock_s >= 0 && isfinite(clock_s), "%g s of client %u", clock_s, client);
    }
    if (s->model->average_day) {
        struct frs_average_day day = {0};
        s->model->average_day(state, clients, CLIENTS, &day);
        double most = frs_average_day_most(&day);
        frs_clause(s->check, AVAILABILITY_H "average_day",
            "on an average day no more clients are online than there are");
        FRS_HOLDS(s->check, most >= 0 && most <= CLIENTS * (1 + 1e-9), "%g of %d", most, CLIENTS);
        frs_average_day_fini(&day);
    }
    end(s, state);
}

static void check_all(const struct subject *s) {
    if (s->model->retry_s) {
        attempts_are_draws(s);
        void *state = begin(s, FEW, 7);
        rounds_are_known(s, state);
        end(s, state);
    } else
        answers_do_not_depend_on_questions(s);
    devices_agree(s);
    clocks_and_days(s);
}

static void create_and_destroy(void *context, const struct frs_values *values) {
    const struct frs_availability_model *model = context;
    struct frs_errors errors = {0};
    void *state = NULL;
    if (model->create(values, FEW, 7, &state, &errors) && model->destroy)
        model->destroy(state);
    frs_errors_clear(&errors);
}

void frs_check_availability(struct frs_check *check, const struct frs_plugin *plugin) {
    /* The plug-in is the first member of its model. */
    const struct frs_availability_model *model = (const struct frs_availability_model *)(const void *)plugin;
    struct subject s = {.check = check, .model = model, .horizon_s = 20 * DAY_S};
    const struct frs_key_reader reader = {.where = AVAILABILITY_H "create",
        .read = create_and_destroy,
        .file = sessions,
        .context = (void *)(uintptr_t)model};
    frs_check_keys(check, plugin, &reader);
    check_all(&s);
    if (model->follow)
        places_decide(&s);
    for (size_t e = 0; e < sizeof examples / sizeof *examples; e++)
        if (strcmp(examples[e].model, plugin->name) == 0) {
            s.settings = examples[e].settings;
            s.horizon_s = examples[e].horizon_s;
            check_all(&s);
        }
}
