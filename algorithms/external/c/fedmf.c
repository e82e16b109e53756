/* FedMF over the bare protocol of docs/external.md, in C and nothing else: what a method in another language
 * has to do without a library. Built with `cc -O2 -o fedmf fedmf.c -lm`, and named as method.command.
 *
 * A client goes through its samples as one batch in each epoch, by SGD with the mean gradient of each row, as
 * the built-in method `fedmf` does where method.batch is larger than any client's samples. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static FILE *in, *out;
static char line[65536];

/* Set by "begin". */
static long n_items, dim = 16, epochs = 2;
static double rate = 0.5, decay = 5e-4, init_sd = 0.1, user_init_sd = 0.1;

/* Set by "memory". */
static float *item_table, *user;
static uint32_t *item_ids, *items, *samples, *starts;
static float *scores;

static int next_line(void) {
    if (!fgets(line, sizeof line, in))
        return 0;
    line[strcspn(line, "\n")] = '\0';
    return 1;
}

static void answer(const char *text) {
    fputs(text, out);
    fflush(out);
}

static void hello(void) {
    answer("external 2\n"
           "feedback implicit\n"
           "sends states\n"
           "work counted\n"
           "limits_epochs\n"
           "key dim int 16 1 4096 length of a user or item vector\n"
           "key epochs int 2 1 100000 local epochs of one participation\n"
           "key rate real 0.5 0 1e6 step size\n"
           "key decay real 5e-4 0 1e3 L2 decay of the user vector and of the rows\n"
           "key init_sd real 0.1 0 10 standard deviation of the initial item table\n"
           "key user_init_sd real 0.1 0 10 standard deviation of initial user vectors\n"
           "end\n");
}

static void begin(void) {
    while (next_line() && strcmp(line, "end") != 0) {
        sscanf(line, "items %ld", &n_items);
        sscanf(line, "set dim %ld", &dim);
        sscanf(line, "set epochs %ld", &epochs);
        sscanf(line, "set rate %lf", &rate);
        sscanf(line, "set decay %lf", &decay);
        sscanf(line, "set init_sd %lf", &init_sd);
        sscanf(line, "set user_init_sd %lf", &user_init_sd);
    }
    fprintf(out, "table items shared %ld %ld normal %.17g\n", n_items, dim, init_sd);
    fprintf(out, "table users private 1 %ld normal %.17g\n", dim, user_init_sd);
    answer("end\n");
}

/* The line in hand is "memory BYTES". */
static void memory(void) {
    size_t bytes = strtoull(line + strlen("memory "), NULL, 10), at;
    uint8_t *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 5, 0);
    if (shared == MAP_FAILED) {
        answer("error cannot map the shared memory\n");
        exit(1);
    }
    while (next_line() && strcmp(line, "end") != 0) {
        if (sscanf(line, "values items %zu", &at) == 1)
            item_table = (float *)(void *)(shared + at);
        else if (sscanf(line, "values users %zu", &at) == 1)
            user = (float *)(void *)(shared + at);
        else if (sscanf(line, "ids items %zu", &at) == 1)
            item_ids = (uint32_t *)(void *)(shared + at);
        else if (sscanf(line, "items %zu", &at) == 1)
            items = (uint32_t *)(void *)(shared + at);
        else if (sscanf(line, "samples %zu", &at) == 1)
            samples = (uint32_t *)(void *)(shared + at);
        else if (sscanf(line, "scores %zu", &at) == 1)
            scores = (float *)(void *)(shared + at);
        else if (sscanf(line, "starts %zu", &at) == 1)
            starts = (uint32_t *)(void *)(shared + at);
    }
    answer("ready\n");
}

static double product(const float *a, const float *b) {
    double sum = 0;
    for (long k = 0; k < dim; k++)
        sum += (double)a[k] * (double)b[k];
    return sum;
}

/* One pass over all samples; returns the mean loss before its step. */
static double epoch(
    size_t n_rows, size_t n_samples, const float *count, const float *positive, float *gradient) {
    double loss = 0;
    memset(gradient, 0, (size_t)dim * sizeof *gradient);
    for (size_t i = 0; i < n_rows; i++) {
        float *q = item_table + items[i] * dim;
        double s = product(user, q), size = log1p(exp(-fabs(s))) + (s > 0 ? s : 0);
        double c = count[i] / (1 + exp(-s)) - positive[i];
        loss += count[i] * size - positive[i] * s;
        for (long k = 0; k < dim; k++) {
            gradient[k] += (float)c * q[k];
            q[k] = (float)((1 - rate * decay) * q[k] - rate * c / count[i] * user[k]);
        }
    }
    for (long k = 0; k < dim; k++)
        user[k] -= (float)(rate * (gradient[k] / (double)n_samples + decay * user[k]));
    return loss / (double)n_samples;
}

/* The line in hand is "train CLIENT ROUND ATTEMPT EPOCHS BUDGET SEED ROWS SAMPLES". */
static void train(void) {
    unsigned long limit;
    size_t n_rows, n_samples;
    if (sscanf(line, "train %*u %*u %*u %lu %*u %*u %zu %zu", &limit, &n_rows, &n_samples) != 3) {
        answer("error cannot read the line train\n");
        return;
    }
    float *count = calloc(2 * n_rows + (size_t)dim, sizeof *count), *positive = count + n_rows;
    for (size_t s = 0; s < n_samples; s++) {
        count[samples[s] >> 1] += 1;
        positive[samples[s] >> 1] += (float)(samples[s] & 1);
    }
    long n = limit > 0 && (long)limit < epochs ? (long)limit : epochs;
    double loss = 0;
    for (long e = 0; e < n; e++)
        loss = epoch(n_rows, n_samples, count, positive, positive + n_rows);
    free(count);
    memcpy(item_ids, items, n_rows * sizeof *items); /* their rows have changed, in place */
    double b = (double)n_rows, d = (double)dim;
    double flop = (double)n * (6 * d * b + 6 * b + 2 * d + (decay > 0 ? 2 * d * b : 0));
    fprintf(
        out, "trained %.17g %ld %.17g %.17g 0 0 %zu\n", loss, n, (double)n * (double)n_samples, flop, n_rows);
    fflush(out);
}

/* The line in hand is "score CLIENTS ITEMS": items from starts[k] to starts[k + 1] are for the k-th client,
 * whose vector lies behind that of the client before it. */
static void score(void) {
    size_t n_clients;
    if (sscanf(line, "score %zu", &n_clients) != 1)
        return;
    for (size_t k = 0; k < n_clients; k++)
        for (size_t i = starts[k]; i < starts[k + 1]; i++)
            scores[i] = (float)product(user + (long)k * dim, item_table + items[i] * dim);
    answer("scored\n");
}

int main(void) {
    in = fdopen(3, "r");
    out = fdopen(4, "w");
    if (!in || !out) {
        fputs("is to be named as method.command of a scenario of fedrecsim\n", stderr);
        return 1;
    }
    while (next_line()) {
        if (strcmp(line, "fedrecsim 2") == 0)
            hello();
        else if (strcmp(line, "begin") == 0)
            begin();
        else if (strncmp(line, "memory ", 7) == 0)
            memory();
        else if (strncmp(line, "train ", 6) == 0)
            train();
        else if (strncmp(line, "score ", 6) == 0)
            score();
        else if (strcmp(line, "goodbye") == 0)
            return 0;
        else
            answer("error does not know this line\n");
    }
    return 0;
}
