// Programs of Python: a loaded text, whose entries are called by number.
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arguments.h"
#include "bindings.h"
#include "context.h"
#include "interrupt.h"
#include "results.h"
#include "value.h"

namespace halo_python {

namespace {

void cancelContext(void* context) { halo_cancel(static_cast<halo_context*>(context)); }

// The arguments of a call, as Python's calling convention gives them.
struct Arguments {
  PyObject* const* first;
  size_t count;
};

Arguments argumentsOf(const py::args& tuple) {
  return {PySequence_Fast_ITEMS(tuple.ptr()), tuple.size()};
}

class Program {
 public:
  Program(py::object context, const std::string& name, const std::optional<std::string>& text)
      : owner_(std::move(context)), context_(owner_.cast<const Context&>().handle) {
    halo_error* error = nullptr;
    halo_status status = HALO_OK;
    {
      const py::gil_scoped_release released;
      status = text ? halo_load_text(context_, name.c_str(), text->data(), text->size(), &handle_,
                                     &error)
                    : halo_load_file(context_, name.c_str(), &handle_, &error);
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
    for (size_t i = 0; i < halo_entries(handle_); ++i) {
      py::list names;
      for (size_t k = 0; k < halo_inputs(handle_, i); ++k)
        names.append(halo_input_name(handle_, i, k));
      entries.append(py::make_tuple(halo_entry_name(handle_, i), halo_entry_type(handle_, i),
                                    halo_entry_doc(handle_, i), names));
    }
    return entries;
  }

  py::object call(size_t entry, const Arguments& arguments) const {
    std::vector<Owned> results = withArguments(
        entry, arguments, [&](const std::vector<halo_value*>& in) { return run(entry, in); });
    if (results.size() == 1) return toPython(std::move(results[0]));
    py::tuple all(results.size());
    for (size_t i = 0; i < results.size(); ++i) all[i] = toPython(std::move(results[i]));
    return all;
  }

  // The arguments in the memory that calls of the entry read.
  py::tuple place(size_t entry, const py::args& arguments) const {
    std::vector<Owned> placed =
        withArguments(entry, argumentsOf(arguments),
                      [&](const std::vector<halo_value*>& in) { return place(entry, in); });
    py::tuple all(placed.size());
    for (size_t i = 0; i < placed.size(); ++i) all[i] = py::cast(Value(std::move(placed[i])));
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

  [[noreturn]] void refuseNames(size_t entry) const {
    const std::string name = halo_entry_name(handle_, entry);
    std::string parameters;
    for (size_t i = 0; i < halo_inputs(handle_, entry); ++i) {
      parameters += halo_input_name(handle_, entry, i) + std::string(", ");
    }
    if (!parameters.empty()) parameters += "/";
    throw py::type_error("`" + name + "` takes its arguments by their places: " + name + "(" +
                         parameters + ")");
  }

 private:
  // What `use` makes of the arguments as values; numpy's memory is not part of it.
  template <typename Use>
  std::vector<Owned> withArguments(size_t entry, const Arguments& arguments, const Use& use) const {
    const size_t count = halo_inputs(handle_, entry);
    if (arguments.count != count) {
      throw py::type_error("`" + std::string(halo_entry_name(handle_, entry)) + "` takes " +
                           std::to_string(count) + " arguments, not " +
                           std::to_string(arguments.count));
    }
    Loans loans;
    std::vector<Owned> in;
    std::vector<halo_value*> plain;
    for (size_t i = 0; i < count; ++i) {
      in.push_back(valueOf({context_, halo_entry_name(handle_, entry), i},
                           halo_input_type(handle_, entry, i), arguments.first[i], &loans));
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
      const Interruptible interrupt(context_, cancelContext);
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
    for (Owned& result : results) result = copied(std::move(result));
    return results;
  }

  py::object owner_;  // of the context
  halo_context* context_;
  halo_program* handle_ = nullptr;
};

// One entry as a function of Python's own: pybind11's way to a method takes a quarter of a small
// call's time.
struct Caller {
  py::object owner;  // of the program
  const Program* program;
  size_t entry;
};

PyObject* called(PyObject* self, PyObject* const* first, Py_ssize_t count, PyObject* names) {
  const auto& caller = *static_cast<const Caller*>(PyCapsule_GetPointer(self, nullptr));
  try {
    if (names != nullptr) caller.program->refuseNames(caller.entry);
    return caller.program->call(caller.entry, {first, static_cast<size_t>(count)}).release().ptr();
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

py::object callerOf(const py::object& program, size_t entry) {
  static PyMethodDef method{"call",
                            reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(called)),
                            METH_FASTCALL | METH_KEYWORDS, nullptr};
  auto caller = std::make_unique<Caller>(Caller{program, &program.cast<const Program&>(), entry});
  const py::capsule self(caller.get(), [](void* held) { delete static_cast<Caller*>(held); });
  caller.release();
  return py::reinterpret_steal<py::object>(PyCFunction_New(&method, self.ptr()));
}

}  // namespace

void bindProgram(py::module_& module) {
  py::class_<Program>(module, "Program")
      .def(py::init<py::object, std::string, std::optional<std::string>>())
      .def("entries", &Program::entries)
      .def("read", &Program::read)
      .def("place", py::overload_cast<size_t, const py::args&>(&Program::place, py::const_))
      .def("caller", &callerOf);
}

}  // namespace halo_python
