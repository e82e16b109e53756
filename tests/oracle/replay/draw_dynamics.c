/* Availability that changes over the run, that clients differ in, and regions that are cut off: drawn apart,
 * so that it shifts nothing else. */
#include "draw_internal.h"

#include <string.h>

/* Chains of a day repeat with it; those of seconds within a few rounds. */
static const char *draw_period(struct draw *aside, const char *model) {
    if (strcmp(model, "bernoulli") == 0)
        return ONE_OF(aside, "2 rounds", "3 rounds", "5 rounds", "7 s", "40 s", "200 s");
    if (strcmp(model, "markov") == 0)
        return ONE_OF(aside, "5 s", "30 s", "400 s");
    return ONE_OF(aside, "1 h", "1 d", "7 d");
}

void draw_dynamics(struct draw *d, const char *model, bool alike) {
    struct draw aside = draw_aside(d);
    if (d->newer && one_in(&aside, 2)) {
        fprintf(d->out, " dynamics = \"%s\"; dynamics_period = \"%s\";",
            ONE_OF(&aside, "stationary", "staircase", "sine", "interleaved_sine"),
            draw_period(&aside, model));
        fprintf(d->out, " amplitude = %s;", ONE_OF(&aside, "0.1", "0.3", "0.5"));
    }
    if (d->newer && alike && one_in(&aside, 2))
        fprintf(d->out, " follows = \"%s\"; correlation = %s; concentration = %s;",
            ONE_OF(&aside, "activity", "taste"), ONE_OF(&aside, "1", "0", "0.7", "-0.5"),
            ONE_OF(&aside, "0", "2", "50"));
}

void draw_random_outages(struct draw *d) {
    struct draw aside = draw_aside(d);
    if (!d->newer || !one_in(&aside, 5))
        return;
    unsigned regions = 1 + below(&aside, 4);
    fprintf(d->out, " random_outages = \"%u region%s every %.2f s for %.2f s\";", regions,
        regions == 1 ? "" : "s", scale(&aside, 10, 200), scale(&aside, 1, 40));
    d->reachable = false;
    d->vanish = true;
}

void draw_absent(struct draw *d) {
    struct draw aside = draw_aside(d);
    if (!d->newer || !one_in(&aside, 6))
        return;
    fprintf(d->out, " absent_share = %s;", ONE_OF(&aside, "0.1", "0.3", "0.6"));
    d->reachable = false;
}
