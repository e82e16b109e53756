#include "actors/windows.h"
#include "actors/extremes.h"

#include <math.h>

struct frs_path_memory frs_path_memory_at(const struct frs_path_memory *memory, double now_s) {
    struct frs_path_memory left = *memory;
    double idle_s = now_s - memory->sent_s;
    if (memory->window <= 0 || idle_s <= memory->timeout_s)
        return left;
    if (memory->threshold > 0)
        left.threshold = frs_larger(memory->threshold, .75 * memory->window);
    for (idle_s -= memory->timeout_s; idle_s > 0 && left.window > FRS_INITIAL_WINDOW;
         idle_s -= memory->timeout_s)
        left.window = floor(left.window / 2);
    left.window = frs_larger(left.window, frs_smaller(memory->window, FRS_INITIAL_WINDOW));
    return left;
}
