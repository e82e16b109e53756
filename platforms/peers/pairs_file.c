#include "platforms/peers/pairs_file.h"
#include "sim/base/errors.h"
#include "sim/base/files/csv.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

static const char *const columns[] = {"client", "neighbour"};

static bool read_client(
    struct frs_csv *csv, size_t column, uint32_t n_clients, uint32_t *client, struct frs_errors *errors) {
    double value;
    if (!frs_csv_number(csv, column, columns[column], &value, errors))
        return false;
    if (!(value >= 0 && value < n_clients && value == floor(value)))
        return frs_csv_error(csv, errors,
            "%s %.15g is none of the data's; allowed: a whole number from 0 to %u", columns[column], value,
            n_clients - 1);
    *client = (uint32_t)value;
    return true;
}

static bool read_pair(struct frs_csv *csv, uint32_t n_clients, uint32_t pair[2], struct frs_errors *errors) {
    if (!read_client(csv, 0, n_clients, &pair[0], errors) ||
        !read_client(csv, 1, n_clients, &pair[1], errors))
        return false;
    return pair[0] != pair[1] ||
           frs_csv_error(
               csv, errors, "client %u is its own neighbour; allowed: two different clients", pair[0]);
}

bool frs_pairs_file_read(
    const char *path, uint32_t n_clients, uint32_t **pairs, size_t *n, struct frs_errors *errors) {
    static const char *const headers[] = {"client,neighbour", NULL};
    struct frs_csv csv;
    size_t header, capacity = 0;
    bool good = frs_csv_open(&csv, path, headers, &header, errors);
    *pairs = NULL;
    *n = 0;
    while (good && frs_csv_next(&csv, errors)) {
        *pairs = frs_grow(*pairs, 2 * (*n + 1), &capacity, sizeof **pairs);
        good = read_pair(&csv, n_clients, *pairs + 2 * *n, errors);
        *n += good;
    }
    if (good && !csv.failed && *n == 0) {
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no pair of neighbours; allowed: a row for each", path);
        good = false;
    }
    good = good && !csv.failed;
    frs_csv_close(&csv);
    if (!good) {
        free(*pairs);
        *pairs = NULL;
        *n = 0;
    }
    return good;
}
