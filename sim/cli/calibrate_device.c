#include "sim/cli/calibrate_device.h"
#include "algorithms/codec.h"
#include "algorithms/learner.h"
#include "analysis/calibration/calibrate.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/base/quoting.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/setup/measure_device.h"
#include "sim/setup/compose/compose.h"
#include "sim/setup/dataset_cache.h"
#include "sim/scenario/scenario.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLIENTS = 40, PASSES = 15, MOST_CASES = 6, MOST_SETS = 12 };
static const int dims[] = {16, 32, 64};
/* A method that trains in smaller batches than usual takes more steps for the same operations. It is
 * reported, but not fitted. */
enum { OTHER_BATCH = 64 };
enum { CODEC_ROWS = 1682 }; /* ml-100k's items */

/* A method with its settings. */
struct one_case {
    int dim, batch; /* 0: the method has no such key, or its default */
    bool fitted;
    struct frs_measured measured;
};

struct method {
    const char *name;
    struct one_case cases[MOST_CASES];
    size_t n;
    struct frs_compute_distribution distribution;
    /* Absolute errors. `before`: the median over the fitted cases with one speed for all methods. `after`,
     * `worst`: the median and the largest with the method's own distribution. `other`: the median over the
     * cases with the other batch, NaN without any. */
    double before, after, worst, other;
};

static bool measure_case(const struct frs_learner *learner, struct one_case *one, struct frs_errors *errors) {
    char *method = frs_format("method.name=%s", learner->plugin.name),
         *dim = frs_format("method.dim=%d", one->dim), *batch = frs_format("method.batch=%d", one->batch);
    /* Links and speed have to be there, and do nothing. */
    const char *sets[MOST_SETS] = {"data.synthetic=ml-100k", "network.downlink.value=1 Mbit/s",
        "network.uplink.value=1 Mbit/s", "network.latency.value=0 s", "devices.speed.value=1 Gflop/s", method,
        learner->predicts_ratings ? "data.feedback=explicit" : "data.feedback=implicit"};
    size_t n = 7;
    if (learner->predicts_ratings)
        sets[n++] = "data.split=ratio";
    if (one->dim > 0)
        sets[n++] = dim;
    if (one->batch > 0)
        sets[n++] = batch;
    struct frs_setting settings[MOST_SETS];
    char keys[MOST_SETS][64];
    for (size_t i = 0; i < n; i++) {
        size_t length = strcspn(sets[i], "=");
        snprintf(keys[i], sizeof keys[i], "%.*s", (int)length, sets[i]);
        settings[i] = (struct frs_setting){.key = keys[i], .text = sets[i] + length + 1};
    }
    struct frs_scenario *scenario = NULL;
    struct frs_setup setup;
    bool good =
        frs_scenario_load_settings(frs_sections, "device", settings, n, &scenario, errors) == FRS_OK &&
        frs_compose(scenario, &setup, errors) == FRS_OK;
    if (good) {
        one->measured = frs_measure_training(&setup, CLIENTS, PASSES);
        frs_setup_fini(&setup);
    }
    frs_scenario_destroy(scenario);
    free(method);
    free(dim);
    free(batch);
    return good;
}

static bool has_key(const struct frs_learner *learner, const char *key) {
    for (const struct frs_param *param = learner->plugin.params; param && param->key; param++)
        if (strcmp(param->key, key) == 0)
            return true;
    return false;
}

/* batch 0: the method's usual one, and beside it the other. */
static enum frs_status measure_method(
    const struct frs_learner *learner, int batch, struct method *method, struct frs_errors *errors) {
    bool has_dim = has_key(learner, "dim"), has_batch = has_key(learner, "batch");
    struct frs_compute_time times[MOST_CASES];
    size_t n_fitted = 0;
    method->name = learner->plugin.name;
    for (size_t b = 0; b < (has_batch && batch == 0 ? 2 : 1); b++)
        for (size_t d = 0; d < (has_dim ? 3 : 1); d++) {
            struct one_case *one = &method->cases[method->n++];
            *one = (struct one_case){.dim = has_dim ? dims[d] : 0,
                .batch = b > 0       ? OTHER_BATCH
                         : has_batch ? batch
                                     : 0,
                .fitted = b == 0};
            if (!measure_case(learner, one, errors))
                return FRS_ERR_RUN;
            if (!(one->measured.time.flop > 0) || !(one->measured.time.seconds > 0))
                return frs_errors_add(errors, FRS_ERR_RUN, "%s: nothing was trained", method->name);
            if (one->fitted)
                times[n_fitted++] = one->measured.time;
        }
    method->distribution = frs_compute_fit(times, n_fitted);
    return FRS_OK;
}

static double median(double *values, size_t n) {
    /* cppcheck-suppress uninitvar ; the callers have filled it */
    qsort(values, n, sizeof *values, frs_compare_doubles);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* One number for all: the median rate over methods and settings. */
static double common_rate(const struct method *methods, size_t n) {
    double *rates = frs_alloc(n * MOST_CASES, sizeof *rates);
    size_t filled = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < methods[i].n && methods[i].cases[k].fitted; k++)
            rates[filled++] =
                methods[i].cases[k].measured.time.flop / methods[i].cases[k].measured.time.seconds;
    double rate = median(rates, filled);
    free(rates);
    return rate;
}

