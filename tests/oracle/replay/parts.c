/* What is asked of a part: its phases, and whether it arrived. */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double capacity_at(const struct capacity *capacity, double time_s) {
    size_t i = capacity->n - 1;
    while (i > 0 && capacity->steps[i].from_s > time_s)
        i--;
    return capacity->steps[i].rate;
}

size_t n_all_parts(const struct run *run) {
    return run->n_parts + run->n_deliveries;
}

struct part *any_part(const struct run *run, size_t i) {
    return i < run->n_parts ? run->parts + i : run->deliveries + (i - run->n_parts);
}

const struct phase *part_phase(const struct part *part, enum phase_kind kind) {
    for (size_t i = part->n_phases; i-- > 0;)
        if (part->phases[i].kind == kind)
            return part->phases + i;
    return NULL;
}

enum phase_kind message_of(const struct part *part, const struct phase *phase) {
    while (phase > part->phases && (phase->kind == RETRY || phase[-1].kind == RETRY))
        phase--;
    return phase->kind;
}

/* Another try follows, or would have, had the new connection not gone with its link in its turn. */
static bool is_connected_again(const struct part *part, const struct phase *broke, enum phase_kind kind) {
    for (const struct phase *phase = broke + 1; phase <= last_phase(part); phase++)
        if (phase->kind == kind || (phase->kind == SETUP && phase != last_phase(part)))
            return true;
    return false;
}

double part_resent(const struct run *run, const struct part *part, enum phase_kind kind) {
    double bytes = 0;
    for (const struct phase *phase = part->phases; phase < last_phase(part) && !run->scenario.resumes;
         phase++)
        if (phase->kind == kind && phase->broke && is_connected_again(part, phase, kind))
            bytes += phase->bytes;
    return bytes;
}

bool is_anew(const struct part *part, const struct phase *setup) {
    if (setup->kind != SETUP)
        return false;
    for (const struct phase *phase = part->phases; phase < setup; phase++)
        if (phase->kind == SETUP || phase->kind == RETRY || phase->broke)
            return true;
    return false;
}

bool is_gone(const struct part *part, const struct phase *phase) {
    return phase->broke && phase->bytes == 0 && phase != last_phase(part) && phase[1].kind == SETUP;
}

const struct phase *last_phase(const struct part *part) {
    return part->phases + part->n_phases - 1;
}

double part_start_s(const struct part *part) {
    return part->phases[0].t0_s;
}

double part_end_s(const struct part *part) {
    return last_phase(part)->t1_s;
}

bool arrived(const struct part *part) {
    return part->outcome == DELIVERED || part->outcome == LATE;
}

bool dropped(const struct part *part) {
    return part->outcome >= DROPPED_DOWN && part->outcome <= DROPPED_UP;
}
