# Installs BUILD into SCRATCH, moves it, and builds and runs a separate project against it.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("${output}")
  if(code)
    string(JOIN " " words ${ARGV})
    message(FATAL_ERROR "failed with ${code}: ${words}")
  endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/first)
# A package is found wherever it ends up, not only where it was put.
file(RENAME ${SCRATCH}/first ${SCRATCH}/prefix)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${SCRATCH}/build -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix)
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)
run(${CMAKE_COMMAND} -E chdir ${SCRATCH} ${SCRATCH}/build/consumer)
# The repository inside another project's tree has the same target.
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/inside -B ${SCRATCH}/inside -G ${GENERATOR}
  -DCMAKE_CXX_COMPILER=${COMPILER} -DMIRRORBALL=${CMAKE_CURRENT_LIST_DIR}/../..)
run(${SCRATCH}/prefix/bin/mirrorball info)
foreach(file man/man1/mirrorball.1 bash-completion/completions/mirrorball zsh/site-functions/_mirrorball
    fish/vendor_completions.d/mirrorball.fish)
  file(READ ${SCRATCH}/prefix/share/${file} text)
  if(NOT text MATCHES "samples")
    message(FATAL_ERROR "share/${file} does not have the flags of the program")
  endif()
endforeach()
