#include "results.h"

#include <utility>
#include <vector>

#include "value.h"

namespace halo_python {

Owned copied(halo_context* context, Owned value) {
  const halo_type* type = halo_type_of(value.get());
  halo_error* error = nullptr;
  halo_value* copy = nullptr;
  if (halo_type_kind(type) == HALO_ARRAY) {
    const void* data = nullptr;
    check(halo_data(value.get(), &data, &error), error);
    check(halo_array_copy(context, halo_type_scalar(type), halo_type_rank(type),
                          halo_shape(value.get()), nullptr, data, &copy, &error),
          error);
    return Owned(copy);
  }
  if (halo_type_kind(type) != HALO_TUPLE && halo_type_kind(type) != HALO_RECORD) return value;
  std::vector<Owned> fields;
  std::vector<halo_value*> plain;
  std::vector<const char*> names;
  for (size_t i = 0; i < halo_fields(value.get()); i++) {
    fields.push_back(copied(context, Owned(halo_field(value.get(), i))));
    plain.push_back(fields.back().get());
    names.push_back(halo_type_field_name(type, i));
  }
  check(halo_type_kind(type) == HALO_TUPLE
            ? halo_tuple(context, plain.data(), plain.size(), &copy, &error)
            : halo_record(context, names.data(), plain.data(), plain.size(), &copy, &error),
        error);
  return Owned(copy);
}

py::object toPython(Owned value) {
  const halo_type* type = halo_type_of(value.get());
  const halo_kind kind = halo_type_kind(type);
  if (kind == HALO_SCALAR) {
    const Value scalar(std::move(value));
    return view(scalar, py::none())[py::tuple(0)];
  }
  if (kind == HALO_ARRAY || (kind == HALO_SUM && halo_type_rank(type) > 0)) {
    return py::cast(Value(std::move(value)));
  }
  py::list parts;
  if (kind == HALO_SUM) parts.append(halo_constructor(value.get()));
  for (size_t i = 0; i < halo_fields(value.get()); i++) {
    parts.append(toPython(Owned(halo_field(value.get(), i))));
  }
  if (kind == HALO_SUM) {
    return py::module_::import("halo._errors").attr("Sum")(parts, Value(std::move(value)));
  }
  if (kind == HALO_TUPLE) return py::tuple(parts);
  py::list names;
  for (size_t i = 0; i < parts.size(); i++) names.append(halo_type_field_name(type, i));
  return py::module_::import("halo._errors").attr("record")(py::tuple(names), parts);
}

}  // namespace halo_python
