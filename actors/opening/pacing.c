#include "actors/opening/pacing.h"
#include "actors/extremes.h"

#include <math.h>
#include <stdio.h>

/* The window and the multiples of `every` repeat together within this, or a user cannot mean them. */
#define MOST_SEARCHED_S (366 * FRS_DAY_S)

/* A round that closes at a multiple may close a rounding after it. */
#define INSTANT_S 1e-9

const char *const frs_window_clock_names[] = {
    [FRS_WINDOW_SERVER] = "server", [FRS_WINDOW_CLIENT] = "client", NULL};

bool frs_day_window_read(const char *text, struct frs_day_window *window) {
    unsigned hour[2], minute[2];
    int end = 0;
    if (sscanf(text, "%2u:%2u-%2u:%2u%n", &hour[0], &minute[0], &hour[1], &minute[1], &end) != 4 ||
        text[end] || text[0] < '0' || text[0] > '9')
        return false;
    for (int i = 0; i < 2; i++)
        if (hour[i] > 24 || minute[i] > 59 || (hour[i] == 24 && minute[i] > 0))
            return false;
    *window = (struct frs_day_window){
        true, hour[0] % 24 * 3600.0 + minute[0] * 60.0, hour[1] % 24 * 3600.0 + minute[1] * 60.0};
    return window->from_s != window->to_s;
}

/* What a clock shows when it next shows this time of the day, later than clock_s. */
static double next_s(double clock_s, double time_of_day_s) {
    double days = floor((clock_s - time_of_day_s) / FRS_DAY_S), time_s = days * FRS_DAY_S + time_of_day_s;
    while (time_s <= clock_s)
        time_s = ++days * FRS_DAY_S + time_of_day_s;
    return time_s;
}

/* It is in the window when it shows its end before its beginning. */
bool frs_day_window_at(const struct frs_day_window *window, double clock_s, double *until_s) {
    double opens_s = next_s(clock_s, window->from_s), closes_s = next_s(clock_s, window->to_s);
    *until_s = frs_smaller(opens_s, closes_s);
    return closes_s < opens_s;
}

static bool server_window_rules(const struct frs_pacing *pacing) {
    return pacing->window.given && pacing->window_clock == FRS_WINDOW_SERVER;
}

double frs_pacing_changes_s(const struct frs_pacing *pacing, double now_s) {
    double until_s;
    if (!server_window_rules(pacing))
        return INFINITY;
    frs_day_window_at(&pacing->window, now_s + pacing->start_s, &until_s);
    return until_s - pacing->start_s;
}

double frs_pacing_window_s(const struct frs_pacing *pacing, double now_s) {
    double until_s;
    if (!server_window_rules(pacing) || frs_day_window_at(&pacing->window, now_s + pacing->start_s, &until_s))
        return now_s;
    return until_s - pacing->start_s; /* which plus start_s is until_s again: it is the larger one */
}

static double multiple_s(const struct frs_pacing *pacing, double now_s) {
    if (!(pacing->every_s > 0))
        return now_s;
    double n = floor(now_s / pacing->every_s);
    while (n * pacing->every_s < now_s - INSTANT_S)
        n++;
    return frs_larger(n * pacing->every_s, now_s);
}

double frs_pacing_opens_s(const struct frs_pacing *pacing, double now_s) {
    double time_s = now_s, at_s;
    while (time_s <= now_s + MOST_SEARCHED_S) {
        at_s = multiple_s(pacing, time_s);
        time_s = frs_pacing_window_s(pacing, at_s);
        if (time_s == at_s)
            return time_s;
    }
    return INFINITY;
}
