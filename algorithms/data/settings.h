/* Settings: the choices of the sections `data` and `evaluation` as numbers, in the order of params.c. */
#ifndef FRS_ALGORITHMS_DATA_SETTINGS_H
#define FRS_ALGORITHMS_DATA_SETTINGS_H

/* The formats of files follow, in the order of formats/formats.def. */
enum frs_format_choice { FRS_FORMAT_AUTO, FRS_FORMAT_SYNTHETIC, FRS_FORMAT_FIRST_FILE };

enum frs_synthetic { FRS_SYNTHETIC_ML_100K, FRS_SYNTHETIC_ML_1M, FRS_SYNTHETIC_SMALL, FRS_SYNTHETIC_CUSTOM };
enum frs_feedback_kind { FRS_IMPLICIT, FRS_EXPLICIT };
enum frs_split { FRS_LEAVE_ONE_OUT, FRS_RATIO, FRS_GIVEN, FRS_DATE };
enum frs_validation { FRS_VALIDATION_HOLD_OUT, FRS_VALIDATION_TRAIN };
enum frs_order { FRS_ORDER_AUTO, FRS_ORDER_TIME, FRS_ORDER_FILE, FRS_ORDER_ITEM_ID, FRS_ORDER_RANDOM };
enum frs_ties { FRS_TIES_LATER, FRS_TIES_EARLIER, FRS_TIES_RANDOM };
enum frs_view { FRS_VIEW_SERVER, FRS_VIEW_DEVICE };
enum frs_candidates { FRS_CANDIDATES_SAMPLED, FRS_CANDIDATES_FULL };

/* data.empty_ids; data.empty_ratings has the first two. */
enum frs_empty { FRS_EMPTY_REFUSE, FRS_EMPTY_LEAVE_OUT, FRS_EMPTY_KEEP };

#endif
