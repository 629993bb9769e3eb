// numpy's .npz: a zip archive of .npy files, stored or deflated (PKWARE's APPNOTE.TXT 4.3). The
// central directory at the end says the place and the size of each; bytes in front of the files are
// passed over.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "lang/value/readers.h"

namespace halo::value {

namespace {

using Wrong = tl::unexpected<std::string>;

constexpr size_t kEndBytes = 22, kEntryBytes = 46, kLocalBytes = 30;
constexpr uint32_t kEndMark = 0x06054b50, kEntryMark = 0x02014b50, kLocalMark = 0x04034b50;
constexpr uint32_t kElsewhere = 0xffffffff;  // the value is in a field of 64 bits
constexpr size_t kLongestComment = 0xffff;

class Archive {
 public:
  explicit Archive(std::string_view bytes) : bytes_(bytes) {}

  base::Expected<std::vector<Value>, std::string> read() {
    const size_t end = findEnd();
    if (end == std::string_view::npos) return Wrong("it is no zip archive, or its end is missing");
    const size_t count = number<uint16_t>(end + 10);
    size_t at = number<uint32_t>(end + 16);
    std::vector<Value> values;
    std::set<std::string_view> names;
    for (size_t i = 0; i < count; ++i) {
      if (!has(at, kEntryBytes) || number<uint32_t>(at) != kEntryMark) {
        return Wrong("its directory is damaged");
      }
      const size_t name_bytes = number<uint16_t>(at + 28);
      auto value = entry(at, name_bytes);
      if (!value) return Wrong(value.error());
      const std::string_view name = bytes_.substr(at + kEntryBytes, name_bytes);
      if (!names.insert(name).second) return Wrong(fmt::format("`{}` is there twice", name));
      values.push_back(std::move(*value));
      at += kEntryBytes + name_bytes + number<uint16_t>(at + 30) + number<uint16_t>(at + 32);
    }
    if (values.empty()) return Wrong("it has no arrays");
    return values;
  }

 private:
  bool has(size_t at, size_t count) const {
    return at <= bytes_.size() && count <= bytes_.size() - at;
  }
  template <typename Number>
  Number number(size_t at) const {  // little-endian
    Number value = 0;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return value;
  }

  // In front of a comment of any length.
  size_t findEnd() const {
    if (bytes_.size() < kEndBytes) return std::string_view::npos;
    const size_t last = bytes_.size() - kEndBytes;
    for (size_t back = 0; back <= std::min(last, kLongestComment); ++back) {
      if (number<uint32_t>(last - back) == kEndMark) return last - back;
    }
    return std::string_view::npos;
  }

  base::Expected<Value, std::string> entry(size_t at, size_t name_bytes) const {
    if (!has(at + kEntryBytes, name_bytes)) return Wrong("its directory is damaged");
    const std::string_view name = bytes_.substr(at + kEntryBytes, name_bytes);
    const auto method = number<uint16_t>(at + 10);
    const auto packed = number<uint32_t>(at + 20), size = number<uint32_t>(at + 24);
    const auto local = number<uint32_t>(at + 42);
    if (packed == kElsewhere || size == kElsewhere || local == kElsewhere) {
      return Wrong(fmt::format("`{}` has 4 GiB or more", name));
    }
    if (!has(local, kLocalBytes) || number<uint32_t>(local) != kLocalMark) {
      return Wrong(fmt::format("`{}` is not where the directory says", name));
    }
    const size_t begin =
        local + kLocalBytes + number<uint16_t>(local + 26) + number<uint16_t>(local + 28);
    if (!has(begin, packed)) return Wrong(fmt::format("`{}` is cut off", name));
    const auto bytes = unpacked(bytes_.substr(begin, packed), method, size);
    if (!bytes) return Wrong(fmt::format("`{}`: {}", name, bytes.error()));
    if (crc32Of(*bytes) != number<uint32_t>(at + 16)) {
      return Wrong(fmt::format("`{}` is damaged: its checksum is another", name));
    }
    const auto value = readNpy(*bytes, {});
    if (!value) return Wrong(fmt::format("`{}`: {}", name, value.error().message));
    return *value;
  }

  static base::Expected<std::string, std::string> unpacked(std::string_view packed, int method,
                                                           size_t size) {
    constexpr int kStored = 0, kDeflated = 8;
    if (method == kStored && packed.size() == size) return std::string(packed);
    if (method == kStored) return Wrong("its two sizes differ");
    if (method != kDeflated) return Wrong(fmt::format("compression method {} is not read", method));
    auto bytes = inflated(packed, Compressed::kDeflate);
    if (bytes && bytes->size() != size) return Wrong("it is not as long as the directory says");
    return bytes;
  }

  std::string_view bytes_;
};

}  // namespace

base::Expected<std::vector<Value>, std::string> readNpz(std::string_view bytes) {
  return Archive(bytes).read();
}

}  // namespace halo::value
