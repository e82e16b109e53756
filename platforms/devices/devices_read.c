/* The devices from a scenario. */
#include "platforms/devices/devices.h"
#include "sim/base/settings/params.h"

#include "sim/base/settings/by_class.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const compute_names[] = {[FRS_COMPUTE_FLOPS] = "flops",
    [FRS_COMPUTE_FIXED] = "fixed",
    [FRS_COMPUTE_NONE] = "none",
    [FRS_COMPUTE_PER_SAMPLE] = "per_sample",
    [FRS_COMPUTE_MEASURED] = "measured",
    NULL};

#define QUANTITY(name, unit, value, what)                                                                    \
    {                                                                                                        \
        .key = name, .type = FRS_QUANTITY, .dimension = unit, .initial = value, .min = 0, .max = INFINITY,   \
        .help = what                                                                                         \
    }

/* Computing: a phone can dissipate about 3 W for long (Warden 2015, Smartphone Energy Consumption);
 * assumed. The energy of radios follows from the network (platforms/networks/radio.c), unless the user
 * sets it; the value here is LTE's, and the mean of its two directions. */
const struct frs_param frs_devices_params[] = {
    {.key = "compute",
        .type = FRS_CHOICE,
        .initial = "flops",
        .choices = compute_names,
        .help = "flops: overhead + slowdown × counted flops / speed; fixed: overhead alone; none: no time; "
                "per_sample: overhead + slowdown × per_sample × samples of all passes; measured: overhead + "
                "slowdown × CPU time of the training here (not deterministic)"},
    {.key = "classes",
        .type = FRS_TEXT,
        .initial = "",
        .help = "kinds of devices with their shares, such as \"phone-mid 80 %, pc 20 %\"; a class is a "
                "preset, and decides speed, memory, overhead and power together"},
    FRS_CLASS_SHARES_PARAM,
    FRS_FLEET_PARAMS("speed_flop_per_s, memory_bytes, overhead_s, per_sample_s"),
    {.key = "bandwidth_correlation",
        .type = FRS_REAL,
        .initial = "0",
        .min = -1,
        .max = 1,
        .help = "between a client's speed and its downlink, as quantiles"},
    QUANTITY("overhead", FRS_TIME, "0 s", "C: time a participation costs whatever it computes"),
    {.key = "slowdown",
        .type = FRS_REAL,
        .initial = "1",
        .min = 1e-6,
        .max = 1e9,
        .help = "R: how much slower a client is than `speed`, `per_sample` or the measured time"},
    {.key = "speed_factor",
        .type = FRS_REAL,
        .initial = "1",
        .min = 1e-6,
        .max = 1e6,
        .help = "how many times as fast every client computes, wherever its speed comes from; its overhead "
                "stays"},
    {.key = "efficiency",
        .type = FRS_REAL,
        .by_class = true,
        .divided_by = "method",
        .initial = "1",
        .min = 1e-6,
        .max = 1e6,
        .help =
            "compute = flops: what `speed` is multiplied by for the method's operations; for several methods "
            "\"fedmf 1.4, colr 0.6, others 1\" (fedrecsim calibrate --device measures it)"},
    {.key = "sample_time",
        .type = FRS_QUANTITY,
        .by_class = true,
        .divided_by = "method",
        .dimension = FRS_TIME,
        .initial = "0 s",
        .min = 0,
        .max = INFINITY,
        .help =
            "compute = flops: time that every sample takes besides its operations, before `slowdown`; for "
            "several methods as `efficiency`"},
    {.key = "in_use",
        .type = FRS_REAL,
        .initial = "0.5",
        .min = 1e-3,
        .max = 1,
        .help = "share of its speed with which a client computes while its device is in use, overhead "
                "included (availability.model = \"states\"; assumed)"},
    {.key = "jitter",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 5,
        .help = "spread of the computing time from participation to participation: sigma of a log-normal "
                "factor with mean 1 on all of it, overhead included"},
    QUANTITY("power_compute", FRS_POWER, "3 W", "power while computing, above idle"),
    QUANTITY("power_radio", FRS_POWER, "1.288 W",
        "power while a message is under way, above idle, on any network; not given: that of network.radio"),
    QUANTITY("energy_per_byte", FRS_ENERGY_PER_BYTE, "245 nJ/bit",
        "energy of every byte sent or received, on any network; not given: that of network.radio, which has "
        "one for each direction"),
    QUANTITY("power_awake", FRS_POWER, "0 W",
        "power of a device that waits in a participation (for the server to encode, for others, before it "
        "connects anew), above idle; not given: waiting is not charged"),
    {0},
};

