// Contexts of Python: an engine with its options.
#pragma once

#include <string>

#include "native.h"

namespace halo_python {

// Handles that may wait for a context's lock are freed without the interpreter's. A call that holds
// the former may need the latter to give an array back.
struct Context {
  halo_context* handle = nullptr;
  Context(const std::string& backend, const std::string& device, const std::string& fp,
          int threads) {
    halo_options options{};
    options.size = sizeof options;
    options.backend = backend.c_str();
    options.device = device.c_str();
    options.fp = fp.c_str();
    options.threads = threads;
    halo_error* error = nullptr;
    check(halo_context_new(&options, &handle, &error), error);
  }
  ~Context() {
    const py::gil_scoped_release released;
    halo_context_free(handle);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

}  // namespace halo_python
