// Shared by the files of the extension module: owned handles, numpy's types, failures.
#pragma once

#include <halo/halo.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>

namespace halo_python {

namespace py = pybind11;

struct ValueDeleter {
  void operator()(halo_value* value) const { halo_release(value); }
};
using Owned = std::unique_ptr<halo_value, ValueDeleter>;

const py::dtype& dtypeOf(halo_scalar_type type);

// Raises the exception that `halo._errors.make` makes of an error.
[[noreturn]] void raise(halo_status status, halo_error* error);
// The error by reference: it may be read before the call that makes it has run.
inline void check(halo_status status, halo_error* const& error) {
  if (status != HALO_OK) raise(status, error);
}

}  // namespace halo_python
