// The C++ wrapper from outside of the tree. usage: user_cpp
#include <cstdio>
#include <halo/halo.hpp>

namespace {

// A copy holds nothing of the caller's memory, also of what a tuple holds.
bool isCopied(const halo::Context& context) {
  alignas(64) static float mine[1024 + 16] = {1, 2};
  static int given_back = 0;
  const int64_t shape[] = {1024};
  halo_value *array = nullptr, *pair = nullptr, *copy = nullptr;
  if (halo_array_borrow(
          context.get(), HALO_F32, 1, shape, nullptr, mine, sizeof mine,
          [](void*) { ++given_back; }, nullptr, &array, nullptr) != HALO_OK) {
    return false;
  }
  if (halo_tuple(context.get(), &array, 1, &pair, nullptr) != HALO_OK) return false;
  halo_release(array);
  if (halo_copy(pair, &copy, nullptr) != HALO_OK || given_back != 0) return false;
  halo_release(pair);
  mine[0] = 9;
  const halo::Value kept(copy);
  return given_back == 1 && kept.field(0).data<float>()[0] == 1;
}

// A sum of its constructor and payload; errors name the mistake.
bool areSumsMade(const halo::Context& context) {
  const halo::Program program = context.compile(
      "entry area (s: #circle f32 | #box (f32, f32)): f32 =\n"
      "  match s case #circle r -> r * r case #box (w, h) -> w * h\n");
  const halo_type* type = halo_input_type(program.get(), 0, 0);
  if (halo_type_constructors(type) != 2 || halo_type_payloads(type, 1) != 1) return false;
  if (std::string_view(halo_type_constructor(type, 1)) != "circle") return false;
  if (std::string_view(halo_type_text(halo_type_payload(type, 1, 0))) != "f32") return false;
  const halo::Value radius = context.scalar<float>(3);
  halo_value* payload[] = {radius.get(), radius.get()};
  halo_value* sum = nullptr;
  if (halo_sum(context.get(), type, "circle", payload, 1, &sum, nullptr) != HALO_OK) return false;
  if (program.call("area", {halo::Value(sum)})[0].scalar<float>() != 9) return false;
  halo_error* error = nullptr;
  if (halo_sum(context.get(), type, "circle", payload, 2, &sum, &error) != HALO_USAGE) return false;
  const std::string many = halo_error_text(error);
  halo_error_free(error);
  if (halo_sum(context.get(), type, "ring", payload, 1, &sum, &error) != HALO_USAGE) return false;
  const std::string unknown = halo_error_text(error);
  halo_error_free(error);
  return many.find("`#circle` takes `f32`") != std::string::npos &&
         unknown.find("has no constructor `#ring`") != std::string::npos;
}

// What the gpu engine leaves to the cpu engine is told to the caller's function.
bool isLogged() {
  std::string lines;
  halo_options options{};
  options.size = sizeof options;
  options.backend = "gpu";
  options.log = [](void* user, const char* line) { *static_cast<std::string*>(user) += line; };
  options.log_user = &lines;
  halo_context* context = nullptr;
  if (halo_context_new(&options, &context, nullptr) != HALO_OK) return false;
  const std::string text =
      "def f (n: i64): i64 = if n == 0 then 0 else 1 + f (n - 1)\nentry main (n: i64) = f n\n";
  halo_program* program = nullptr;
  if (halo_load_text(context, "p.fut", text.data(), text.size(), &program, nullptr) != HALO_OK)
    return false;
  const int64_t count = 5;
  halo_value *in = nullptr, *out = nullptr;
  halo_scalar(context, HALO_I64, &count, &in, nullptr);
  const halo_status status = halo_call(program, 0, &in, 1, &out, 1, nullptr);
  if (status == HALO_OK) halo_release(out);
  halo_release(in);
  halo_program_free(program);
  halo_context_free(context);
  const bool has_no_device = status == HALO_UNSUPPORTED;
  return has_no_device || lines.find("runs on the cpu engine") != std::string::npos;
}

// Functions that a session should call, and that are missing, are no crash.
bool needsReceivers() {
  halo_session* session = nullptr;
  if (halo_session_new(nullptr, &session, nullptr) != HALO_OK) return false;
  const size_t start = halo_session_complete(session, "ma", 2, 2, nullptr, nullptr);
  halo_session_show(session, nullptr, nullptr);
  const std::string picture = ":img [[1u32]]";
  const auto ignore = [](void*, bool, const char*, size_t) {};
  const halo_status status =
      halo_session_enter(session, picture.data(), picture.size(), ignore, nullptr);
  halo_session_free(session);
  return start == 2 && status == HALO_OK;
}

}  // namespace

int main() {
  const halo::Context context({.backend = "cpu"});
  const halo::Program program = context.compile(
      "entry blur [n] (xs: [n]f32): [n]f32 =\n"
      "  stencil_1d [-1, 0, 1] (\\() v -> (v[0] + v[1] + v[2]) / 3) (rep ()) xs\n"
      "entry split (x: i32): (i32, bool) = (x / 2, x % 2 == 0)\n");
  const std::vector<float> xs = {0, 3, 6, 9};
  const halo::Value ys = program.call("blur", {context.array(xs)})[0];
  const std::span<const float> found = ys.data<float>();
  if (found.size() != 4 || found[0] != 1 || found[1] != 3 || ys.shape()[0] != 4) return 1;
  const std::vector<halo::Value> parts = program.call("split", {context.scalar<int32_t>(7)});
  if (parts[0].scalar<int32_t>() != 3 || parts[1].scalar<bool>()) return 2;
  if (parts[0].text() != "3") return 3;
  try {
    parts[0].data<float>();
    return 4;
  } catch (const std::invalid_argument&) {
  }
  try {
    context.compile("entry f (x: i32) = x + true\n");
    return 5;
  } catch (const halo::Error& error) {
    if (error.status() != HALO_REJECTED || error.diagnostic().line != 1) return 6;
  }
  if (!isCopied(context)) return 7;
  if (!areSumsMade(context)) return 8;
  if (!isLogged()) return 9;
  if (!needsReceivers()) return 10;
  std::puts("fine");
  return 0;
}