/* The section that a constant comes from: what the user says beats the class. */
static double constant(const struct frs_values *values, const struct frs_values *of_class, const char *key) {
    bool own = !of_class || frs_values_find(values, key)->given;
    return frs_values_real(own ? values : of_class, key);
}

/* NAN: what the user does not give is the network's. */
static double of_any_network(const struct frs_values *values, const char *key) {
    double real = frs_values_real(values, key);
    return frs_values_find(values, key)->given ? real : NAN;
}

static struct frs_device_constants read_constants(
    const struct frs_devices *devices, const struct frs_values *values, const struct frs_values *of_class) {
    enum frs_compute compute = devices->compute;
    bool in_table = frs_fleet_has(devices->fleet, FRS_FLEET_OVERHEAD);
    bool takes_time = compute != FRS_COMPUTE_NONE, is_scaled = takes_time && compute != FRS_COMPUTE_FIXED;
    return (struct frs_device_constants){
        .slowdown =
            is_scaled ? constant(values, of_class, "slowdown") / frs_values_real(values, "speed_factor") : 1,
        .overhead_s = takes_time && !in_table ? constant(values, of_class, "overhead") : 0,
        .power_compute_w = constant(values, of_class, "power_compute"),
        .power_radio_w = of_any_network(values, "power_radio"),
        .energy_per_byte_j = of_any_network(values, "energy_per_byte"),
        .power_awake_w = of_any_network(values, "power_awake"),
    };
}

static struct frs_device_class read_class(
    const struct frs_devices *devices, const struct frs_preset *preset, const struct frs_values *values) {
    struct frs_device_class kind;
    struct frs_values of_class = frs_preset_values(preset, "devices", frs_devices_params);
    kind.constants = read_constants(devices, values, &of_class);
    frs_preset_distribution(preset, "devices.speed", frs_speed_distributions, &kind.speed);
    frs_preset_distribution(preset, "devices.memory", frs_bytes_distributions, &kind.memory);
    frs_values_fini(&of_class);
    return kind;
}

static bool computes_by_flops(const struct frs_preset *preset) {
    const char *compute = frs_preset_setting(preset, "devices.compute");
    return !compute || strcmp(compute, "flops") == 0;
}

/* Classes give speeds in flop/s, so they go with compute = "flops" alone. */
static bool check_classes(
    const struct frs_devices *devices, const struct frs_values *values, struct frs_errors *errors) {
    bool ok = true;
    if (devices->compute != FRS_COMPUTE_FLOPS) {
        frs_values_error(values, "classes", errors,
            "not possible with devices.compute = \"%s\", because a class gives a speed; allowed: "
            "devices.compute = \"flops\"",
            compute_names[devices->compute]);
        ok = false;
    }
    for (size_t i = 0; i < devices->classes.n; i++) {
        const struct frs_preset *preset = devices->classes.presets[i];
        if (!computes_by_flops(preset)) {
            frs_values_error(values, "classes", errors, "\"%s\" computes by \"%s\" and so has no speed",
                preset->plugin.name, frs_preset_setting(preset, "devices.compute"));
            ok = false;
        }
    }
    return ok;
}

/* Classes are put in ascending order of effective speed; those of a table keep the table's order. */
static void read_classes(struct frs_devices *devices, const struct frs_values *values) {
    double medians[FRS_MAX_CLASSES];
    size_t order[FRS_MAX_CLASSES];
    struct frs_device_class kinds[FRS_MAX_CLASSES];
    for (size_t i = 0; i < devices->classes.n; i++) {
        kinds[i] = read_class(devices, devices->classes.presets[i], values);
        medians[i] = frs_distribution_median(&kinds[i].speed) / kinds[i].constants.slowdown;
        order[i] = i;
    }
    if (!devices->fleet || devices->fleet->n_classes == 0)
        frs_classes_sort(&devices->classes, medians, order);
    for (size_t i = 0; i < devices->classes.n; i++)
        devices->kinds[i] = kinds[order[i]]; /* cppcheck-suppress uninitvar ; filled in the loop above */
}

static bool is_by_class(const struct frs_devices *devices, const struct frs_distribution_section *section) {
    return devices->classes.n > 0 &&
           (!frs_section_is_given(section->values) || strcmp(section->plugin->name, "by_class") == 0);
}

