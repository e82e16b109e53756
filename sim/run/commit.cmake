# Writes HEADER with the commit that the tree SOURCE is at ("-dirty": with changes), or "unknown" where SOURCE is not the
# top of a git repository; leaves it alone when it says so already.
#   cmake -DSOURCE=... -DHEADER=... -P commit.cmake
set(ENV{GIT_OPTIONAL_LOCKS} 0)
set(commit unknown)
find_program(git git)
if(git)
  execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --show-cdup
    OUTPUT_VARIABLE above RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed AND "${above}" STREQUAL "")
    execute_process(COMMAND ${git} -C ${SOURCE} describe --always --exclude=* --abbrev=12 --dirty
      OUTPUT_VARIABLE described RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failed AND described MATCHES "^[0-9a-f]+(-dirty)?$")
      set(commit ${described})
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define FRS_COMMIT \"${commit}\"\n" @ONLY)
