#include "value.h"

#include <vector>

#include "bindings.h"

namespace halo_python {

py::tuple Value::shape() const {
  const int rank = isArray() ? halo_type_rank(type()) : 0;
  py::tuple shape(rank);
  for (int i = 0; i < rank; ++i) shape[i] = py::int_(halo_shape(get())[i]);
  return shape;
}

std::string Value::text() const {
  const std::unique_ptr<char, void (*)(char*)> text(halo_value_text(get(), 2000), halo_text_free);
  return text ? text.get() : "";
}

py::array view(const Value& value, py::handle base) {
  const void* data = nullptr;
  halo_error* error = nullptr;
  halo_status status = HALO_OK;
  {
    const py::gil_scoped_release released;
    status = halo_data(value.get(), &data, &error);
  }
  check(status, error);
  std::vector<py::ssize_t> shape;
  for (const py::handle extent : value.shape()) shape.push_back(extent.cast<py::ssize_t>());
  return py::array(value.dtype(), shape, {}, data, base);
}

namespace {

py::array numpyOf(const py::object& self) {
  py::array array = view(self.cast<const Value&>(), self);
  array.attr("setflags")(py::arg("write") = false);  // values are immutable
  return array;
}

// A value for other libraries: DLPack says nowhere that memory is not to be written, so that each
// consumer gets memory of its own.
py::object toDlpack(const py::object& self, const py::kwargs& options) {
  const bool wants_no_copy = options.contains("copy") && options["copy"].ptr() == Py_False;
  if (wants_no_copy) {
    throw py::buffer_error(
        "values of halo are immutable, DLPack's consumers may write: "
        "use `numpy()`, or let it copy");
  }
  return numpyOf(self).attr("copy")().attr("__dlpack__")();
}

}  // namespace

void bindValue(py::module_& module) {
  py::class_<Value>(module, "Array",
                    "A value of Halo: it stays where it was made until it is read.")
      .def_property_readonly("shape", &Value::shape)
      .def_property_readonly("dtype", &Value::dtype)
      .def_property_readonly("ndim", [](const Value& value) { return value.shape().size(); })
      .def_property_readonly("on_host",
                             [](const Value& value) { return halo_on_host(value.get()); })
      .def_property_readonly(
          "device", [](const Value& value) { return halo_on_host(value.get()) ? "cpu" : "gpu"; },
          "Where the value is: cpu or gpu.")
      .def("numpy", &numpyOf, "A read-only view; fetches from a device.")
      .def("__dlpack__", &toDlpack, "Memory of its own, for libraries that speak DLPack.")
      .def("__dlpack_device__", [](const Value&) { return py::make_tuple(1, 0); })  // the host's
      .def(
          "__array__",
          [](const py::object& self, const py::object& dtype) -> py::object {
            py::array array = numpyOf(self);
            return dtype.is_none() ? py::object(array) : array.attr("astype")(dtype);
          },
          py::arg("dtype") = py::none())
      .def("__getitem__",
           [](const py::object& self, const py::object& at) -> py::object {
             return numpyOf(self)[at];
           })
      .def("__len__",
           [](const Value& value) {
             const py::tuple shape = value.shape();
             if (shape.empty()) throw py::type_error("this value has no length");
             return shape[0].cast<size_t>();
           })
      .def("__copy__", [](const py::object& self) { return self; })  // values are immutable
      .def("__deepcopy__", [](const py::object& self, const py::object&) { return self; })
      .def("__reduce__",
           [](const Value&) -> py::object {
             throw py::type_error("a halo.Array may be in a device's memory: pickle its `numpy()`");
           })
      .def("__repr__", [](const Value& value) { return "halo.Array(" + value.text() + ")"; });
}

}  // namespace halo_python
