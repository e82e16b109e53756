/* An external method that does nothing (docs/external.md): the cost of a participation without any
 * mathematics. The tables are those of FedMF, and no row is sent. */
#include <stdio.h>
#include <string.h>

static void answer(FILE *out, const char *text) {
    fputs(text, out);
    fflush(out);
}

int main(void) {
    static char line[65536];
    FILE *in = fdopen(3, "r"), *out = fdopen(4, "w");
    unsigned n_items = 0, blocks = 0;
    while (in && out && fgets(line, sizeof line, in)) {
        if (blocks == 0)
            sscanf(line, "items %u", &n_items);
        if (strncmp(line, "train ", 6) == 0)
            answer(out, "trained 0 1 1 1 0 0 0\n");
        else if (strcmp(line, "fedrecsim 2\n") == 0)
            answer(out, "external 2\nend\n");
        else if (strcmp(line, "end\n") == 0 && blocks++ > 0)
            answer(out, "ready\n");
        else if (strcmp(line, "goodbye\n") == 0)
            return 0;
        else if (strcmp(line, "end\n") == 0) {
            fprintf(out, "table items shared %u 16 normal 0.1\n", n_items);
            answer(out, "table users private 1 16 normal 0.1\nend\n");
        }
    }
    return 0;
}
