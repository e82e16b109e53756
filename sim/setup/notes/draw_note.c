#include "sim/setup/notes/draw_note.h"
#include "sim/base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

/* Clients that are compared, at even places. */
enum { MOST_COMPARED = 256 };

/* What times depend on. */
struct traits {
    double link[3], device[2];
};

static struct traits traits_of(const struct frs_setup *setup, uint64_t seed, uint32_t client) {
    static const struct frs_spent one = {.flop = 1e9, .samples = 1, .cpu_s = 1};
    struct traits traits = {.device = {frs_devices_flop_per_s(&setup->devices, seed, client),
                                frs_devices_compute_s(&setup->devices, seed, client, one)}};
    if (setup->platform.file)
        return traits;
    struct frs_client_link link = frs_network_client(&setup->network, seed, client);
    traits.link[0] = link.down_bytes_per_s;
    traits.link[1] = link.up_bytes_per_s;
    traits.link[2] = link.latency_s;
    return traits;
}

static bool differ(const double *a, const double *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] < b[i] || a[i] > b[i])
            return true;
    return false;
}

struct draw {
    bool links, devices, cohorts;
};

static struct draw draw_of(const struct frs_setup *setup) {
    struct draw draw = {0};
    bool links_differ = false, devices_differ = false;
    uint64_t seed = setup->training.seed;
    uint32_t n_clients = setup->training.data->population.n_clients,
             n = n_clients < MOST_COMPARED ? n_clients : MOST_COMPARED;
    struct traits first = traits_of(setup, seed, 0);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t client = (uint32_t)((uint64_t)i * n_clients / n);
        struct traits own = traits_of(setup, seed, client), other = traits_of(setup, seed + 1, client);
        links_differ |= differ(own.link, first.link, 3);
        devices_differ |= differ(own.device, first.device, 2);
        draw.links |= differ(own.link, other.link, 3);
        draw.devices |= differ(own.device, other.device, 2);
    }
    /* Classes that are dealt have been dealt with this seed; another one deals them to other clients. */
    draw.links |= links_differ && setup->network.dealt;
    draw.devices |= devices_differ && setup->devices.dealt;
    draw.cohorts = (links_differ || devices_differ) && frs_setup_selected(setup) < n_clients;
    return draw;
}

char *frs_draw_note(const struct frs_setup *setup) {
    struct draw draw = draw_of(setup);
    const struct {
        bool is_drawn;
        const char *name;
    } all[] = {{draw.links, "links"}, {draw.devices, "devices"}, {draw.cohorts, "cohorts"}};
    int n = draw.links + draw.devices + draw.cohorts, n_named = 0;
    if (n == 0)
        return NULL;
    char *what = frs_strdup("");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!all[i].is_drawn)
            continue;
        const char *before = n_named == 0 ? "" : n_named + 1 < n ? ", " : " and ";
        char *longer = frs_format("%s%s%s", what, before, all[i].name);
        free(what);
        what = longer;
        n_named++;
    }
    char *note = frs_format("%s are those of seed %" PRIu64 ": the range is of this draw alone, and other "
                            "seeds draw others (fedrecsim sweep --replicates)",
        what, setup->training.seed);
    free(what);
    return note;
}
