// A WAVE file is a list of chunks: a name of four letters, a size, as many bytes, even in number.
// `fmt ` says how samples are stored, `data` holds them, channel by channel for each moment.
#include "lang/value/wav.h"

#include <bit>
#include <optional>

namespace halo::value {

namespace {

uint64_t littleEndian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

struct SampleFormat {
  bool is_float = false;
  size_t channels = 0;
  size_t bytes = 0;  // of one sample

  bool isKnown() const {
    const bool is_size = is_float ? bytes == 4 || bytes == 8 : bytes >= 1 && bytes <= 4;
    return channels > 0 && is_size;
  }
};

SampleFormat formatOf(std::string_view chunk) {
  constexpr uint64_t kFloat = 3, kExtensible = 0xfffe;  // the latter says later which it is
  SampleFormat format;
  if (chunk.size() < 16) return format;
  uint64_t kind = littleEndian(chunk.substr(0, 2));
  if (kind == kExtensible && chunk.size() >= 26) kind = littleEndian(chunk.substr(24, 2));
  format.is_float = kind == kFloat;
  format.channels = littleEndian(chunk.substr(2, 2));
  format.bytes = littleEndian(chunk.substr(14, 2)) / 8;
  return format;
}

// Eight bits are unsigned, more are signed.
double sampleOf(std::string_view bytes, bool is_float) {
  const uint64_t bits = littleEndian(bytes);
  if (is_float && bytes.size() == 4) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (is_float) return std::bit_cast<double>(bits);
  if (bytes.size() == 1) return (static_cast<double>(bits) - 128) / 128;
  const auto top = static_cast<int32_t>(bits << (32 - 8 * bytes.size()));
  return static_cast<double>(top) / 2147483648.0;
}

diag::Result<Value> samples(const SampleFormat& format, std::string_view data) {
  const size_t count = data.size() / (format.channels * format.bytes);
  auto sound = makeArray(ScalarType::kF64,
                         {static_cast<int64_t>(format.channels), static_cast<int64_t>(count)});
  if (!sound) return diag::Failure(sound.error());
  for (size_t moment = 0; moment < count; ++moment) {
    for (size_t channel = 0; channel < format.channels; ++channel) {
      const size_t at = (moment * format.channels + channel) * format.bytes;
      const double sample = sampleOf(data.substr(at, format.bytes), format.is_float);
      setAt(*sound, static_cast<int64_t>(channel * count + moment), Scalar::ofF64(sample));
    }
  }
  return Value(std::move(*sound));
}

}  // namespace

diag::Result<Value> readWav(std::string_view bytes, source::Span where) {
  auto fail = [&](const char* message) {
    return diag::fail(diag::Code::malformed_value, where, message);
  };
  if (!bytes.starts_with("RIFF") || bytes.size() < 12 || bytes.substr(8, 4) != "WAVE") {
    return fail("this is no sound: a file of `RIFF` with `WAVE` inside is needed");
  }
  std::optional<SampleFormat> format;
  for (size_t at = 12; bytes.size() - at >= 8;) {
    const std::string_view name = bytes.substr(at, 4);
    const uint64_t size = littleEndian(bytes.substr(at + 4, 4));
    const std::string_view chunk = bytes.substr(at + 8, size);
    if (name == "fmt ") format = formatOf(chunk);
    if (format && !format->isKnown()) {
      return fail("samples are integers of 8 to 32 bits or floats of 32 or 64");
    }
    if (name == "data" && format) return samples(*format, chunk);
    if (chunk.size() < size || bytes.size() - at - 8 < size + (size & 1)) break;
    at += 8 + size + (size & 1);
  }
  return fail("the file ends before its samples");
}

}  // namespace halo::value
