// The extension module halo._native over halo.h alone: contexts, programs, values. Arguments and
// results of calls are arranged here, because small calls must cost no more than two microseconds;
// all else is Python (halo/__init__.py).
#include <halo/halo.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <signal.h>

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace py = pybind11;

namespace {

constexpr py::ssize_t kMostListed = 1000;  // elements of a list that stands for an array

// numpy's names of scalar types, by halo_scalar_type.
const char* const kNames[] = {"int8",   "int16",  "int32",   "int64",   "uint8",   "uint16",
                              "uint32", "uint64", "float16", "float32", "float64", "bool"};

py::dtype dtypeOf(halo_scalar_type type) {
  static auto* const types = [] {
    auto* all = new std::vector<py::dtype>;
    for (const char* name : kNames) all->push_back(py::dtype::from_args(py::str(name)));
    return all;
  }();
  return (*types)[type];
}

// ---- failures

// Raises the exception that `halo._errors.make` makes of an error.
[[noreturn]] void raise(halo_status status, halo_error* error) {
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

// The error by reference: it may be read before the call that makes it has run.
void check(halo_status status, halo_error* const& error) {
  if (status != HALO_OK) raise(status, error);
}

// ---- handles. Handles that may wait for a context's lock are freed without the interpreter's. A
// call that holds the former may need the latter to give an array back.

struct Context {
  halo_context* handle = nullptr;
  Context(const std::string& backend, const std::string& device, const std::string& fp,
          int threads) {
    halo_options options{};
    options.size = sizeof options;
    options.backend = backend.c_str();
    options.device = device.c_str();
    options.fp = fp.c_str();
    options.threads = threads;
    halo_error* error = nullptr;
    check(halo_context_new(&options, &handle, &error), error);
  }
  ~Context() {
    const py::gil_scoped_release released;
    halo_context_free(handle);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

struct ValueDeleter {
  void operator()(halo_value* value) const { halo_release(value); }
};
using Owned = std::unique_ptr<halo_value, ValueDeleter>;

class Value {
 public:
  explicit Value(Owned value) : value_(std::move(value)) {}
  halo_value* get() const { return value_.get(); }
  const halo_type* type() const { return halo_type_of(get()); }
  bool isArray() const { return halo_type_kind(type()) == HALO_ARRAY; }

  py::tuple shape() const {
    const int rank = isArray() ? halo_type_rank(type()) : 0;
    py::tuple shape(rank);
    for (int i = 0; i < rank; i++) shape[i] = py::int_(halo_shape(get())[i]);
    return shape;
  }
  py::dtype dtype() const { return dtypeOf(halo_type_scalar(type())); }
  std::string text() const {
    const std::unique_ptr<char, void (*)(char*)> text(halo_value_text(get(), 2000), halo_text_free);
    return text ? text.get() : "";
  }

 private:
  Owned value_;
};

// The bytes of a scalar or array as a numpy array that keeps the value.
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

// ---- arguments

// A numpy array that a call reads in place.
struct Loan {
  PyObject* array;
  std::atomic<bool> is_returned = false;
};

void giveBack(void* user) {
  auto* loan = static_cast<Loan*>(user);
  const PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF(loan->array);
  PyGILState_Release(state);
  loan->is_returned = true;
}

// The loans of one call. One that a result shares is never freed: the result's copy ends it.
struct Loans {
  std::vector<std::shared_ptr<Loan>> all;
};

struct Place {
  halo_context* context;
  const char* entry;
  size_t argument;
};

[[noreturn]] void wrongType(const Place& place, const halo_type* wanted, py::handle found) {
  const std::string text = halo_type_text(wanted);
  std::string name = py::str(py::type::of(found).attr("__name__"));
  if (py::hasattr(found, "dtype")) {
    name = "an array of " + std::string(py::str(found.attr("dtype"))) + " with " +
           std::string(py::str(found.attr("ndim"))) + " axes";
  }
  throw py::type_error("argument " + std::to_string(place.argument + 1) + " of `" + place.entry +
                       "` is " + text + ", not " + name);
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
    // numpy checks that it fits.
    scalar = py::module_::import("numpy").attr("asarray")(given);
    if (!is_float && type != HALO_BOOL) {
      const py::object info = py::module_::import("numpy").attr("iinfo")(dtypeOf(type));
      if (given < info.attr("min") || given > info.attr("max")) {
        PyErr_SetString(
            PyExc_OverflowError,
            (std::string(py::str(given)) + " does not fit `" + halo_type_text(wanted) +
             "`, argument " + std::to_string(place.argument + 1) + " of `" + place.entry + "`")
                .c_str());
        throw py::error_already_set();
      }
    }
    scalar = scalar.attr("astype")(dtypeOf(type));
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
    const auto narrow = static_cast<float>(number);
    halo_scalar(place.context, type, type == HALO_F64 ? static_cast<const void*>(&number) : &narrow,
                &value, nullptr);
  }
  return Owned(value);
}

// Arrays of other libraries, in place where their memory is the host's.
py::object asArray(const Place& place, const halo_type* wanted, py::handle given) {
  const py::module_ numpy = py::module_::import("numpy");
  if (py::hasattr(given, "__array_interface__") || py::hasattr(given, "__array__")) {
    return numpy.attr("asarray")(given);
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

Owned arrayOf(const Place& place, const halo_type* wanted, py::handle given, Loans* loans) {
  const py::dtype dtype = dtypeOf(halo_type_scalar(wanted));
  py::object object = py::reinterpret_borrow<py::object>(given);
  if (PyList_Check(given.ptr()) != 0 || PyTuple_Check(given.ptr()) != 0) {
    if (py::len(given) > kMostListed) {
      throw py::type_error("argument " + std::to_string(place.argument + 1) + " of `" +
                           place.entry + "` is a long list: make a numpy array of it");
    }
    object = py::module_::import("numpy").attr("asarray")(given, dtype);
  } else if (!py::isinstance<py::array>(given)) {
    object = asArray(place, wanted, given);
  }
  const py::array array = py::reinterpret_borrow<py::array>(object);
  if (!array.dtype().equal(dtype) || array.ndim() != halo_type_rank(wanted)) {
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

Owned valueOf(const Place& place, const halo_type* wanted, py::handle given, Loans* loans);

Owned groupOf(const Place& place, const halo_type* wanted, py::handle given, Loans* loans) {
  const size_t count = halo_type_fields(wanted);
  const bool is_tuple = halo_type_kind(wanted) == HALO_TUPLE;
  const bool is_dict = PyDict_Check(given.ptr()) != 0;
  if (is_tuple && (PyTuple_Check(given.ptr()) == 0 || py::len(given) != count)) {
    wrongType(place, wanted, given);
  }
  std::vector<Owned> fields;
  std::vector<halo_value*> plain;
  std::vector<const char*> names;
  for (size_t i = 0; i < count; i++) {
    const char* name = halo_type_field_name(wanted, i);
    py::object field;
    if (is_tuple) {
      field = given[py::int_(i)];
    } else if (is_dict ? given.contains(name) : py::hasattr(given, name)) {
      field = is_dict ? py::object(given[name]) : py::object(given.attr(name));
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
      break;
  }
  wrongType(place, wanted, given);
}

// ---- results

// The same in memory of Halo's own.
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
  if (kind != HALO_RECORD) return py::tuple(parts);
  py::list names;
  for (size_t i = 0; i < parts.size(); i++) names.append(halo_type_field_name(type, i));
  return py::module_::import("halo._errors").attr("record")(py::tuple(names), parts);
}

// ---- Ctrl-C: while a call of the main thread runs, it cancels the call, too; then Python's own
// handler notes it.

// The call that runs on the main thread, and how it is cancelled.
struct Running {
  void* object;
  void (*cancel)(void*);
};
std::atomic<const Running*> running = nullptr;
struct sigaction before;

void onInterrupt(int signal, siginfo_t* info, void* context) {
  if (const Running* now = running.load()) now->cancel(now->object);
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  }
}

class Interruptible {
 public:
  Interruptible(void* object, void (*cancel)(void*))
      : is_main_(std::this_thread::get_id() == mainThread()), self_{object, cancel} {
    if (!is_main_) return;
    struct sigaction action {};
    action.sa_sigaction = onInterrupt;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGINT, &action, &before);
    running = &self_;
  }
  ~Interruptible() {
    if (!is_main_) return;
    running = nullptr;
    sigaction(SIGINT, &before, nullptr);
  }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  static std::thread::id mainThread() {  // that imports the module first
    static const std::thread::id thread = std::this_thread::get_id();
    return thread;
  }

 private:
  bool is_main_;
  Running self_;
};

void cancelContext(void* context) { halo_cancel(static_cast<halo_context*>(context)); }
void cancelSession(void* session) { halo_session_cancel(static_cast<halo_session*>(session)); }

// ---- programs

class Program {
 public:
  Program(py::object context, const std::string& name, const std::optional<std::string>& text)
      : context_(std::move(context)) {
    halo_context* handle = this->context();
    halo_error* error = nullptr;
    halo_status status = HALO_OK;
    {
      const py::gil_scoped_release released;
      status =
          text ? halo_load_text(handle, name.c_str(), text->data(), text->size(), &handle_, &error)
               : halo_load_file(handle, name.c_str(), &handle_, &error);
    }
    check(status, error);
  }
  ~Program() {
    const py::gil_scoped_release released;
    halo_program_free(handle_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // By entry: name, type, documentation, names of the parameters.
  py::list entries() const {
    py::list entries;
    for (size_t i = 0; i < halo_entries(handle_); i++) {
      py::list names;
      for (size_t k = 0; k < halo_inputs(handle_, i); k++)
        names.append(halo_input_name(handle_, i, k));
      entries.append(py::make_tuple(halo_entry_name(handle_, i), halo_entry_type(handle_, i),
                                    halo_entry_doc(handle_, i), names));
    }
    return entries;
  }

  py::object call(size_t entry, const py::args& arguments) const {
    std::vector<Owned> results = withArguments(
        entry, arguments, [&](const std::vector<halo_value*>& in) { return run(entry, in); });
    if (results.size() == 1) return toPython(std::move(results[0]));
    py::tuple all(results.size());
    for (size_t i = 0; i < results.size(); i++) all[i] = toPython(std::move(results[i]));
    return all;
  }

  // The arguments in the memory that calls of the entry read.
  py::tuple place(size_t entry, const py::args& arguments) const {
    std::vector<Owned> placed = withArguments(
        entry, arguments, [&](const std::vector<halo_value*>& in) { return place(entry, in); });
    py::tuple all(placed.size());
    for (size_t i = 0; i < placed.size(); i++) all[i] = py::cast(Value(std::move(placed[i])));
    return all;
  }

  py::object read(size_t entry, const std::string& text) const {
    std::vector<halo_value*> values(halo_inputs(handle_, entry));
    halo_error* error = nullptr;
    check(halo_read_inputs(handle_, entry, text.data(), text.size(), values.data(), values.size(),
                           &error),
          error);
    py::list all;
    for (halo_value* value : values) all.append(py::cast(Value(Owned(value))));
    return py::tuple(all);
  }

 private:
  halo_context* context() const { return context_.cast<const Context&>().handle; }

  // What `use` makes of the arguments as values; numpy's memory is not part of it.
  template <typename Use>
  std::vector<Owned> withArguments(size_t entry, const py::args& arguments, const Use& use) const {
    const size_t count = halo_inputs(handle_, entry);
    if (arguments.size() != count) {
      throw py::type_error("`" + std::string(halo_entry_name(handle_, entry)) + "` takes " +
                           std::to_string(count) + " arguments, not " +
                           std::to_string(arguments.size()));
    }
    Loans loans;
    std::vector<Owned> in;
    std::vector<halo_value*> plain;
    for (size_t i = 0; i < count; i++) {
      in.push_back(valueOf({context(), halo_entry_name(handle_, entry), i},
                           halo_input_type(handle_, entry, i), arguments[i], &loans));
      plain.push_back(in.back().get());
    }
    std::vector<Owned> results = use(plain);
    in.clear();
    for (const std::shared_ptr<Loan>& loan : loans.all) {
      if (!loan->is_returned) results = ownResults(std::move(results));
    }
    return results;
  }

  std::vector<Owned> place(size_t entry, const std::vector<halo_value*>& in) const {
    std::vector<halo_value*> out(in.size());
    halo_error* error = nullptr;
    halo_status status = HALO_OK;
    {
      const py::gil_scoped_release released;
      status = halo_place(handle_, entry, in.data(), in.size(), out.data(), &error);
    }
    check(status, error);
    return std::vector<Owned>(out.begin(), out.end());
  }

  std::vector<Owned> run(size_t entry, const std::vector<halo_value*>& in) const {
    std::vector<halo_value*> out(halo_outputs(handle_, entry));
    halo_error* error = nullptr;
    halo_status status = HALO_OK;
    {
      const Interruptible interrupt(context(), cancelContext);
      const py::gil_scoped_release released;
      status = halo_call(handle_, entry, in.data(), in.size(), out.data(), out.size(), &error);
    }
    if (PyErr_CheckSignals() != 0) {
      halo_error_free(error);
      if (status == HALO_OK) {
        for (halo_value* value : out) halo_release(value);
      }
      throw py::error_already_set();
    }
    check(status, error);
    return std::vector<Owned>(out.begin(), out.end());
  }

  // A result may be an argument, whose memory is numpy's to change.
  std::vector<Owned> ownResults(std::vector<Owned> results) const {
    for (Owned& result : results) result = copied(context(), std::move(result));
    return results;
  }

  py::object context_;
  halo_program* handle_ = nullptr;
};

// Lines as `halo repl` takes them.
class Session {
 public:
  explicit Session(const std::string& backend) {
    halo_options options{};
    options.size = sizeof options;
    options.backend = backend.c_str();
    halo_error* error = nullptr;
    check(halo_session_new(&options, &handle_, &error), error);
    halo_session_show(handle_, show, &answers_);
  }
  ~Session() {
    const py::gil_scoped_release released;
    halo_session_free(handle_);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Whether all of it worked, and the answer: pairs of a kind (text, error, image/png) and
  // bytes, in their order.
  py::tuple enter(const std::string& text) {
    answers_.clear();
    halo_status status = HALO_OK;
    {
      const Interruptible interrupt(handle_, cancelSession);
      const py::gil_scoped_release released;
      status = halo_session_enter(handle_, text.data(), text.size(), collect, &answers_);
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    py::list answers;
    for (const auto& [kind, bytes] : answers_)
      answers.append(py::make_tuple(kind, py::bytes(bytes)));
    return py::make_tuple(status == HALO_OK, answers);
  }
  // Where the word before the cursor begins, and what it may be; in bytes of UTF-8.
  py::tuple complete(const std::string& text, size_t cursor) const {
    std::vector<std::string> candidates;
    const size_t start = halo_session_complete(
        handle_, text.data(), text.size(), cursor,
        [](void* user, const char* candidate) {
          static_cast<std::vector<std::string>*>(user)->emplace_back(candidate);
        },
        &candidates);
    return py::make_tuple(start, candidates);
  }
  bool isIncomplete(const std::string& text) const {
    return halo_session_incomplete(handle_, text.data(), text.size());
  }

 private:
  using Answers = std::vector<std::pair<std::string, std::string>>;
  static void collect(void* user, bool is_error, const char* text, size_t bytes) {
    Answers& answers = *static_cast<Answers*>(user);
    const char* kind = is_error ? "error" : "text";
    if (answers.empty() || answers.back().first != kind) answers.emplace_back(kind, "");
    answers.back().second.append(text, bytes);
  }
  static void show(void* user, const char* mime, const char* bytes, size_t count) {
    static_cast<Answers*>(user)->emplace_back(mime, std::string(bytes, count));
  }

  halo_session* handle_ = nullptr;
  Answers answers_;  // of the last input
};

// Uninitialised memory that every engine reads in place, as a numpy array.
py::array empty(const Context& context, const std::vector<int64_t>& shape, const py::dtype& dtype) {
  for (int type = HALO_I8; type <= HALO_BOOL; type++) {
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

PYBIND11_MODULE(_native, module) {
  Interruptible::mainThread();
  module.def("version", [] { return halo_version(); });
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
      .def("__repr__", [](const Value& value) { return "halo.Array(" + value.text() + ")"; });
  py::class_<Session>(module, "Session")
      .def(py::init<std::string>())
      .def("enter", &Session::enter)
      .def("complete", &Session::complete)
      .def("is_incomplete", &Session::isIncomplete);
  py::class_<Program>(module, "Program")
      .def(py::init<py::object, std::string, std::optional<std::string>>())
      .def("entries", &Program::entries)
      .def("read", &Program::read)
      .def("place", py::overload_cast<size_t, const py::args&>(&Program::place, py::const_))
      .def("call", &Program::call);
}
