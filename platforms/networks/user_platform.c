#include "platforms/networks/user_platform.h"
#include "sim/base/files/input.h"
#include "sim/base/settings/path.h"

const struct frs_param frs_user_platform_params[] = {
    {.key = "file",
        .is_path = true,
        .type = FRS_TEXT,
        .initial = "",
        .help = "SimGrid platform (XML) to use instead of generated links; see docs/backends.md for what "
                "does not apply then"},
    {.key = "server",
        .type = FRS_TEXT,
        .initial = "server",
        .help = "name of the server's host in the platform"},
    {.key = "clients",
        .type = FRS_TEXTS,
        .initial = "client",
        .help = "hosts of the clients: one text, which their names start with (the server's is left out), or "
                "a list of two or more names; client i lives on the (i mod n)-th of them"},
    {0},
};

struct frs_user_platform frs_user_platform_read(const struct frs_values *values, struct frs_errors *errors) {
    struct frs_user_platform platform = {.file = frs_values_path(values, "file", errors)};
    if (!platform.file || !*platform.file)
        return (struct frs_user_platform){0};
    platform.server = frs_values_text(values, "server");
    platform.clients = frs_values_text(values, "clients");
    FILE *file;
    const char *reason = frs_input_open(platform.file, &file);
    if (!reason && fgetc(file) == EOF)
        reason = "it is empty";
    if (file)
        fclose(file);
    if (reason) {
        frs_values_error(values, "file", errors,
            "\"%s\" cannot be read: %s; allowed: a SimGrid platform file", platform.file, reason);
        platform.file = NULL;
    }
    return platform;
}
