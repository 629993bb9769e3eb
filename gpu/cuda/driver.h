// CUDA's driver library, as far as copies between devices need it, opened at run time: nothing of
// CUDA is needed to build or to run Halo. Types and constants are those of its stable C interface.
#pragma once

#include <cstddef>
#include <cstdint>

namespace halo::gpu::cuda {

using Address = uint64_t;  // of a device's memory
using Handle = uint64_t;   // of an allocation

// Where memory is, and who may use it.
struct Location {
  int kind = 1;  // a device
  int device = 0;
};
struct Properties {
  int kind = 1;       // pinned
  int shared_as = 1;  // a file descriptor
  Location location;
  void* unused = nullptr;
  unsigned char flags[8] = {};
};
struct Access {
  Location location;
  int rights = 3;  // read and write
};
struct Uuid {
  unsigned char bytes[16];
};
struct Context;
struct Stream;

enum : int { kSuccess = 0, kNotReady = 600 };
inline constexpr int kFileDescriptor = 1;
inline constexpr unsigned kNonBlocking = 1;  // a stream beside the default one

struct Driver {
  int (*init)(unsigned flags);
  int (*deviceCount)(int* count);
  int (*device)(int* device, int ordinal);
  int (*uuid)(Uuid* uuid, int device);
  int (*retainContext)(Context** context, int device);
  int (*releaseContext)(int device);
  int (*useContext)(Context* context);
  int (*granularity)(size_t* bytes, const Properties* properties, int option);
  int (*reserve)(Address* address, size_t bytes, size_t alignment, Address wanted, uint64_t flags);
  int (*free)(Address address, size_t bytes);
  int (*create)(Handle* handle, size_t bytes, const Properties* properties, uint64_t flags);
  int (*release)(Handle handle);
  int (*map)(Address address, size_t bytes, size_t offset, Handle handle, uint64_t flags);
  int (*unmap)(Address address, size_t bytes);
  int (*setAccess)(Address address, size_t bytes, const Access* access, size_t count);
  int (*exportHandle)(void* file, Handle handle, int kind, uint64_t flags);
  int (*importHandle)(Handle* handle, void* file, int kind);
  int (*makeStream)(Stream** stream, unsigned flags);
  int (*destroyStream)(Stream* stream);
  int (*queryStream)(Stream* stream);
  int (*copy)(Address to, Address from, size_t bytes, Stream* stream);
};

// Null: the library is not there, or it is too old. Initialised.
const Driver* driver();

}  // namespace halo::gpu::cuda
