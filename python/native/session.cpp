// Sessions of Python, for the notebook kernel.
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "interrupt.h"
#include "native.h"

namespace halo_python {

namespace {

void cancelSession(void* session) { halo_session_cancel(static_cast<halo_session*>(session)); }

// Lines as `halo repl` takes them.
class Session {
 public:
  // `plots`: svg, or png for pages that show no drawings (GitHub, LaTeX).
  Session(const std::string& backend, const std::string& plots) {
    halo_options options{};
    options.size = sizeof options;
    options.backend = backend.c_str();
    halo_error* error = nullptr;
    check(halo_session_new(&options, &handle_, &error), error);
    halo_session_show(handle_, show, &answers_);
    if (plots != "png") halo_session_show_plots(handle_, show, &answers_);
  }
  ~Session() {
    const py::gil_scoped_release released;
    halo_session_free(handle_);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Whether all of it worked, and the answer: pairs of a kind (text, error, image/png,
  // image/svg+xml) and bytes, in their order.
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

}  // namespace

void bindSession(py::module_& module) {
  py::class_<Session>(module, "Session")
      .def(py::init<std::string, std::string>())
      .def("enter", &Session::enter)
      .def("complete", &Session::complete)
      .def("is_incomplete", &Session::isIncomplete);
}

}  // namespace halo_python
