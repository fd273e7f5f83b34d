# add_test_suites(TARGET TIMEOUT seconds [LONG Suite...] [ONLY Suite | Suite.pattern...] [EXCEPT pattern...]): a CTest entry for
# each suite of a GoogleTest program, so that the tests of a suite share what they make once. The program is asked for its
# suites when it has been built. Those named LONG start first, so that no core waits for the last one; with ONLY, there are no
# others than those named; tests that match EXCEPT are left out.
function(add_test_suites target)
  cmake_parse_arguments(arg "" "TIMEOUT" "LONG;ONLY;EXCEPT" ${ARGN})
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
  string(REPLACE ";" "," long "${arg_LONG}")
  string(REPLACE ";" "," only "${arg_ONLY}")
  string(REPLACE ";" ":" except "${arg_EXCEPT}")
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}> -DLONG=${long} -DONLY=${only} -DTIMEOUT=${arg_TIMEOUT}
            -DEXCEPT=${except} -DOUT=${list} -P ${PROJECT_SOURCE_DIR}/cmake/list_suites.cmake
    BYPRODUCTS ${list} VERBATIM)
  # A program that has not been built is a test that fails.
  set(entry ${CMAKE_CURRENT_BINARY_DIR}/${target}_tests.cmake)
  file(WRITE ${entry} "if(EXISTS [[${list}]])\n  include([[${list}]])\nelse()\n"
    "  add_test(${target}_is_not_built ${target}_is_not_built)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${entry})
endfunction()
