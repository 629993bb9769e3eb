# cmake -DHALO=program -DGZIP=program -DOUTPUT=folder -P reference.cmake
# Manuals and completions from the command's own table of options.
function(halo_text file)
  execute_process(COMMAND ${HALO} ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${OUTPUT}/${file} "${text}")
endfunction()

# Compressed, as Debian wants manuals; without time or name, so that equal texts give equal files.
function(halo_manual page name)
  halo_text(man/man1/${page}.1 manual ${name})
  execute_process(COMMAND ${GZIP} -9n ${OUTPUT}/man/man1/${page}.1 COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${OUTPUT})
execute_process(COMMAND ${HALO} manual commands OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[a-z]+" names "${names}")
halo_manual(halo halo)
foreach(name IN LISTS names)
  halo_manual(halo-${name} ${name})
endforeach()
halo_text(bash-completion/completions/halo completion bash)
halo_text(zsh/site-functions/_halo completion zsh)
halo_text(fish/vendor_completions.d/halo.fish completion fish)
