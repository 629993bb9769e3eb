# cmake -DHALO=program -DOUTPUT=folder -P reference.cmake
# Manuals and completions from the command's own table of options.
function(halo_text file)
  execute_process(COMMAND ${HALO} ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${OUTPUT}/${file} "${text}")
endfunction()

file(REMOVE_RECURSE ${OUTPUT})
execute_process(COMMAND ${HALO} manual commands OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[a-z]+" names "${names}")
halo_text(man/man1/halo.1 manual halo)
foreach(name IN LISTS names)
  halo_text(man/man1/halo-${name}.1 manual ${name})
endforeach()
halo_text(bash-completion/completions/halo completion bash)
halo_text(zsh/site-functions/_halo completion zsh)
halo_text(fish/vendor_completions.d/halo.fish completion fish)
