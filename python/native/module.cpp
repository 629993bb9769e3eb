// The extension module halo._native over halo.h alone: contexts, programs, values. Arguments and
// results of calls are arranged here, because small calls must cost no more than two microseconds;
// all else is Python (halo/__init__.py).
#include <halo/halo.h>

#include "bindings.h"
#include "interrupt.h"

PYBIND11_MODULE(_native, module) {
  using namespace halo_python;
  Interruptible::mainThread();
  module.def("version", [] { return halo_version(); });
  module.def("progress", &halo_progress);
  bindContext(module);
  bindValue(module);
  bindSession(module);
  bindProgram(module);
}
