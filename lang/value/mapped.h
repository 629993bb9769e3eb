// Large files as arrays in place: the system reads a page when an element of it is read. Of several
// ranks that read one file each reads its own rows.
#pragma once

#include <memory>
#include <string>

#include "lang/value/value.h"

namespace halo::value {

inline constexpr size_t kMappedFrom = size_t{1} << 24;  // bytes

// A file's bytes; writes stay in memory. Zeros behind the end, as behind all buffers.
class MappedFile {
 public:
  // Null: no regular file of kMappedFrom bytes or more, or the system refuses.
  static std::shared_ptr<MappedFile> open(const std::string& path);
  MappedFile(std::byte* data, size_t bytes, size_t mapped)
      : data_(data), bytes_(bytes), mapped_(mapped) {}
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::byte* data() const { return data_; }
  size_t bytes() const { return bytes_; }

 private:
  std::byte* data_;
  size_t bytes_, mapped_;
};

// The bytes from `offset` on, which a buffer's alignment divides.
BufferRef bufferOf(std::shared_ptr<MappedFile> file, size_t offset);

}  // namespace halo::value
