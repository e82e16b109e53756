#!/bin/sh
# Labels: long
# As test_report_in_a_browser.sh, of every page in every look. Argument: the build folder.
exec sh "$(dirname -- "$0")/test_report_in_a_browser.sh" "$1" all
