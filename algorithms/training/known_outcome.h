/* Known outcome: the outcome of a participation that trains, as far as it is certain when its round opens. */
#ifndef FRS_ALGORITHMS_TRAINING_KNOWN_OUTCOME_H
#define FRS_ALGORITHMS_TRAINING_KNOWN_OUTCOME_H

enum frs_known_outcome {
    FRS_KNOWN_OPEN,     /* nothing is */
    FRS_KNOWN_ARRIVES,  /* its upload will be aggregated when the round closes */
    FRS_KNOWN_COMPUTES, /* it trains to the end and commits; its upload is lost */
    FRS_KNOWN_VANISHES, /* it does not commit */
};

#endif