static bool read_distribution(struct frs_devices *devices, const struct frs_devices_sections *sections,
    enum frs_fleet_figure figure, struct frs_errors *errors) {
    const struct frs_distribution_section *section =
        figure == FRS_FLEET_SPEED ? &sections->speed : &sections->memory;
    struct frs_distribution *distribution =
        figure == FRS_FLEET_SPEED ? &devices->own.speed : &devices->own.memory;
    bool goes_without = figure == FRS_FLEET_MEMORY; /* unlimited unless a key sets it */
    if (!devices->fleet || goes_without || frs_fleet_is_told(section->values, sections->devices))
        return frs_distribution_read(section->plugin, section->values, distribution, errors);
    return frs_fleet_lacks(devices->fleet, sections->devices, figure, "speed", errors);
}

static bool read_distributions(
    struct frs_devices *devices, const struct frs_devices_sections *sections, struct frs_errors *errors) {
    bool ok = true;
    devices->speed_by_class = is_by_class(devices, &sections->speed);
    devices->memory_by_class = is_by_class(devices, &sections->memory);
    if (devices->compute == FRS_COMPUTE_FLOPS && !devices->speed_by_class &&
        !frs_fleet_has(devices->fleet, FRS_FLEET_SPEED))
        ok = read_distribution(devices, sections, FRS_FLEET_SPEED, errors);
    if (devices->compute == FRS_COMPUTE_PER_SAMPLE && !frs_fleet_has(devices->fleet, FRS_FLEET_PER_SAMPLE))
        ok = frs_distribution_read(
                 sections->per_sample.plugin, sections->per_sample.values, &devices->per_sample, errors) &&
             ok;
    if (!devices->memory_by_class && !frs_fleet_has(devices->fleet, FRS_FLEET_MEMORY))
        ok = read_distribution(devices, sections, FRS_FLEET_MEMORY, errors) && ok;
    return ok;
}

/* Whether devices differ at all in what the quantile decides. */
static bool can_correlate(const struct frs_devices *devices) {
    if (devices->compute == FRS_COMPUTE_PER_SAMPLE)
        return !frs_fleet_has(devices->fleet, FRS_FLEET_PER_SAMPLE) &&
               frs_distribution_varies(&devices->per_sample);
    if (devices->compute != FRS_COMPUTE_FLOPS || frs_fleet_has(devices->fleet, FRS_FLEET_SPEED))
        return false;
    const struct frs_distribution *speed =
        devices->speed_by_class ? &devices->kinds[0].speed : &devices->own.speed;
    return devices->classes.n > 1 || frs_distribution_varies(speed);
}

/* Reads the table; a client has the same row for its links if both use the same file. Its classes, if they
 * are presets, give the values for which it has no column. */
static bool read_fleet(
    struct frs_devices *devices, const struct frs_devices_sections *sections, struct frs_errors *errors) {
    const struct frs_values *values = sections->devices;
    const struct frs_fleet *links = devices->links = sections->links;
    if (sections->refused && *sections->refused &&
        strcmp(sections->refused, frs_values_text(values, "fleet")) == 0)
        return false;
    if (!frs_fleet_read(values, FRS_FLEET_OF_DEVICES, FRS_RNG_FLEET_DEVICES, &devices->fleet, errors))
        return false;
    struct frs_fleet *fleet = devices->fleet;
    if (fleet && links && memcmp(&fleet->digest, &links->digest, sizeof fleet->digest) == 0) {
        fleet->purpose = links->purpose;
        if (fleet->join != links->join) {
            frs_values_error(values, "fleet_assignment", errors,
                "\"%s\" is not what network.fleet_assignment says of the same table; allowed: \"%s\"",
                frs_fleet_joins[fleet->join], frs_fleet_joins[links->join]);
            return false;
        }
    }
    if (!fleet || fleet->n_classes == 0)
        return true;
    if (devices->classes.n > 0) {
        frs_values_error(values, "classes", errors,
            "%s has a column class, which says of each client what it is; allowed: one of the two",
            fleet->path);
        return false;
    }
    devices->classes = frs_fleet_presets(fleet, frs_device_presets, "devices.classes");
    for (size_t i = 0; i < devices->classes.n; i++)
        if (devices->compute != FRS_COMPUTE_FLOPS || !computes_by_flops(devices->classes.presets[i]))
            devices->classes = (struct frs_classes){0};
    return true;
}

static bool is_method(const char *name, const struct frs_plugin *const *methods) {
    for (; *methods; methods++)
        if (strcmp((*methods)->name, name) == 0)
            return true;
    return false;
}

