/* Format: of the files that figures are drawn into. */
#ifndef FRS_ANALYSIS_FIGURES_FORMAT_H
#define FRS_ANALYSIS_FIGURES_FORMAT_H

enum frs_figures_format { FRS_FIGURES_SVG, FRS_FIGURES_PDF };

/* At most so many environments, or variants of a sensitivity, have figures at a time. */
enum { FRS_FIGURES_MOST = 12 };

#endif
