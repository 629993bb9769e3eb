#include "arguments.h"

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "value.h"

namespace halo_python {

namespace {

constexpr py::ssize_t kMaxListed = 1000;  // elements of a list that stands for an array

void giveBack(void* user) {
  auto* loan = static_cast<Loan*>(user);
  const PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF(loan->array);
  PyGILState_Release(state);
  loan->is_returned = true;
}

std::string nameOf(py::handle found) {
  if (!py::hasattr(found, "dtype")) return py::str(py::type::of(found).attr("__name__"));
  const std::string dtype = py::str(found.attr("dtype"));
  const std::string axes = py::str(found.attr("ndim"));
  if (axes == "0") return "a number of " + dtype;
  return "an array of " + dtype + " with " + axes + (axes == "1" ? " axis" : " axes");
}

[[noreturn]] void wrong(const Place& place, const halo_type* wanted, const std::string& found) {
  throw py::type_error("argument " + std::to_string(place.argument + 1) + " of `" + place.entry +
                       "` is " + halo_type_text(wanted) + ", " + found);
}

// For an array of as many axes whose elements alone have another type.
std::string proposal(const halo_type* wanted, py::handle found) {
  if (halo_type_kind(wanted) != HALO_ARRAY || !py::hasattr(found, "astype")) return "";
  if (found.attr("ndim").cast<int>() != halo_type_rank(wanted)) return "";
  const std::string name = py::str(dtypeOf(halo_type_scalar(wanted)).attr("name"));
  const std::string type = name == "bool" ? "bool_" : name;  // numpy calls it so
  return "; `.astype(np." + type + ")` converts it";
}

// Texts are bytes, arrays of records are records of arrays.
std::string otherForm(const halo_type* wanted, py::handle found) {
  const halo_kind kind = halo_type_kind(wanted);
  const bool is_bytes = kind == HALO_ARRAY && halo_type_scalar(wanted) == HALO_U8;
  if (is_bytes && PyUnicode_Check(found.ptr()) != 0) return "; `.encode()` makes bytes of it";
  if (kind == HALO_RECORD && PyList_Check(found.ptr()) != 0) return ": write a dict of arrays";
  if (kind == HALO_RECORD && PyTuple_Check(found.ptr()) != 0) return ": write a dict";
  return "";
}

[[noreturn]] void wrongType(const Place& place, const halo_type* wanted, py::handle found) {
  wrong(place, wanted, "not " + nameOf(found) + proposal(wanted, found) + otherForm(wanted, found));
}

[[noreturn]] void tooLarge(const Place& place, const halo_type* wanted, py::handle given) {
  const std::string text = std::string(py::str(given)) + " does not fit `" +
                           halo_type_text(wanted) + "`, argument " +
                           std::to_string(place.argument + 1) + " of `" + place.entry + "`";
  PyErr_SetString(PyExc_OverflowError, text.c_str());
  throw py::error_already_set();
}

// Checks that a float type has numbers as large as this one of Python.
void checkSize(const Place& place, const halo_type* wanted, py::handle given) {
  const double number = PyFloat_AsDouble(given.ptr());
  if (PyErr_Occurred() != nullptr) {  // an integer beyond f64
    PyErr_Clear();
    tooLarge(place, wanted, given);
  }
  constexpr double kLargestF16 = 65519.99999999999, kLargestF32 = 3.4028235677973362e38;  // rounded
  const halo_scalar_type type = halo_type_scalar(wanted);
  const double largest = type == HALO_F16   ? kLargestF16
                         : type == HALO_F32 ? kLargestF32
                                            : std::numeric_limits<double>::max();
  if (std::isfinite(number) && std::abs(number) > largest) tooLarge(place, wanted, given);
}

Owned scalarOf(const Place& place, const halo_type* wanted, py::handle given) {
  const halo_scalar_type type = halo_type_scalar(wanted);
  const bool is_float = type >= HALO_F16 && type <= HALO_F64;
  const bool is_number =
      PyBool_Check(given.ptr()) == 0 &&
      (PyLong_Check(given.ptr()) != 0 || (is_float && PyFloat_Check(given.ptr()) != 0));
  const bool is_bool = type == HALO_BOOL && PyBool_Check(given.ptr()) != 0;
  py::object scalar = py::reinterpret_borrow<py::object>(given);
  if (!py::hasattr(given, "dtype")) {
    if (is_bool ? false : (type == HALO_BOOL || !is_number)) wrongType(place, wanted, given);
    if (is_float) {
      checkSize(place, wanted, given);
    } else if (type != HALO_BOOL) {
      const py::object info = py::module_::import("numpy").attr("iinfo")(dtypeOf(type));
      if (given < info.attr("min") || given > info.attr("max")) tooLarge(place, wanted, given);
    }
    scalar = py::module_::import("numpy").attr("asarray")(scalar).attr("astype")(dtypeOf(type));
  }
  const py::array array = py::array::ensure(scalar);
  if (!array || array.ndim() != 0 || !array.dtype().is(dtypeOf(type)))
    wrongType(place, wanted, given);
  halo_value* value = nullptr;
  halo_error* error = nullptr;
  check(halo_scalar(place.context, type, array.data(), &value, &error), error);
  return Owned(value);
}

// The numbers that calls have most often, without numpy. Nothing: not one of these.
Owned plainScalar(const Place& place, halo_scalar_type type, PyObject* given) {
  halo_value* value = nullptr;
  if (type == HALO_I64 && PyLong_CheckExact(given)) {
    int overflow = 0;
    const int64_t number = PyLong_AsLongLongAndOverflow(given, &overflow);
    if (overflow == 0) halo_scalar(place.context, type, &number, &value, nullptr);
  } else if (type == HALO_I32 && PyLong_CheckExact(given)) {
    int overflow = 0;
    const long long wide = PyLong_AsLongLongAndOverflow(given, &overflow);
    const auto number = static_cast<int32_t>(wide);
    if (overflow == 0 && number == wide) {
      halo_scalar(place.context, type, &number, &value, nullptr);
    }
  } else if ((type == HALO_F32 || type == HALO_F64) && PyFloat_CheckExact(given)) {
    const double number = PyFloat_AS_DOUBLE(given);
    if (type == HALO_F32 && std::abs(number) > std::numeric_limits<float>::max()) return Owned();
    const auto narrow = static_cast<float>(number);
    halo_scalar(place.context, type, type == HALO_F64 ? static_cast<const void*>(&number) : &narrow,
                &value, nullptr);
  }
  return Owned(value);
}

// Whether an integer of Python is one of a type of Halo.
bool fits(halo_scalar_type type, PyObject* given) {
  if (type == HALO_U64) {
    (void)PyLong_AsUnsignedLongLong(given);
    const bool fits = PyErr_Occurred() == nullptr;
    PyErr_Clear();
    return fits;
  }
  int overflow = 0;
  const int64_t number = PyLong_AsLongLongAndOverflow(given, &overflow);
  if (type == HALO_I64) return overflow == 0;
  const bool is_signed = type >= HALO_I8 && type <= HALO_I64;
  const int bits = 8 << (type - (is_signed ? HALO_I8 : HALO_U8));
  const int64_t least = is_signed ? -(int64_t{1} << (bits - 1)) : 0;
  const int64_t greatest = (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  return overflow == 0 && number >= least && number <= greatest;
}

// Each number of a list with so many axes: numpy would cut off what does not fit. numpy itself says
// what is wrong with deeper lists.
void checkListed(const Place& place, const halo_type* wanted, py::handle given, int axes) {
  const bool is_text = PyUnicode_Check(given.ptr()) != 0 || PyBytes_Check(given.ptr()) != 0;
  if (PySequence_Check(given.ptr()) != 0 && !is_text && !py::hasattr(given, "dtype")) {
    if (axes == 0) return;
    for (py::handle element : given) checkListed(place, wanted, element, axes - 1);
    return;
  }
  const halo_scalar_type type = halo_type_scalar(wanted);
  if (py::hasattr(given, "dtype") && py::hasattr(given, "tolist")) {
    if (dtypeOf(type).equal(given.attr("dtype"))) return;
    const py::object numbers = given.attr("tolist")();
    // A number that Python has no type for, such as a `longdouble`, is its own list.
    if (py::hasattr(numbers, "dtype")) wrongType(place, wanted, given);
    return checkListed(place, wanted, numbers, axes);
  }
  const bool is_float = type >= HALO_F16 && type <= HALO_F64;
  const bool is_bool = PyBool_Check(given.ptr()) != 0;  // to Python also an integer
  const bool is_integer = PyLong_Check(given.ptr()) != 0;
  const bool is_number = is_integer || (is_float && PyFloat_Check(given.ptr()) != 0);
  if (is_bool != (type == HALO_BOOL) || !is_number) wrongType(place, wanted, given);
  if (is_bool) return;
  if (is_float) {
    checkSize(place, wanted, given);
  } else if (!fits(type, given.ptr())) {
    tooLarge(place, wanted, given);
  }
}

// Of a list, all of whose numbers fit.
py::object arrayOfList(const Place& place, py::handle given, const py::dtype& dtype) {
  try {
    return py::module_::import("numpy").attr("asarray")(given, dtype);
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ValueError)) throw;
    throw py::value_error("argument " + std::to_string(place.argument + 1) + " of `" + place.entry +
                          "` is a list with rows of different lengths");
  }
}

// Arrays of other libraries, in place where their memory is the host's.
py::object asArray(const Place& place, const halo_type* wanted, py::handle given) {
  const py::module_ numpy = py::module_::import("numpy");
  if (py::hasattr(given, "__array_interface__") || py::hasattr(given, "__array__")) {
    return numpy.attr("asarray")(given);
  }
  if (PyObject_CheckBuffer(given.ptr()) != 0) {  // bytes, array.array
    return numpy.attr("asarray")(py::memoryview(py::reinterpret_borrow<py::object>(given)));
  }
  if (!py::hasattr(given, "__dlpack__")) wrongType(place, wanted, given);
  constexpr int kDlCpu = 1;
  const auto device = given.attr("__dlpack_device__")().cast<std::pair<int, int>>();
  if (device.first != kDlCpu) {
    throw py::type_error("argument " + std::to_string(place.argument + 1) + " of `" + place.entry +
                         "` is in a device's memory: copy it to the host's");
  }
  return numpy.attr("from_dlpack")(given);
}

// Hidden elements of `numpy.ma` would count as the others do.
void refuseMasked(const Place& place, const halo_type* wanted, py::handle given) {
  const bool is_plain = Py_TYPE(given.ptr()) == py::detail::npy_api::get().PyArray_Type_;
  if (is_plain || !py::isinstance<py::array>(given)) return;
  if (py::module_::import("numpy.ma").attr("is_masked")(given).cast<bool>()) {
    wrong(place, wanted, "not an array with masked elements; `.filled(x)` puts x there");
  }
}

Owned arrayOf(const Place& place, const halo_type* wanted, py::handle given, Loans* loans) {
  const py::dtype& dtype = dtypeOf(halo_type_scalar(wanted));
  py::object object = py::reinterpret_borrow<py::object>(given);
  if (PyList_Check(given.ptr()) != 0 || PyTuple_Check(given.ptr()) != 0) {
    if (py::len(given) > kMaxListed) {
      throw py::type_error("argument " + std::to_string(place.argument + 1) + " of `" +
                           place.entry + "` is a long list: make a numpy array of it");
    }
    checkListed(place, wanted, given, halo_type_rank(wanted));
    for (const py::handle element : given) refuseMasked(place, wanted, element);
    object = arrayOfList(place, given, dtype);
  } else if (!py::isinstance<py::array>(given)) {
    object = asArray(place, wanted, given);
  } else {
    refuseMasked(place, wanted, given);
  }
  const py::array array = py::reinterpret_borrow<py::array>(object);
  const bool is_type = array.dtype().is(dtype) || array.dtype().equal(dtype);
  if (!is_type || array.ndim() != halo_type_rank(wanted)) {
    wrongType(place, wanted, array);
  }
  std::vector<int64_t> shape(array.shape(), array.shape() + array.ndim());
  std::vector<int64_t> strides(array.strides(), array.strides() + array.ndim());
  auto loan = std::make_shared<Loan>();
  loan->array = object.inc_ref().ptr();
  halo_value* value = nullptr;
  halo_error* error = nullptr;
  const halo_status status =
      halo_array_borrow(place.context, halo_type_scalar(wanted), static_cast<int>(shape.size()),
                        shape.data(), strides.data(), array.data(),
                        static_cast<size_t>(array.nbytes()), giveBack, loan.get(), &value, &error);
  if (status != HALO_OK) object.dec_ref();
  check(status, error);
  loans->all.push_back(std::move(loan));
  return Owned(value);
}

size_t constructorOf(const Place& place, const halo_type* wanted, const std::string& name) {
  std::string known;
  for (size_t c = 0; c < halo_type_constructors(wanted); ++c) {
    if (name == halo_type_constructor(wanted, c)) return c;
    known += std::string(known.empty() ? "" : ", ") + halo_type_constructor(wanted, c);
  }
  wrong(place, wanted, "not `" + name + "`: its constructors are " + known);
}

// `("some", 3)`; or a result of a call, which keeps its value.
Owned sumOf(const Place& place, const halo_type* wanted, py::handle given, Loans* loans) {
  const py::object kept = py::getattr(given, "_value", py::none());
  if (py::isinstance<Value>(kept)) return Owned(halo_retain(kept.cast<const Value&>().get()));
  const bool is_named = PyTuple_Check(given.ptr()) != 0 && py::len(given) > 0 &&
                        py::isinstance<py::str>(py::object(given[py::int_(0)]));
  if (!is_named || halo_type_rank(wanted) > 0) {
    wrong(place, wanted,
          "not " + nameOf(given) + ": write `(name, payload...)`, or `" + place.entry +
              ".read(text)` with a text such as \"#a 1\"");
  }
  const auto name = py::object(given[py::int_(0)]).cast<std::string>();
  const size_t constructor = constructorOf(place, wanted, name);
  const size_t count = halo_type_payloads(wanted, constructor);
  if (py::len(given) != count + 1) {
    wrong(
        place, wanted,
        "and `" + name + "` takes " + std::to_string(count) + (count == 1 ? " value" : " values"));
  }
  std::vector<Owned> payload;
  std::vector<halo_value*> plain;
  for (size_t i = 0; i < count; ++i) {
    const halo_type* part = halo_type_payload(wanted, constructor, i);
    payload.push_back(valueOf(place, part, py::object(given[py::int_(i + 1)]), loans));
    plain.push_back(payload.back().get());
  }
  halo_value* value = nullptr;
  halo_error* error = nullptr;
  check(halo_sum(place.context, wanted, name.c_str(), plain.data(), count, &value, &error), error);
  return Owned(value);
}

// An array of numpy whose elements have named fields.
bool isStructured(py::handle given) {
  return py::isinstance<py::array>(given) && !given.attr("dtype").attr("names").is_none();
}

py::object keysOf(py::handle given) {
  return isStructured(given) ? py::object(given.attr("dtype").attr("names"))
                             : py::reinterpret_borrow<py::object>(given);
}

// A key that the record does not have is a mistake, such as a misspelt one.
void refuseOtherKeys(const Place& place, const halo_type* wanted, const py::object& keys) {
  const size_t count = halo_type_fields(wanted);
  for (const py::handle key : keys) {
    bool is_known = false;
    for (size_t i = 0; i < count; ++i) {
      is_known = is_known || key.equal(py::str(halo_type_field_name(wanted, i)));
    }
    if (!is_known) {
      wrong(place, wanted, "which has no field " + std::string(py::repr(key)));
    }
  }
}

Owned groupOf(const Place& place, const halo_type* wanted, py::handle given, Loans* loans) {
  const size_t count = halo_type_fields(wanted);
  const bool is_tuple = halo_type_kind(wanted) == HALO_TUPLE;
  const bool is_dict = PyDict_Check(given.ptr()) != 0 || isStructured(given);
  if (is_tuple && PyTuple_Check(given.ptr()) == 0) wrongType(place, wanted, given);
  if (is_tuple && py::len(given) != count) {
    wrong(place, wanted, "not a tuple of " + std::to_string(py::len(given)));
  }
  if (is_dict) refuseOtherKeys(place, wanted, keysOf(given));
  std::vector<Owned> fields;
  std::vector<halo_value*> plain;
  std::vector<const char*> names;
  for (size_t i = 0; i < count; ++i) {
    const char* name = halo_type_field_name(wanted, i);
    py::object field;
    if (is_tuple) {
      field = given[py::int_(i)];
    } else if (is_dict ? keysOf(given).contains(name) : py::hasattr(given, name)) {
      field = is_dict ? py::object(given[name]) : py::object(given.attr(name));
    } else if (is_dict) {
      const std::string whole = isStructured(given) ? "the array" : "the dict";
      wrong(place, wanted, whole + " has no `" + std::string(name) + "`");
    } else {
      wrongType(place, wanted, given);
    }
    fields.push_back(valueOf(place, halo_type_field(wanted, i), field, loans));
    plain.push_back(fields.back().get());
    names.push_back(name);
  }
  halo_value* value = nullptr;
  halo_error* error = nullptr;
  check(is_tuple ? halo_tuple(place.context, plain.data(), count, &value, &error)
                 : halo_record(place.context, names.data(), plain.data(), count, &value, &error),
        error);
  return Owned(value);
}

}  // namespace

Owned valueOf(const Place& place, const halo_type* wanted, py::handle given, Loans* loans) {
  if (py::isinstance<Value>(given)) {
    return Owned(halo_retain(given.cast<const Value&>().get()));
  }
  switch (halo_type_kind(wanted)) {
    case HALO_SCALAR: {
      Owned plain = plainScalar(place, halo_type_scalar(wanted), given.ptr());
      return plain ? std::move(plain) : scalarOf(place, wanted, given);
    }
    case HALO_ARRAY:
      return arrayOf(place, wanted, given, loans);
    case HALO_TUPLE:
    case HALO_RECORD:
      return groupOf(place, wanted, given, loans);
    case HALO_SUM:
      return sumOf(place, wanted, given, loans);
  }
  wrongType(place, wanted, given);
}

}  // namespace halo_python
