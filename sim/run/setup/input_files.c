#include "sim/run/setup/input_files.h"

static size_t add_table(
    struct frs_input_file *files, size_t n, const char *key, const struct frs_fleet *fleet) {
    if (!fleet)
        return n;
    files[n] = (struct frs_input_file){.key = key, .path = fleet->path, .digest = &fleet->digest};
    return n + 1;
}

size_t frs_input_files(const struct frs_setup *setup, struct frs_input_file files[FRS_MAX_INPUT_FILES]) {
    size_t n = add_table(files, 0, "network.table", setup->network.fleet);
    n = add_table(files, n, "devices.table", setup->devices.fleet);
    const struct frs_server_trace *trace = &setup->server.trace;
    if (trace->path)
        files[n++] =
            (struct frs_input_file){.key = "server.trace", .path = trace->path, .digest = &trace->digest};
    return n;
}

char *frs_input_files_hash(const struct frs_setup *setup, char text[FRS_DIGEST_TEXT]) {
    struct frs_input_file files[FRS_MAX_INPUT_FILES];
    size_t n = frs_input_files(setup, files);
    struct frs_digester digester = frs_digester_init();
    text[0] = '\0';
    if (n == 0)
        return text;
    for (size_t i = 0; i < n; i++) {
        frs_digester_add_text(&digester, files[i].key);
        frs_digester_add(&digester, files[i].digest->bytes, FRS_DIGEST_BYTES);
    }
    struct frs_digest digest = frs_digester_finish(&digester);
    return frs_digest_text(&digest, text);
}
