/* Child: a process that runs a program of the user, and the text exchanged with it.
 *
 * The child reads frames from descriptor 3, writes its answers to descriptor 4, and maps the shared memory
 * behind descriptor 5. What it prints is kept for the message of a fault. It leads a process group of its
 * own, which ends with it, and it dies with the thread that started it. */
#ifndef FRS_EXTERNAL_CHILD_H
#define FRS_EXTERNAL_CHILD_H

#include "sim/external/answer.h"
#include "sim/external/command.h"
#include "sim/external/printed.h"

#include <stdint.h>
#include <sys/types.h>

#define FRS_CHILD_ANSWER_BYTES 262144u

struct frs_child {
    pid_t process;
    int to, from, said; /* our ends */
    int memory_file;
    uint8_t *memory; /* [memory_bytes]; NULL: there is none yet */
    size_t memory_bytes;
    struct frs_answer answer; /* of FRS_CHILD_ANSWER_BYTES */
    struct frs_printed printed;
    double cpu_s;    /* processor time of its last answer */
    bool was_killed; /* the fault is that a signal has ended it */
};

/* Starts it. False after writing why not. */
bool frs_child_start(struct frs_child *child, const struct frs_command *command, char *why, size_t size);

/* Gives the memory its size, which nothing can change afterwards, and maps it. */
bool frs_child_share(struct frs_child *child, size_t bytes, char *why, size_t size);

/* Sends text and waits for the answer: one line, or a block of lines (each with "\n") up to the line
 * "end", which is left out. The answer is valid until the next call. Returns NULL after writing what is
 * wrong: the child has ended, does not answer for `patience_s`, or answers with something other than lines
 * of text. */
const char *frs_child_ask(
    struct frs_child *child, const char *text, bool block, double patience_s, char *why, size_t size);

/* Adds what the child printed last to a message. */
void frs_child_quote(struct frs_child *child, char *why, size_t size);

/* Ends the process and its group, politely at first if `politely`; safe after a start that has failed. */
void frs_child_end(struct frs_child *child, bool politely);

#endif
