#include "lang/value/mapped.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace halo::value {
namespace {

constexpr size_t kMappedPadding = 64;

// Of buffers whose handle is a file.
class MappedMemory final : public Memory {
 public:
  diag::Result<BufferRef> allocate(size_t bytes) override { return allocateHost(bytes); }
  void release(Buffer& buffer) noexcept override {
    delete static_cast<std::shared_ptr<MappedFile>*>(buffer.handle());
  }
  diag::Result<std::monostate> read(const Buffer& from, size_t offset, void* to,
                                    size_t bytes) override {
    std::memcpy(to, from.host() + offset, bytes);
    return std::monostate{};
  }
  bool isHost() const override { return true; }
};

MappedMemory& mappedMemory() {
  static auto* const kMemory = new MappedMemory;
  return *kMemory;
}

size_t roundedUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

std::shared_ptr<MappedFile> MappedFile::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return nullptr;
  struct stat facts {};
  const bool is_large = fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
                        static_cast<size_t>(facts.st_size) >= kMappedFrom;
  const auto bytes = static_cast<size_t>(is_large ? facts.st_size : 0);
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t mapped = roundedUp(bytes + kMappedPadding, page);
  // Zeros all over, then the file in front of them.
  void* whole = is_large ? mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                         : MAP_FAILED;
  void* data = whole == MAP_FAILED ? MAP_FAILED
                                   : mmap(whole, bytes, PROT_READ | PROT_WRITE,
                                          MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0);
  close(file);
  if (data == MAP_FAILED) {
    if (whole != MAP_FAILED) munmap(whole, mapped);
    return nullptr;
  }
  return std::make_shared<MappedFile>(static_cast<std::byte*>(data), bytes, mapped);
}

MappedFile::~MappedFile() { munmap(data_, mapped_); }

BufferRef bufferOf(std::shared_ptr<MappedFile> file, size_t offset) {
  std::byte* data = file->data() + offset;
  const size_t bytes = file->bytes() - offset;
  return std::make_shared<Buffer>(mappedMemory(), data, 0, bytes,
                                  new std::shared_ptr<MappedFile>(std::move(file)));
}

}  // namespace halo::value
