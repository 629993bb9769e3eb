// C++ on top of halo.h: handles that free themselves, failures as exceptions, arrays from ranges.
//
//   halo::Context context({.backend = "cpu"});
//   halo::Program program = context.load("blur.fut");
//   std::vector<float> picture(512 * 512);
//   halo::Value result = program.call("main", {context.array(picture, {512, 512})})[0];
//   std::span<const float> pixels = result.data<float>();
#pragma once

#include <halo/halo.h>

#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace halo {

class Error : public std::runtime_error {
 public:
  Error(halo_status status, halo_error* error)
      : std::runtime_error(error ? halo_error_text(error) : "halo: failed"),
        status_(status),
        error_(error, halo_error_free) {}
  halo_status status() const { return status_; }
  // The first diagnostic; its texts live as long as this error.
  halo_diagnostic diagnostic() const {
    halo_diagnostic first{};
    first.size = sizeof first;
    if (error_) halo_error_at(error_.get(), 0, &first);
    return first;
  }

 private:
  halo_status status_;
  std::shared_ptr<halo_error> error_;
};

// The error by reference: it may be read before the call that makes it has run.
inline void check(halo_status status, halo_error* const& error) {
  if (status != HALO_OK) throw Error(status, error);
}

template <typename T>
constexpr halo_scalar_type scalarTypeOf() {
  if constexpr (std::is_same_v<T, bool>) {
    return HALO_BOOL;
  } else if constexpr (std::is_floating_point_v<T>) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    return sizeof(T) == 4 ? HALO_F32 : HALO_F64;
  } else {
    static_assert(std::is_integral_v<T>);
    constexpr int kLog = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    return static_cast<halo_scalar_type>((std::is_signed_v<T> ? HALO_I8 : HALO_U8) + kLog);
  }
}

class Value {
 public:
  explicit Value(halo_value* value) : value_(value) {}  // takes the reference over
  Value(const Value& other) : value_(halo_retain(other.value_)) {}
  Value(Value&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  Value& operator=(Value other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Value() { halo_release(value_); }

  halo_value* get() const { return value_; }
  const halo_type* type() const { return halo_type_of(value_); }
  std::vector<int64_t> shape() const {
    const int64_t* shape = halo_shape(value_);
    return shape ? std::vector<int64_t>(shape, shape + halo_type_rank(type()))
                 : std::vector<int64_t>();
  }
  // The elements, on the host; lives as long as the value.
  template <typename T>
  std::span<const T> data() const {
    const halo_kind kind = halo_type_kind(type());
    if ((kind != HALO_SCALAR && kind != HALO_ARRAY) || halo_type_scalar(type()) != scalarTypeOf<T>()) {
      throw std::invalid_argument(std::string("the value has type ") + halo_type_text(type()));
    }
    const void* data = nullptr;
    halo_error* error = nullptr;
    check(halo_data(value_, &data, &error), error);
    size_t count = 1;
    for (int64_t extent : shape()) count *= static_cast<size_t>(extent);
    return {static_cast<const T*>(data), count};
  }
  template <typename T>
  T scalar() const {
    return data<T>()[0];
  }
  size_t fields() const { return halo_fields(value_); }
  Value field(size_t i) const {
    halo_value* part = halo_field(value_, i);
    if (part == nullptr) throw std::out_of_range("the value has no such field");
    return Value(part);
  }
  std::string constructor() const {
    const char* name = halo_constructor(value_);
    return name ? name : "";
  }
  std::string text(size_t limit = 1000) const {
    std::unique_ptr<char, void (*)(char*)> text(halo_value_text(value_, limit), halo_text_free);
    return text ? text.get() : "";
  }

 private:
  halo_value* value_;
};

class Program {
 public:
  explicit Program(halo_program* program) : program_(program, halo_program_free) {}
  halo_program* get() const { return program_.get(); }
  size_t entry(const std::string& name) const {
    size_t entry = 0;
    if (!halo_find_entry(get(), name.c_str(), &entry)) {
      throw std::invalid_argument("the program has no entry `" + name + "`");
    }
    return entry;
  }
  std::vector<Value> call(const std::string& name, const std::vector<Value>& arguments) const {
    const size_t number = entry(name);
    std::vector<halo_value*> in;
    for (const Value& argument : arguments) in.push_back(argument.get());
    std::vector<halo_value*> out(halo_outputs(get(), number));
    halo_error* error = nullptr;
    check(halo_call(get(), number, in.data(), in.size(), out.data(), out.size(), &error), error);
    return std::vector<Value>(out.begin(), out.end());
  }

 private:
  std::shared_ptr<halo_program> program_;
};

struct Options {
  std::string backend = "auto", device = "", fp = "default";
  int threads = 1;
};

class Context {
 public:
  explicit Context(const Options& options = {}) {
    halo_options plain{};
    plain.size = sizeof plain;
    plain.backend = options.backend.c_str();
    plain.device = options.device.c_str();
    plain.fp = options.fp.c_str();
    plain.threads = options.threads;
    halo_context* context = nullptr;
    halo_error* error = nullptr;
    check(halo_context_new(&plain, &context, &error), error);
    context_.reset(context, halo_context_free);
  }
  halo_context* get() const { return context_.get(); }
  void cancel() const { halo_cancel(get()); }

  Program load(const std::string& path) const {
    halo_program* program = nullptr;
    halo_error* error = nullptr;
    check(halo_load_file(get(), path.c_str(), &program, &error), error);
    return Program(program);
  }
  Program compile(const std::string& text, const std::string& name = "program") const {
    halo_program* program = nullptr;
    halo_error* error = nullptr;
    check(halo_load_text(get(), name.c_str(), text.data(), text.size(), &program, &error), error);
    return Program(program);
  }
  template <typename T>
  Value scalar(T number) const {
    halo_value* value = nullptr;
    halo_error* error = nullptr;
    check(halo_scalar(get(), scalarTypeOf<T>(), &number, &value, &error), error);
    return Value(value);
  }
  // A copy of a contiguous range; one axis if there is no shape.
  template <typename Range>
  Value array(const Range& range, std::vector<int64_t> shape = {}) const {
    using T = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(range))>>;
    const auto size = static_cast<int64_t>(std::size(range));
    if (shape.empty()) shape = {size};
    int64_t count = 1;
    for (int64_t extent : shape) count *= extent;
    if (count != size) throw std::invalid_argument("the shape does not have as many elements");
    halo_value* value = nullptr;
    halo_error* error = nullptr;
    check(halo_array_copy(get(), scalarTypeOf<T>(), static_cast<int>(shape.size()), shape.data(),
                          nullptr, std::data(range), &value, &error),
          error);
    return Value(value);
  }

 private:
  std::shared_ptr<halo_context> context_;
};

}  // namespace halo
