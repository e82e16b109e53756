/* Verdicts: what a run says in its last line that can have no results with its settings, however often it is
 * repeated. Readers of a sweep's logs tell it by that from a run that was killed, or found no room to write.
 */
#ifndef FRS_BASE_VERDICTS_H
#define FRS_BASE_VERDICTS_H

#define FRS_SAYS_DIVERGED "training has diverged"
#define FRS_SAYS_NOBODY "no client can take part"

#endif
