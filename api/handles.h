// Which handles the library has given out and not taken back. The address alone tells a freed
// handle, or one of another kind, from these: its memory is not looked at. A freed address that a
// new handle of the same kind got is that handle.
#pragma once

#include <cstdint>

namespace halo::api {

enum class HandleKind : uint8_t { kContext, kProgram, kValue, kError, kSession };

void enterHandle(const void* handle, HandleKind kind);
void leaveHandle(const void* handle);
bool isHandle(const void* handle, HandleKind kind);

// The only base of the object behind a handle, so that both have the same address.
template <HandleKind kind>
class Handle {
 public:
  Handle() { enterHandle(this, kind); }
  ~Handle() { leaveHandle(this); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

template <HandleKind kind>
bool isInUse(const Handle<kind>* handle) {
  return handle != nullptr && isHandle(handle, kind);
}

}  // namespace halo::api
