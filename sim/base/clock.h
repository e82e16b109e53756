/* Clock: real time, for measuring how long something takes. No result of a run depends on it. */
#ifndef FRS_BASE_CLOCK_H
#define FRS_BASE_CLOCK_H

/* Seconds since some moment in the past; they never run backwards. May be asked for in a signal's handler. */
double frs_wall_s(void);

/* Seconds of processor time, of the calling thread and of all threads together. */
double frs_cpu_s(void);
double frs_process_cpu_s(void);

/* Returns the clock of the calling thread's processor time, and reads it. Other threads may read the
 * clock, too, as long as that thread lives. */
int frs_cpu_clock(void);
double frs_cpu_clock_s(int clock);

#endif
