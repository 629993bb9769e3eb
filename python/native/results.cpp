#include "results.h"

#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>

#include <utility>

#include "value.h"

namespace halo_python {

Owned copied(Owned value) {
  halo_value* copy = nullptr;
  halo_error* error = nullptr;
  check(halo_copy(value.get(), &copy, &error), error);
  return Owned(copy);
}

namespace {

// A number of numpy's own type, without an array around it.
py::object scalarOf(halo_value* value, halo_scalar_type type) {
  if (PyArray_API == nullptr && _import_array() < 0) throw py::error_already_set();
  const void* data = nullptr;
  halo_error* error = nullptr;
  check(halo_data(value, &data, &error), error);
  auto* descr = reinterpret_cast<PyArray_Descr*>(dtypeOf(type).ptr());
  PyObject* made = PyArray_Scalar(const_cast<void*>(data), descr, nullptr);
  if (made == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(made);
}

}  // namespace

py::object toPython(Owned value) {
  const halo_type* type = halo_type_of(value.get());
  const halo_kind kind = halo_type_kind(type);
  if (kind == HALO_SCALAR) return scalarOf(value.get(), halo_type_scalar(type));
  if (kind == HALO_ARRAY || (kind == HALO_SUM && halo_type_rank(type) > 0)) {
    return py::cast(Value(std::move(value)));
  }
  py::list parts;
  if (kind == HALO_SUM) parts.append(halo_constructor(value.get()));
  for (size_t i = 0; i < halo_fields(value.get()); ++i) {
    parts.append(toPython(Owned(halo_field(value.get(), i))));
  }
  if (kind == HALO_SUM) {
    return py::module_::import("halo._errors").attr("Sum")(parts, Value(std::move(value)));
  }
  if (kind == HALO_TUPLE) return py::tuple(parts);
  py::list names;
  for (size_t i = 0; i < parts.size(); ++i) names.append(halo_type_field_name(type, i));
  return py::module_::import("halo._errors").attr("record")(py::tuple(names), parts);
}

}  // namespace halo_python
