# Writes OUTPUT, a C file with the contents of files: an array frs_report_NAME[] for each NAME=FILE of FILES, with a zero
# behind; an empty FILE makes an empty array.
#   cmake -DOUTPUT=... "-DFILES=page=page.html|charts=" -P embed.cmake
string(REPLACE "|" ";" FILES "${FILES}")
set(text "/* Written by analysis/report/embed.cmake. */\n#include \"analysis/report/embedded.h\"\n")
foreach(pair ${FILES})
  string(REGEX MATCH "^([a-z_]+)=(.*)$" matched "${pair}")
  set(name ${CMAKE_MATCH_1})
  set(hex "")
  if(NOT "${CMAKE_MATCH_2}" STREQUAL "")
    file(READ "${CMAKE_MATCH_2}" hex HEX)
  endif()
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
  string(APPEND text "const unsigned char frs_report_${name}[] = {\n${bytes}0};\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
