// Arrays from the caller's memory: copied, used in place, or to be filled. A borrowed array is a
// Buffer of a Memory whose release gives the caller's memory back.
#include <cstring>

#include "api/objects.h"
#include "lang/base/sanitized.h"

namespace halo::api {
namespace {

using value::Array;
constexpr size_t kReadBehind = 64;  // value::Buffer: engines may read so far
constexpr uintptr_t kPage = 4096;
constexpr int kMaxRank = 16;

struct Loan {
  void (*release)(void*);
  void* user;
};

class Borrowed final : public value::Memory {
 public:
  diag::Result<value::BufferRef> allocate(size_t) override {
    HALO_UNREACHABLE("borrowed memory is the caller's");
  }
  void release(value::Buffer& buffer) noexcept override {
    const std::unique_ptr<Loan> loan(static_cast<Loan*>(buffer.handle()));
    if (loan->release != nullptr) loan->release(loan->user);
  }
  diag::Result<std::monostate> read(const value::Buffer& from, size_t offset, void* to,
                                    size_t bytes) override {
    std::memcpy(to, from.host() + offset, bytes);
    return std::monostate{};
  }
  bool isHost() const override { return true; }
};

// Outlives every array.
Borrowed& borrowed() {
  static auto* const memory = new Borrowed;
  return *memory;
}

// An array as the caller describes it.
struct Given {
  prim::ScalarType type;
  std::vector<int64_t> shape, strides;  // strides in bytes
  const std::byte* data;
  size_t bytes;  // of the elements

  size_t element() const { return static_cast<size_t>(prim::byteSize(type)); }
  bool isDense() const {
    auto step = static_cast<int64_t>(element());
    for (size_t axis = shape.size(); axis-- > 0;) {
      if (shape[axis] != 1 && strides[axis] != step) return false;
      step *= shape[axis];
    }
    return true;
  }
};

halo_status describe(halo_scalar_type type, int rank, const int64_t* shape, const int64_t* strides,
                     const void* data, Given* given, halo_error** error) {
  if (type < HALO_I8 || type > HALO_BOOL) return misuse(error, "this is no scalar type");
  if (rank < 1 || rank > kMaxRank) {
    return misuse(error, "an array has 1 to 16 axes, not " + std::to_string(rank));
  }
  given->type = static_cast<prim::ScalarType>(type);
  given->shape.assign(shape, shape + rank);
  auto bytes = value::byteSize(given->type, given->shape);
  if (!bytes) return fail(error, bytes.error());
  given->bytes = *bytes;
  given->data = static_cast<const std::byte*>(data);
  if (data == nullptr && given->bytes > 0) return misuse(error, "the array has no memory");
  if (strides != nullptr) {
    given->strides.assign(strides, strides + rank);
  } else {
    given->strides = value::denseStrides(given->shape);
    for (int64_t& stride : given->strides) stride *= static_cast<int64_t>(given->element());
  }
  return HALO_OK;
}

void gather(const Given& given, size_t axis, const std::byte* from, std::byte*& to) {
  const size_t element = given.element();
  for (int64_t i = 0; i < given.shape[axis]; ++i, from += given.strides[axis]) {
    if (axis + 1 < given.shape.size()) {
      gather(given, axis + 1, from, to);
      continue;
    }
    std::memcpy(to, from, element);
    to += element;
  }
}

// A byte that is neither 0 nor 1 is no bool: whatever is not 0 becomes 1.
void makeBools(std::byte* bytes, size_t count) {
  for (size_t i = 0; i < count; ++i) bytes[i] = std::byte{bytes[i] != std::byte{0}};
}

diag::Result<Array> copied(const Given& given) {
  auto array = value::makeArray(given.type, given.shape);
  if (!array || given.bytes == 0) return array;
  std::byte* to = array->data();
  if (given.isDense()) {
    std::memcpy(to, given.data, given.bytes);
  } else {
    gather(given, 0, given.data, to);
  }
  if (given.type == prim::ScalarType::kBool) makeBools(array->data(), given.bytes);
  return array;
}

halo_status copy(halo_context* context, const Given& given, halo_value** out, halo_error** error) {
  auto array = copied(given);
  if (!array) return fail(error, array.error());
  context->state->copied_bytes += given.bytes;
  *out = newValue(context->state, std::move(*array));
  return HALO_OK;
}

// Whether reads behind the array stay within the caller's grant, or within its last page.
bool isReadable(const Given& given, size_t readable) {
  if (readable >= given.bytes + kReadBehind) return true;
  const auto last = reinterpret_cast<uintptr_t>(given.data) + given.bytes - 1;
  return !base::kIsAddressSanitized && last / kPage == (last + kReadBehind) / kPage;
}

bool hasBools(const Given& given) {
  for (size_t i = 0; i < given.bytes; ++i) {
    if (given.data[i] > std::byte{1}) return false;
  }
  return true;
}

bool canBorrow(const Given& given, size_t readable) {
  if (given.bytes == 0 || !given.isDense()) return false;
  if (reinterpret_cast<uintptr_t>(given.data) % given.element() != 0) return false;
  if (given.type == prim::ScalarType::kBool && !hasBools(given)) return false;
  return isReadable(given, readable);
}

Array inPlace(const Given& given, const Loan& loan) {
  auto* bytes = const_cast<std::byte*>(given.data);  // never written to: arguments are borrowed
  Array array;
  array.layout = {given.type, given.shape, value::denseStrides(given.shape), 0};
  array.buffer = std::make_shared<value::Buffer>(borrowed(), bytes, 0, given.bytes, new Loan(loan));
  return array;
}

}  // namespace
}  // namespace halo::api

using namespace halo::api;

extern "C" {

halo_status halo_array_copy(halo_context* context, halo_scalar_type type, int rank,
                            const int64_t* shape, const int64_t* strides, const void* data,
                            halo_value** out, halo_error** error) {
  return guarded(error, {{"context", context}, {"shape", shape}, {"out", out}}, [&] {
    Given given{};
    const halo_status status = describe(type, rank, shape, strides, data, &given, error);
    return status == HALO_OK ? copy(context, given, out, error) : status;
  });
}

halo_status halo_array_borrow(halo_context* context, halo_scalar_type type, int rank,
                              const int64_t* shape, const int64_t* strides, const void* data,
                              size_t readable, void (*release)(void*), void* user, halo_value** out,
                              halo_error** error) {
  return guarded(error, {{"context", context}, {"shape", shape}, {"out", out}}, [&] {
    Given given{};
    halo_status status = describe(type, rank, shape, strides, data, &given, error);
    if (status != HALO_OK) return status;
    if (canBorrow(given, readable)) {
      *out = newValue(context->state, inPlace(given, {release, user}));
      return HALO_OK;
    }
    status = copy(context, given, out, error);
    if (status == HALO_OK && release != nullptr) release(user);
    return status;
  });
}

halo_status halo_array_uninit(halo_context* context, halo_scalar_type type, int rank,
                              const int64_t* shape, void** data, halo_value** out,
                              halo_error** error) {
  return guarded(
      error, {{"context", context}, {"shape", shape}, {"data", data}, {"out", out}}, [&] {
        static std::byte nothing[1];
        Given given{};
        const halo_status status = describe(type, rank, shape, nullptr, nothing, &given, error);
        if (status != HALO_OK) return status;
        auto array = halo::value::makeArray(given.type, given.shape);
        if (!array) return fail(error, array.error());
        *data = given.bytes == 0 ? static_cast<void*>(nothing) : array->data();
        *out = newValue(context->state, std::move(*array));
        return HALO_OK;
      });
}

}  // extern "C"
