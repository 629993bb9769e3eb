// libpng writes single pictures. An animated PNG is the first one's chunks with `acTL` before the
// data and `fcTL` before each frame. The data of later frames moves from `IDAT` to `fdAT` chunks
// with a running number in front (APNG specification 1.0).
#include "cli/picture/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "lang/value/format.h"

namespace halo::picture {

using value::Value;

namespace {

constexpr int kFrameMilliseconds = 50;
constexpr size_t kSignature = 8;

uint32_t crcOf(std::string_view bytes) {
  uint32_t crc = 0xffffffff;
  for (char byte : bytes) {
    crc ^= static_cast<uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
  }
  return ~crc;
}

void appendBig(std::string& out, uint32_t number, int bytes = 4) {
  for (int i = bytes; i-- > 0;) out += static_cast<char>(number >> (8 * i) & 0xff);
}

uint32_t bigAt(std::string_view bytes, size_t at) {
  uint32_t number = 0;
  for (size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<uint8_t>(bytes[at + i]);
  return number;
}

void appendChunk(std::string& out, std::string_view type, std::string_view data) {
  appendBig(out, static_cast<uint32_t>(data.size()));
  const std::string body = std::string(type) + std::string(data);
  out += body;
  appendBig(out, crcOf(body));
}

struct Chunk {
  std::string_view type, data;
};

std::vector<Chunk> chunksOf(std::string_view png) {
  std::vector<Chunk> chunks;
  for (size_t at = kSignature; at + 12 <= png.size();) {
    const uint32_t size = bigAt(png, at);
    chunks.push_back({png.substr(at + 4, 4), png.substr(at + 8, size)});
    at += 12 + size;
  }
  return chunks;
}

std::string frameControl(uint32_t number, const Pixels& frame, int milliseconds) {
  std::string data;
  appendBig(data, number);
  appendBig(data, static_cast<uint32_t>(frame.width));
  appendBig(data, static_cast<uint32_t>(frame.height));
  appendBig(data, 0);  // x and y
  appendBig(data, 0);
  appendBig(data, static_cast<uint32_t>(milliseconds), 2);
  appendBig(data, 1000, 2);
  data += '\0';  // dispose: leave it
  data += '\0';  // blend: overwrite
  return data;
}

std::string numbered(const std::string& path, size_t number) {
  const size_t percent = path.find('%');
  const size_t end = path.find('d', percent);
  const std::string width = path.substr(percent + 1, end - percent - 1);
  const bool zeros = width.starts_with('0');
  const size_t digits = width.empty() ? 0 : std::min<size_t>(std::stoul("0" + width), 9);
  std::string text = std::to_string(number);
  while (text.size() < digits) text.insert(text.begin(), zeros ? '0' : ' ');
  return path.substr(0, percent) + text + path.substr(end + 1);
}

// `%d` or `%03d`, once.
bool isNumbered(const std::string& path) {
  const size_t percent = path.find('%');
  if (percent == std::string::npos) return false;
  const size_t end = path.find_first_not_of("0123456789", percent + 1);
  return end != std::string::npos && path[end] == 'd' && end - percent < 8;
}

std::string extensionOf(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

// A format that the name promises and no function here writes: its text would be no such file.
bool isForeign(const std::string& path) {
  constexpr std::array<std::string_view, 13> kForeign = {
      ".jpg", ".jpeg", ".gif", ".bmp", ".tif",     ".tiff", ".webp",
      ".svg", ".npz",  ".csv", ".wav", ".parquet", ".h5"};
  return std::find(kForeign.begin(), kForeign.end(), extensionOf(path)) != kForeign.end();
}

diag::Result<std::string> writeNumbered(const std::string& path,
                                        const std::vector<Pixels>& frames) {
  for (size_t i = 0; i < frames.size(); ++i) {
    auto written = value::writeBytes(numbered(path, i), value::toPng(frames[i]));
    if (!written) return diag::Failure(written.error());
  }
  return fmt::format("{} to {}", numbered(path, 0), numbered(path, frames.size() - 1));
}

}  // namespace

std::string toAnimatedPng(const std::vector<Pixels>& frames, int milliseconds) {
  std::string out;
  uint32_t sequence = 0;
  for (size_t i = 0; i < frames.size(); ++i) {
    const std::string png = value::toPng(frames[i]);
    if (i == 0) out = png.substr(0, kSignature);
    bool is_announced = false;
    for (const Chunk& chunk : chunksOf(png)) {
      const bool is_data = chunk.type == "IDAT";
      if (is_data && !is_announced) {
        is_announced = true;
        if (i == 0) {
          std::string control;
          appendBig(control, static_cast<uint32_t>(frames.size()));
          appendBig(control, 0);  // plays for ever
          appendChunk(out, "acTL", control);
        }
        appendChunk(out, "fcTL", frameControl(sequence++, frames[i], milliseconds));
      }
      if (is_data && i > 0) {
        std::string data;
        appendBig(data, sequence++);
        appendChunk(out, "fdAT", data + std::string(chunk.data));
      } else if (i == 0 && chunk.type != "IEND") {
        appendChunk(out, chunk.type, chunk.data);
      }
    }
  }
  appendChunk(out, "IEND", "");
  return out;
}

diag::Result<std::string> writeFile(const std::string& path, const Value& anywhere) {
  if (isForeign(path)) {
    return diag::fail(diag::Code::unwritable_file, {},
                      fmt::format("no files `{}` are written", extensionOf(path)),
                      {"help: `.png` for pictures, `.npy` and `.bin` for arrays, else text"});
  }
  if (extensionOf(path) != ".png") {
    auto written = value::writeFile(path, anywhere);
    if (!written) return diag::Failure(written.error());
    return path;
  }
  const auto frames = framesOf(anywhere);
  if (!frames) return diag::Failure(frames.error());
  if (isNumbered(path)) return writeNumbered(path, *frames);
  const bool is_animation = frames->size() > 1;
  auto written = value::writeBytes(path, is_animation ? toAnimatedPng(*frames, kFrameMilliseconds)
                                                      : value::toPng(frames->front()));
  if (!written) return diag::Failure(written.error());
  return path + (is_animation ? fmt::format(", {} pictures", frames->size()) : "");
}

}  // namespace halo::picture
