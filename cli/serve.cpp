// halo server FILE: entries of a program for another process.
#include "cli/server/server.h"

#include <cstdio>
#include <iostream>

#include "api/halo.h"
#include "cli/commands.h"

namespace halo::cli {

int server(const Common& common, const ServerArguments& arguments) {
  halo_options options{};
  options.size = sizeof options;
  options.backend = arguments.backend.c_str();
  options.device = common.device.c_str();
  options.fp = common.float_mode.c_str();
  options.threads = common.threads;
  options.is_unsafe = common.unsafe;
  halo_context* context = nullptr;
  halo_program* program = nullptr;
  halo_error* error = nullptr;
  halo_status status = halo_context_new(&options, &context, &error);
  if (status == HALO_OK) {
    status = halo_load_file(context, arguments.file.c_str(), &program, &error);
  }
  if (status == HALO_OK) {
    server::serve(context, program, std::cin, std::cout);
  } else {
    std::fputs(common.diagnostics == "json" ? halo_error_json(error) : halo_error_text(error),
               stderr);
    halo_error_free(error);
  }
  halo_program_free(program);
  halo_context_free(context);
  return status;
}

}  // namespace halo::cli
