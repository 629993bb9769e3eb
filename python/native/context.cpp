#include "context.h"

#include <pybind11/stl.h>

#include <vector>

#include "bindings.h"
#include "value.h"

namespace halo_python {

namespace {

// Uninitialised memory that every engine reads in place, as a numpy array.
py::array empty(const Context& context, const std::vector<int64_t>& shape, const py::dtype& dtype) {
  for (int type = HALO_I8; type <= HALO_BOOL; ++type) {
    if (!dtypeOf(static_cast<halo_scalar_type>(type)).equal(dtype)) continue;
    void* data = nullptr;
    halo_value* value = nullptr;
    halo_error* error = nullptr;
    check(halo_array_uninit(context.handle, static_cast<halo_scalar_type>(type),
                            static_cast<int>(shape.size()), shape.data(), &data, &value, &error),
          error);
    const py::object owner = py::cast(Value(Owned(value)));
    return py::array(dtype, std::vector<py::ssize_t>(shape.begin(), shape.end()), {}, data, owner);
  }
  throw py::type_error("Halo has no arrays of " + dtype.attr("name").cast<std::string>());
}

}  // namespace

void bindContext(py::module_& module) {
  py::class_<Context>(module, "Context")
      .def(py::init<std::string, std::string, std::string, int>())
      .def("cancel", [](const Context& context) { halo_cancel(context.handle); })
      .def("empty", &empty)
      .def("copied_bytes", [](const Context& context) {
        halo_statistics stats{};
        stats.size = sizeof stats;
        const py::gil_scoped_release released;
        halo_stats(context.handle, &stats);
        return stats.copied_bytes;
      });
}

}  // namespace halo_python