/* Every part has to name a method that there is, and one the run's, or all others. */
static bool says_method(
    const struct frs_devices_sections *sections, const char *key, struct frs_errors *errors) {
    const char *method = sections->method;
    const struct frs_value *value = frs_values_find(sections->devices, key);
    struct frs_class_part *parts;
    if (!value->by_class)
        return true;
    size_t n = frs_class_parts(value->param, value->by_class, &parts);
    bool says = false, known = true;
    for (size_t i = 0; i < n && known; i++) {
        bool others = strcmp(parts[i].name, FRS_OTHER_CLASSES) == 0;
        says |= others || (method && strcmp(parts[i].name, method) == 0);
        known = others || is_method(parts[i].name, sections->methods);
        if (!known)
            frs_values_error(sections->devices, key, errors,
                "there is no method \"%s\"; allowed: those of `fedrecsim list method`, and \"%s\"",
                parts[i].name, FRS_OTHER_CLASSES);
    }
    frs_class_parts_free(parts, n);
    if (known && !says)
        frs_values_error(sections->devices, key, errors,
            "says nothing of method \"%s\"; allowed: a value for every method, or one for \"%s\"",
            method ? method : "", FRS_OTHER_CLASSES);
    return known && says;
}

/* What differs between methods. */
static bool read_efficiency(
    struct frs_devices *devices, const struct frs_devices_sections *sections, struct frs_errors *errors) {
    const struct frs_values *values = sections->devices;
    bool ok = says_method(sections, "efficiency", errors);
    ok = says_method(sections, "sample_time", errors) && ok;
    if (!ok)
        return false;
    frs_values_look_at(values, &sections->method, sections->method ? 1 : 0);
    devices->efficiency = frs_values_real(values, "efficiency");
    devices->sample_s = frs_values_real(values, "sample_time");
    return true;
}

bool frs_devices_read(
    struct frs_devices *devices, const struct frs_devices_sections *sections, struct frs_errors *errors) {
    const struct frs_values *values = sections->devices;
    *devices = (struct frs_devices){.compute = (enum frs_compute)frs_values_choice(values, "compute")};
    bool ok = frs_classes_read(values, "classes", frs_device_presets, &devices->classes, errors);
    ok = ok && (devices->classes.n == 0 || check_classes(devices, values, errors));
    ok = read_fleet(devices, sections, errors) && ok;
    if (!ok)
        devices->classes = (struct frs_classes){0}; /* nothing of theirs was read */
    if (ok) {
        read_classes(devices, values);
        ok = read_distributions(devices, sections, errors);
    }
    if (ok && devices->classes.n == 0)
        devices->own.constants = read_constants(devices, values, NULL);
    if (ok && devices->classes.n > 0 && !devices->fleet)
        devices->deals_classes = frs_values_choice(values, "class_shares") == FRS_SHARES_DEALT;
    devices->efficiency = devices->in_use = 1;
    if (ok && devices->compute == FRS_COMPUTE_FLOPS)
        ok = read_efficiency(devices, sections, errors);
    if (ok && devices->compute != FRS_COMPUTE_NONE)
        devices->jitter = frs_values_real(values, "jitter");
    if (ok && can_correlate(devices))
        devices->bandwidth_correlation = frs_values_real(values, "bandwidth_correlation");
    if (!ok) {
        enum frs_compute compute = devices->compute;
        frs_devices_fini(devices);
        devices->compute = compute; /* others judge by it */
    }
    return ok;
}

void frs_devices_follow_states(struct frs_devices *devices, const struct frs_values *values) {
    if (devices->compute != FRS_COMPUTE_NONE)
        devices->in_use = frs_values_real(values, "in_use");
}

bool frs_devices_settle(struct frs_devices *devices, const struct frs_values *values, uint32_t n_clients,
    struct frs_errors *errors) {
    return !devices->fleet || frs_fleet_settle(devices->fleet, values, n_clients, errors);
}

static double quantile(const void *devices, uint64_t seed, uint32_t client) {
    return frs_devices_quantile(devices, seed, client);
}

void frs_devices_deal(struct frs_devices *devices, uint32_t n_clients, uint64_t seed) {
    if (devices->deals_classes)
        devices->dealt = frs_classes_deal(n_clients, quantile, devices, seed);
}

static void fini_class(struct frs_device_class *kind) {
    frs_distribution_fini(&kind->speed);
    frs_distribution_fini(&kind->memory);
}

void frs_devices_fini(struct frs_devices *devices) {
    free(devices->dealt);
    fini_class(&devices->own);
    frs_distribution_fini(&devices->per_sample);
    frs_fleet_destroy(devices->fleet);
    for (size_t i = 0; i < devices->classes.n; i++)
        fini_class(&devices->kinds[i]);
    *devices = (struct frs_devices){0};
}
