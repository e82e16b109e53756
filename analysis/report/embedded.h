/* Files that are part of the program, each ended by a zero (embed.cmake). */
#ifndef FRS_ANALYSIS_REPORT_EMBEDDED_H
#define FRS_ANALYSIS_REPORT_EMBEDDED_H

extern const unsigned char frs_report_page[];    /* page.html: where the others go is marked @NAME@ */
extern const unsigned char frs_report_style[];   /* page.css */
extern const unsigned char frs_report_script[];  /* the scripts of page/ but for the next two */
extern const unsigned char frs_report_begin[];   /* begin.js: draws the data that a page holds */
extern const unsigned char frs_report_live[];    /* live.js: asks for data, and draws them */
extern const unsigned char frs_report_charts[];  /* the library of charts; empty without one */
extern const unsigned char frs_report_licence[]; /* its licence */

#endif
