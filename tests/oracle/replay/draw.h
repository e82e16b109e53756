/* Random scenarios to replay. */
#ifndef REPLAY_DRAW_H
#define REPLAY_DRAW_H

#include <stdint.h>

/* Writes s.cfg, and the files it names, into `folder`: the same for the same number. */
void draw_scenario(uint64_t number, const char *folder);

#endif
