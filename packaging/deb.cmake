# The Debian package of what is built in BUILD; the same bytes whenever and wherever the same commit is packaged.
#   cmake -DSOURCE=... -DBUILD=... [-DOUT=...] -P deb.cmake   (in the folder OUT, or else in BUILD)
set(source ${SOURCE})
if(NOT OUT)
  set(OUT ${BUILD})
endif()
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  include(${SOURCE}/packaging/day.cmake)
endif()
# Modes of folders and files follow from the umask of whoever packages them otherwise.
find_program(cpack cpack REQUIRED)
execute_process(COMMAND sh -c "umask 022 && exec \"$0\" -G DEB --config ${BUILD}/CPackConfig.cmake -B ${OUT}" ${cpack} WORKING_DIRECTORY ${OUT} RESULT_VARIABLE failed
  OUTPUT_FILE ${OUT}/cpack.log ERROR_FILE ${OUT}/cpack.log)
if(failed)
  file(READ ${OUT}/cpack.log log)
  message(FATAL_ERROR "${log}")
endif()
file(GLOB packages ${OUT}/fedrecsim_*.deb)
message(STATUS "${packages}")
