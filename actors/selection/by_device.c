/* The same number of clients is selected from every row of devices.fleet. A scenario with several clients
 * for each row needs this to follow a log of rounds with distinct devices. */
#include "actors/selection.h"

extern const struct frs_selection frs_selection_by_group;

static uint32_t select_by_device(const struct frs_selection_request *request, uint32_t *clients) {
    return frs_selection_by_group.select(request, clients);
}

const struct frs_selection frs_selection_by_device = {
    .plugin = {.name = "by_device",
        .summary = "at random, as many from every row of devices.fleet: no two of one device "
                   "while others are left",
        .source = "stratified sampling; for rounds that were measured (fedrecsim calibrate)"},
    .uses_devices = true,
    .select = select_by_device,
};
