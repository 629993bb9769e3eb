#include "native.h"

#include <string>
#include <vector>

namespace halo_python {

namespace {

// numpy's names of scalar types, by halo_scalar_type.
const char* const kNames[] = {"int8",   "int16",  "int32",   "int64",   "uint8",   "uint16",
                              "uint32", "uint64", "float16", "float32", "float64", "bool"};

}  // namespace

const py::dtype& dtypeOf(halo_scalar_type type) {
  static auto* const types = [] {
    auto* all = new std::vector<py::dtype>;
    for (const char* name : kNames) all->push_back(py::dtype::from_args(py::str(name)));
    return all;
  }();
  return (*types)[type];
}

void raise(halo_status status, halo_error* error) {
  const std::unique_ptr<halo_error, void (*)(halo_error*)> owned(error, halo_error_free);
  halo_diagnostic first{};
  first.size = sizeof first;
  if (error != nullptr) halo_error_at(error, 0, &first);
  const auto text = [](const char* s) -> py::object {
    return s ? py::object(py::str(s)) : py::none();
  };
  const py::object exception =
      py::module_::import("halo._errors")
          .attr("make")(static_cast<int>(status), text(error ? halo_error_text(error) : nullptr),
                        text(error ? halo_error_json(error) : nullptr), text(first.code),
                        text(first.message), text(first.file), first.line, first.column);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
  throw py::error_already_set();
}

}  // namespace halo_python
