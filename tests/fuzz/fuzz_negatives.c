/* Further files of a data set: the validation and the test part in files of their own, and the evaluation's
 * candidates (evaluation.negatives_path), beside six users' interactions. They are refused in lines, or no
 * item is beyond the number of items, and no candidate is one of the client's own.
 *
 *   'n' the file of candidates · 's' the validation part, a line "--", and the test part */
#include "algorithms/data/candidates.h"
#include "algorithms/data/data.h"
#include "algorithms/data/settings.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

#include <stdlib.h>

enum { USERS = 6, ITEMS = 20 };

/* Users 10 to 15 with four of the items 100 to 119 each. */
static char *interactions(void) {
    static struct fuzz_file file;
    char text[1024];
    int n = 0;
    for (int user = 0; user < USERS; user++)
        for (int k = 0; k < 4; k++)
            n += snprintf(text + n, sizeof text - (size_t)n, "%d\t%d\t1\t%d\n", 10 + user,
                100 + (3 * user + k) % ITEMS, 1000 + k);
    return file.file > 0 ? file.path : fuzz_file_write(&file, text, (size_t)n);
}

static bool is_own(const struct frs_client_data *client, uint32_t item) {
    for (size_t i = 0; i < client->n; i++)
        if (client->items[i] == item)
            return true;
    return false;
}

static void check_data(const struct frs_data *set) {
    for (uint32_t client = 0; client < set->population.n_clients; client++) {
        const struct frs_client_data *own = &set->population.clients[client];
        for (size_t i = 0; i < own->n; i++)
            FRS_INVARIANT(
                own->items[i] < set->population.n_items, "item %u of client %u", own->items[i], client);
        for (size_t i = 0; i < set->n_negatives; i++) {
            uint32_t negative = set->negatives[client * set->n_negatives + i];
            FRS_INVARIANT(negative < set->population.n_items && !is_own(own, negative),
                "candidate %u of client %u", negative, client);
        }
    }
}

static void try_files(const char *const *of_data, const char *const *of_evaluation) {
    struct frs_errors errors = {0};
    struct frs_data *set = NULL;
    struct frs_values values = frs_values_of(frs_data_params, of_data),
                      evaluation = frs_values_of(frs_evaluation_params, of_evaluation);
    enum frs_status status = frs_data_load(&values, &evaluation, 1, &set, &errors);
    fuzz_check_errors(status != FRS_OK, &errors);
    if (status == FRS_OK)
        check_data(set);
    frs_data_destroy(set);
    frs_errors_clear(&errors);
    frs_values_fini(&values);
    frs_values_fini(&evaluation);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct fuzz_file first, second;
    if (size == 0)
        return 0;
    const uint8_t *text = data + 1, *cut = memmem(text, size - 1, "--\n", 3);
    size_t n = size - 1, n_first = cut ? (size_t)(cut - text) : n;
    if (*data == 'n') {
        const char *const of_data[] = {"path", interactions(), "min_interactions", "3", NULL};
        const char *const of_evaluation[] = {"negatives_path", fuzz_file_write(&first, text, n), NULL};
        try_files(of_data, of_evaluation);
    } else if (*data == 's') {
        const char *const of_data[] = {"path", interactions(), "min_interactions", "1", "validation_path",
            fuzz_file_write(&first, text, n_first), "test_path",
            fuzz_file_write(&second, cut ? cut + 3 : text, cut ? n - n_first - 3 : 0), NULL};
        const char *const of_evaluation[] = {"negatives", "3", NULL};
        try_files(of_data, of_evaluation);
    }
    return 0;
}
