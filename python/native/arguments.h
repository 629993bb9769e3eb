// Arguments of calls as values. Small calls must cost no more than two microseconds: so this is not
// Python.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "native.h"

namespace halo_python {

// A numpy array that a call reads in place.
struct Loan {
  PyObject* array;
  std::atomic<bool> is_returned = false;
};

// The loans of one call. One that a result shares is never freed: the result's copy ends it.
struct Loans {
  std::vector<std::shared_ptr<Loan>> all;
};

struct Place {
  halo_context* context;
  const char* entry;
  size_t argument;
};

// Raises a TypeError that names the entry's type.
Owned valueOf(const Place& place, const halo_type* wanted, py::handle given, Loans* loans);

}  // namespace halo_python
