# Run by `cmake --install`: manual pages from the program, the completion of zsh, and, below /usr, what Debian's policy asks for.
set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(made ${build}/packaging/made)
file(REMOVE_RECURSE ${made})
file(MAKE_DIRECTORY ${made})

# The day of the last commit, so that the same source makes the same pages; packagers set the variable themselves.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  include(${source}/packaging/day.cmake)
endif()

find_program(gzip gzip)
# compress FILE: as Debian has it, with neither name nor time in it.
function(compress file result)
  if(gzip)
    execute_process(COMMAND ${gzip} -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
    set(${result} ${file}.gz PARENT_SCOPE)
  else()
    set(${result} ${file} PARENT_SCOPE)
  endif()
endfunction()

execute_process(COMMAND ${build}/fedrecsim manual --list OUTPUT_VARIABLE pages COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" pages "${pages}")
foreach(page ${pages})
  execute_process(COMMAND ${build}/fedrecsim manual ${page} OUTPUT_FILE ${made}/${page} COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE ".*\\." "" section ${page})
  compress(${made}/${page} file)
  file(INSTALL DESTINATION ${CMAKE_INSTALL_PREFIX}/${man}/man${section} TYPE FILE FILES ${file})
endforeach()

# Pages link to scenarios, schemas and examples by their places in the tree: links lead from there to where they are installed.
# link FOLDER NAME TARGET: NAME in the FOLDER of the documentation leads to TARGET among the program's files. A macro, so that the
# list of installed files has it.
macro(link folder name target)
  file(RELATIVE_PATH path /${doc}${folder} /${share}/fedrecsim/${target})
  file(MAKE_DIRECTORY ${made}${folder})
  file(CREATE_LINK ${path} ${made}${folder}/${name} SYMBOLIC)
  file(INSTALL DESTINATION ${CMAKE_INSTALL_PREFIX}/${doc}${folder} TYPE FILE FILES ${made}${folder}/${name})
endmacro()
link("" scenarios scenarios)
link(/docs schemas schemas)
link(/algorithms/external python python)

set(zsh ${share}/zsh/site-functions)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(zsh ${share}/zsh/vendor-completions)
  string(TIMESTAMP day "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE ${made}/changelog
    "fedrecsim (${version}) unstable; urgency=medium\n\n  * What has changed is in CHANGELOG.md.gz.\n\n -- ${contact}  ${day}\n")
  compress(${made}/changelog file)
  file(INSTALL DESTINATION ${CMAKE_INSTALL_PREFIX}/${doc} TYPE FILE FILES ${file} ${source}/packaging/copyright)
  file(COPY ${source}/CHANGELOG.md DESTINATION ${made})
  compress(${made}/CHANGELOG.md file)
  file(INSTALL DESTINATION ${CMAKE_INSTALL_PREFIX}/${doc} TYPE FILE FILES ${file})
  file(INSTALL DESTINATION ${CMAKE_INSTALL_PREFIX}/${share}/lintian/overrides TYPE FILE RENAME fedrecsim
    FILES ${source}/packaging/lintian-overrides)
else()
  file(INSTALL DESTINATION ${CMAKE_INSTALL_PREFIX}/${doc} TYPE FILE FILES ${source}/CHANGELOG.md ${source}/LICENSE)
endif()
file(INSTALL DESTINATION ${CMAKE_INSTALL_PREFIX}/${zsh} TYPE FILE FILES ${source}/packaging/_fedrecsim)
