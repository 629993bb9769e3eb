// Values as Python has them: halo.Array.
#pragma once

#include <string>
#include <utility>

#include "native.h"

namespace halo_python {

class Value {
 public:
  explicit Value(Owned value) : value_(std::move(value)) {}
  halo_value* get() const { return value_.get(); }
  const halo_type* type() const { return halo_type_of(get()); }
  bool isArray() const { return halo_type_kind(type()) == HALO_ARRAY; }

  py::tuple shape() const;
  py::dtype dtype() const { return dtypeOf(halo_type_scalar(type())); }
  std::string text() const;

 private:
  Owned value_;
};

// The bytes of a scalar or array as a numpy array that keeps the value.
py::array view(const Value& value, py::handle base);

}  // namespace halo_python
