// The classes of `halo._native`, one function each.
#pragma once

#include <pybind11/pybind11.h>

namespace halo_python {

void bindContext(pybind11::module_& module);
void bindValue(pybind11::module_& module);
void bindSession(pybind11::module_& module);
void bindProgram(pybind11::module_& module);

}  // namespace halo_python
