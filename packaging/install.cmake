# What `cmake --install` puts where, and the Debian package of it (docs/installing.md).
include(GNUInstallDirs)

install(TARGETS fedrecsim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/fedrecsim
  PATTERN "*.sh" EXCLUDE)
# What plug-ins are compiled against (CMakeLists.txt lists them from sim/plugins/public_headers.txt), and examples of them.
foreach(header ${public_headers})
  get_filename_component(place ${header} DIRECTORY)
  install(FILES ${CMAKE_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fedrecsim/${place})
endforeach()
install(FILES ${CMAKE_SOURCE_DIR}/sim/plugins/public_headers.txt DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fedrecsim/sim/plugins)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/plug-ins DESTINATION ${CMAKE_INSTALL_DATADIR}/fedrecsim)
# Methods in Python: the program puts this folder on the path of those that it starts (docs/external.md). The module is also where
# Debian's Python looks for modules, for a program that is tried out by itself.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/algorithms/external/python DESTINATION ${CMAKE_INSTALL_DATADIR}/fedrecsim
  FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/algorithms/external/python/fedrecsim.py DESTINATION lib/python3/dist-packages)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/fedrecsim)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.csv" PATTERN "*.tsv" PATTERN "report.png" PATTERN "schemas" EXCLUDE PATTERN "site" EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/CONTRIBUTING.md
  ${CMAKE_SOURCE_DIR}/CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${CMAKE_SOURCE_DIR}/algorithms/external/c/fedmf.c DESTINATION ${CMAKE_INSTALL_DOCDIR}/algorithms/external/c)

set(share ${CMAKE_INSTALL_DATADIR})
set(include ${CMAKE_INSTALL_INCLUDEDIR})
configure_file(packaging/fedrecsim.pc.in ${CMAKE_BINARY_DIR}/packaging/fedrecsim.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/packaging/fedrecsim.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
install(FILES packaging/fedrecsim.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME fedrecsim)

set(FRS_MAINTAINER "the fedrecsim authors <fedrecsim@localhost>" CACHE STRING "who packages the program, in the package")

# What depends on where it goes, and what is made of the program: its manual pages.
install(CODE "
  set(source \"${CMAKE_SOURCE_DIR}\")
  set(build \"${CMAKE_BINARY_DIR}\")
  set(version \"${PROJECT_VERSION}\")
  set(contact \"${FRS_MAINTAINER}\")
  set(man \"${CMAKE_INSTALL_MANDIR}\")
  set(share \"${CMAKE_INSTALL_DATADIR}\")
  set(doc \"${CMAKE_INSTALL_DOCDIR}\")")
install(SCRIPT ${CMAKE_SOURCE_DIR}/packaging/made.cmake)

# Everything that was installed, and the folders that are empty then: cmake --build BUILD --target uninstall.
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DMANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt
  -P ${CMAKE_SOURCE_DIR}/packaging/uninstall.cmake USES_TERMINAL)

# cmake --build BUILD --target deb: BUILD/fedrecsim_VERSION_ARCHITECTURE.deb.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fedrecsim)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${FRS_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The program loads SimGrid itself, so that no tool finds it among its libraries (actors/simgrid.h). Debian names the package after
# the library's version.
file(REAL_PATH "${simgrid_library}" simgrid_file BASE_DIRECTORY ${simgrid_folder})
if(simgrid_file MATCHES "libsimgrid\\.so\\.([0-9.]+)$")
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libsimgrid${CMAKE_MATCH_1}")
endif()
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gnuplot-nox")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of federated recommendation over real networks")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Trains a federated recommender as its paper says, on the data and with the
mathematics of published methods, and simulates when every byte arrives:
phones with slow uplinks, stragglers, clients that missed rounds.

A run shows how good the recommendations are after how many seconds and how
many bytes, and where the time went, as a page for any browser and as tables.")
include(CPack)
add_custom_target(deb COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DBUILD=${CMAKE_BINARY_DIR}
  -P ${CMAKE_SOURCE_DIR}/packaging/deb.cmake USES_TERMINAL)
add_dependencies(deb fedrecsim)
