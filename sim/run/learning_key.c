/* A training's name. */
#include "algorithms/kernels/library.h"
#include "sim/run/learning.h"
#include "sim/scenario/hash.h"

#include <stdio.h>

/* The program itself: a journal must not outlive a change of the kernels. */
static void add_program(struct frs_digester *digester) {
    FILE *file = fopen("/proc/self/exe", "rb");
    uint8_t block[1 << 16];
    size_t got;
    frs_digester_add_text(digester, FRS_VERSION);
    frs_digester_add_text(digester, frs_library_vector_level());
    frs_digester_add_text(digester, frs_library_core());
    while (file && (got = fread(block, 1, sizeof block, file)) > 0)
        frs_digester_add(digester, block, got);
    if (file)
        fclose(file);
}

struct frs_digest frs_learning_key(const struct frs_setup *setup) {
    struct frs_digester digester = frs_digester_init();
    char hash[FRS_DIGEST_TEXT];
    add_program(&digester);
    frs_digester_add_text(&digester, frs_scenario_learning_hash(setup->scenario, hash));
    frs_digester_add_text(&digester, setup->data->hash);
    return frs_digester_finish(&digester);
}
