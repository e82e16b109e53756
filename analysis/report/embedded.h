/* Files that are part of the program, each ended by a zero (embed.cmake). */
#ifndef FRS_ANALYSIS_REPORT_EMBEDDED_H
#define FRS_ANALYSIS_REPORT_EMBEDDED_H

extern const unsigned char frs_report_page[];    /* page.html: where the others go is marked @NAME@ */
extern const unsigned char frs_report_style[];   /* page.css */
extern const unsigned char frs_report_script[];  /* page_*.js, one after the other */
extern const unsigned char frs_report_charts[];  /* the library of charts; empty without one */
extern const unsigned char frs_report_licence[]; /* its licence */

#endif
