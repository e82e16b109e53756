/* Format: of the files that figures are drawn into. */
#ifndef FRS_ANALYSIS_FIGURES_FORMAT_H
#define FRS_ANALYSIS_FIGURES_FORMAT_H

/* PGF: TikZ pictures, whose texts LaTeX sets in the fonts of the paper. */
enum frs_figures_format { FRS_FIGURES_SVG, FRS_FIGURES_PDF, FRS_FIGURES_PNG, FRS_FIGURES_PGF };
enum { FRS_FIGURES_FORMATS = FRS_FIGURES_PGF + 1 };

/* FRS_SCALE_ANY: logarithmic where the levels have logarithmic spacing, linear where they are other
 * numbers, and otherwise categories. */
enum frs_scale { FRS_SCALE_ANY, FRS_SCALE_LINEAR, FRS_SCALE_LOG, FRS_SCALE_CATEGORIES };

/* At most so many environments, or variants of a sensitivity, have figures at a time. */
enum { FRS_FIGURES_MOST = 12 };

#endif
