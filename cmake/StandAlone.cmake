# add_stand_alone_check(TARGET source...): the target TARGET_stand_alone parses every source by itself, with the includes and
# definitions of TARGET. A unity build would not see that a file lives on another's includes.
function(add_stand_alone_check target)
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(stamps)
  foreach(source ${ARGN})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    set(stamp ${PROJECT_BINARY_DIR}/stand_alone/${name}.ok)
    get_filename_component(folder ${stamp} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${stamp} DEPENDS ${source} DEPFILE ${stamp}.d
      COMMAND ${CMAKE_CXX_COMPILER} -std=c++${CMAKE_CXX_STANDARD} "-I$<JOIN:${includes},;-I>" "-D$<JOIN:${definitions},;-D>"
              -fsyntax-only -MD -MF ${stamp}.d -MT ${stamp} ${source}
      COMMAND ${CMAKE_COMMAND} -E touch ${stamp} COMMENT "Parsing ${name} by itself" COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND stamps ${stamp})
  endforeach()
  add_custom_target(${target}_stand_alone DEPENDS ${stamps})
endfunction()