static void judge(struct method *method, double rate) {
    double before[MOST_CASES], after[MOST_CASES], other[MOST_CASES];
    size_t n = 0, n_other = 0;
    for (size_t k = 0; k < method->n; k++) {
        const struct frs_compute_time *time = &method->cases[k].measured.time;
        double error = fabs(frs_compute_distribution_s(&method->distribution, time) / time->seconds - 1);
        if (!method->cases[k].fitted) {
            other[n_other++] = error;
            continue;
        }
        before[n] = fabs(time->flop / rate / time->seconds - 1);
        after[n++] = error;
        method->worst = fmax(method->worst, error);
    }
    method->before = median(before, n);
    method->after = median(after, n);
    method->other = n_other > 0 ? median(other, n_other) : NAN;
}

static void write_cases(const struct method *method, FILE *out) {
    for (size_t k = 0; k < method->n; k++) {
        const struct one_case *one = &method->cases[k];
        char dim[24] = "-", batch[24] = "usual";
        if (one->dim > 0)
            snprintf(dim, sizeof dim, "%d", one->dim);
        if (one->batch > 0)
            snprintf(batch, sizeof batch, "%d", one->batch);
        fprintf(out, "//   %-16s d %-3s batch %-5s %8.4f ns per operation (quartiles %+.1f %%, %+.1f %%)\n",
            method->name, dim, batch, 1e9 * one->measured.time.seconds / one->measured.time.flop,
            100 * (one->measured.low_s / one->measured.time.seconds - 1),
            100 * (one->measured.high_s / one->measured.time.seconds - 1));
    }
}

static void write_errors(const struct method *methods, size_t n, FILE *out) {
    fprintf(out,
        "//\n// Errors without sign over d: one speed for all methods, and what is set below; that in "
        "batches of %d.\n"
        "//   method           one speed     here  at most  batches of %d\n",
        OTHER_BATCH, OTHER_BATCH);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "//   %-16s %7.0f %% %6.1f %% %6.1f %%", methods[i].name, 100 * methods[i].before,
            100 * methods[i].after, 100 * methods[i].worst);
        if (isnan(methods[i].other))
            fputs("        -\n", out);
        else
            fprintf(out, " %6.1f %%\n", 100 * methods[i].other);
    }
}

/* Codecs have no key of their own: their operations take as long as the method's. */
static void write_codecs(FILE *out) {
    fprintf(out,
        "//\n// Codecs with their defaults, a table of %d rows: encoding is counted in operations, decoding "
        "is not.\n"
        "//   codec            d    ns per operation (quartiles)      ns per value, encoded  decoded\n",
        CODEC_ROWS);
    for (const struct frs_codec *const *codec = frs_codecs; *codec; codec++)
        for (size_t d = 0; d < sizeof dims / sizeof *dims; d++) {
            struct frs_measured_codec one = frs_measure_codec(*codec, CODEC_ROWS, (size_t)dims[d], PASSES);
            char counted[64] = "none are counted";
            if (one.flop > 0)
                snprintf(counted, sizeof counted, "%8.4f (%+.1f %%, %+.1f %%)",
                    1e9 * one.encode.seconds / one.flop, 100 * (one.encode.low_s / one.encode.seconds - 1),
                    100 * (one.encode.high_s / one.encode.seconds - 1));
            fprintf(out, "//   %-16s %-4d %-34s %14.2f %14.2f\n", (*codec)->plugin.name, dims[d], counted,
                1e9 * one.encode.seconds / one.values, 1e9 * one.decode.seconds / one.values);
        }
}

static void write_fragment(const struct method *methods, size_t n, double rate, FILE *out) {
    fprintf(out,
        "// %sthis machine: processor time of training %d clients of ml-100k's size, medians of %d "
        "passes.\n//\n",
        FRS_CALIBRATION_MARK, CLIENTS, PASSES);
    for (size_t i = 0; i < n; i++)
        write_cases(&methods[i], out);
    write_errors(methods, n, out);
    write_codecs(out);
    fprintf(out, "devices = {\n    compute = \"flops\";\n    speed = \"%.4g Gflop/s\";\n    efficiency = \"",
        rate * 1e-9);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s %.4g, ", methods[i].name, methods[i].distribution.flop_per_s / rate);
    fputs("others 1\";\n    sample_time = \"", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s %.4g ns, ", methods[i].name, methods[i].distribution.s_per_sample * 1e9);
    fputs("others 0 s\";\n};\n", out);
}

enum frs_status frs_calibrate_device(
    const struct frs_device_options *options, FILE *out, struct frs_errors *errors) {
    const char *only = options->method;
    size_t n = 0, n_learners = 0;
    while (frs_learners[n_learners])
        n_learners++;
    struct method *methods = frs_alloc(n_learners, sizeof *methods);
    enum frs_status status = FRS_OK;
    frs_dataset_cache_open(0, 0);
    for (size_t i = 0; i < n_learners && status == FRS_OK; i++) {
        if (only && strcmp(only, frs_learners[i]->plugin.name) != 0)
            continue;
        if (!options->quiet)
            frs_print_line(stderr, "measuring %s", frs_learners[i]->plugin.name);
        status = measure_method(frs_learners[i], options->batch, &methods[n++], errors);
    }
    frs_dataset_cache_close();
    if (status == FRS_OK && n == 0)
        status = frs_errors_add(
            errors, FRS_ERR_INPUT, "--method %s: there is no such method; fedrecsim list method", only);
    if (status == FRS_OK) {
        double rate = common_rate(methods, n);
        for (size_t i = 0; i < n; i++)
            judge(&methods[i], rate);
        write_fragment(methods, n, rate, out);
    }
    free(methods);
    return status;
}
