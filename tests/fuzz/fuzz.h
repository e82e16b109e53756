/* Fuzzing: code that reads other people's bytes is given mutated ones. A target defines the entry point of
 * libFuzzer and nothing else that is visible; driver.c calls it where there is no libFuzzer. A forbidden
 * result ends the process (FRS_INVARIANT). */
#ifndef FRS_TESTS_FUZZ_FUZZ_H
#define FRS_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Always 0: every input is worth keeping. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
