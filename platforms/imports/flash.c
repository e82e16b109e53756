/* FLASH's traces of devices (Yang et al. 2021), from a CSV export: the file itself could not be had. A line
 * is an event of a client; a state holds until the client's next event. */
#include "platforms/imports/import.h"
#include "sim/base/date.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/files/csv.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

struct device {
    char *client;
    const char *link;
    bool charging, in_use, has_begun;
    double since_s;
};

/* What an event changes; other events say nothing of these three. */
static bool take_event(struct device *device, const char *event) {
    static const char *const metered[] = {"2g", "3g", "4g", "5g", "2G", "3G", "4G", "5G", NULL};
    for (size_t i = 0; metered[i]; i++)
        if (strcmp(event, metered[i]) == 0)
            return device->link = "metered", true;
    if (strcmp(event, "wifi") == 0)
        return device->link = "wifi", true;
    if (strcmp(event, "unknown") == 0 || strcmp(event, "phone_off") == 0)
        return device->link = "off", true;
    if (strcmp(event, "battery_charged_on") == 0 || strcmp(event, "battery_charged_off") == 0)
        return device->charging = strcmp(event, "battery_charged_on") == 0, true;
    if (strcmp(event, "screen_on") == 0 || strcmp(event, "screen_unlock") == 0)
        return device->in_use = true;
    if (strcmp(event, "screen_off") == 0 || strcmp(event, "screen_lock") == 0)
        return device->in_use = false, true;
    return false;
}

static void put_state(struct frs_import *import, const struct device *device, double end_s) {
    char start[32], end[32];
    if (!device->has_begun || end_s - device->since_s < 1e-3)
        return;
    fprintf(import->out, "%s,%s,%s,%s,%d,%d\n", device->client,
        frs_text_number(device->since_s, start, sizeof start), frs_text_number(end_s, end, sizeof end),
        device->link, device->charging, device->in_use);
    import->n_rows++;
}

static bool read_event(
    struct frs_import *import, struct frs_csv *csv, const size_t columns[3], struct device *device) {
    const char *client = csv->fields[columns[0]], *time = csv->fields[columns[1]],
               *event = csv->fields[columns[2]];
    double t_s;
    char line[48];
    import->line = csv->line;
    if (!frs_import_id(import, csv, columns[0]))
        return false;
    if (!frs_csv_decimal(csv, columns[1], &t_s) && !frs_date_read(time, strlen(time), &t_s))
        return frs_import_error(import, "time \"%s\" is no time; allowed: seconds, or " FRS_DATE_EXPECTED,
            frs_text_line(time, line, sizeof line));
    if (!device->client || strcmp(device->client, client) != 0) {
        free(device->client);
        *device = (struct device){.client = frs_strdup(client), .link = "off"};
    } else if (t_s < device->since_s) {
        return frs_import_error(
            import, "time \"%s\" is before that of the line before", frs_text_line(time, line, sizeof line));
    }
    struct device before = *device;
    if (!take_event(device, event))
        return true;
    put_state(import, &before, t_s);
    device->has_begun = true;
    device->since_s = t_s;
    return true;
}

static bool read(struct frs_import *import) {
    static const char *const clients[] = {"client", NULL}, *const times[] = {"time", NULL},
                             *const events[] = {"event", NULL};
    size_t columns[3];
    struct frs_csv csv;
    struct device device = {0};
    bool ok = frs_csv_open_table(&csv, import->path, import->errors) &&
              frs_import_column(import, &csv, clients, &columns[0]) &&
              frs_import_column(import, &csv, times, &columns[1]) &&
              frs_import_column(import, &csv, events, &columns[2]);
    while (ok && frs_csv_next(&csv, import->errors))
        ok = read_event(import, &csv, columns, &device);
    ok = ok && !csv.failed;
    free(device.client);
    frs_csv_close(&csv);
    return ok;
}

const struct frs_import_kind frs_import_flash = {
    .name = "flash",
    .summary = "states of devices, from a CSV export of FLASH's traces",
    .layout = "FLASH, from an export (its own file was not at hand): CSV with client, time and event (wifi, "
              "4g, unknown, battery_charged_on, screen_on and the like), clients one after the other",
    .marks = (const char *const[]){"time", "event", NULL},
    .target = FRS_IMPORT_STATES,
    .columns = "client,start_s,end_s,link,charging,in_use",
    .read = read,
};
