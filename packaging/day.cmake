# Sets SOURCE_DATE_EPOCH in the environment to the time of the last commit of the tree `source`, where it is one.
find_program(git git)
if(git AND EXISTS ${source}/.git)
  execute_process(COMMAND ${git} -C ${source} log -1 --format=%ct OUTPUT_VARIABLE day OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE failed ERROR_QUIET)
  if(NOT failed AND day MATCHES "^[0-9]+$")
    set(ENV{SOURCE_DATE_EPOCH} ${day})
  endif()
endif()
