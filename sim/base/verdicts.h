/* Verdicts: last lines of runs that can have no results with their settings, however often they are
 * repeated. By these lines a reader of a sweep's logs tells such a run from one that was killed or had no
 * space to write. */
#ifndef FRS_BASE_VERDICTS_H
#define FRS_BASE_VERDICTS_H

#define FRS_SAYS_DIVERGED "training has diverged"
#define FRS_SAYS_NOBODY "no client can take part"

#endif
