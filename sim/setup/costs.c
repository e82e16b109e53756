#include "sim/setup/costs.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>

#define GB 1e9

const struct frs_param frs_costs_params[] = {
    {.key = "server_down_per_gb",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 1e9,
        .help =
            "price of 10^9 bytes that leave the server (egress), those of connecting included; not given: "
            "they are not charged"},
    {.key = "server_up_per_gb",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 1e9,
        .help = "the same of bytes that reach the server (ingress)"},
    {.key = "metered_per_gb",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 1e9,
        .help = "price of 10^9 bytes over metered links of clients, both ways, which clients pay "
                "(availability.model = \"states\"); not given: they are not charged"},
    {.key = "currency",
        .type = FRS_TEXT,
        .initial = "",
        .help = "what prices are in, such as \"EUR\"; it stands behind amounts"},
    {0},
};

static double price(const struct frs_values *values, const char *key) {
    double of_GB = frs_values_real(values, key);
    return frs_values_find(values, key)->given ? of_GB / GB : NAN;
}

struct frs_costs frs_costs_read(const struct frs_values *values) {
    return (struct frs_costs){.server_down = price(values, "server_down_per_gb"),
        .server_up = price(values, "server_up_per_gb"),
        .metered = price(values, "metered_per_gb"),
        .currency = frs_values_text(values, "currency")};
}

bool frs_costs_known(const struct frs_costs *costs) {
    return !isnan(costs->server_down) || !isnan(costs->server_up) || !isnan(costs->metered);
}

static double charged(double price, double bytes) {
    return isnan(price) ? 0 : price * bytes;
}

double frs_costs_of(const struct frs_costs *costs, double down_bytes, double up_bytes, double metered_bytes) {
    return charged(costs->server_down, down_bytes) + charged(costs->server_up, up_bytes) +
           charged(costs->metered, metered_bytes);
}

char *frs_costs_text(const struct frs_costs *costs, double amount) {
    return frs_format("%.3g%s%s", amount, *costs->currency ? " " : "", costs->currency);
}
