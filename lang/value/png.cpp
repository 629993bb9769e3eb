// PNG files through libpng's simplified interface, which turns any of them into 8-bit RGBA.
#include <fmt/format.h>
#include <png.h>

#include <cerrno>
#include <cstring>

#include "lang/base/check.h"
#include "lang/value/picture.h"
#include "lang/value/readers.h"

namespace halo::value {

namespace {

// Frees libpng's memory on every way out.
struct Image {
  png_image png;
  Image() {
    std::memset(&png, 0, sizeof png);
    png.version = PNG_IMAGE_VERSION;
  }
  ~Image() { png_image_free(&png); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
};

}  // namespace

diag::Result<Value> readPng(const std::string& path) {
  Image image;
  const auto bad = [&](diag::Code code) {
    return diag::fail(code, {}, fmt::format("picture `{}`: {}", path, image.png.message));
  };
  if (!png_image_begin_read_from_file(&image.png, path.c_str())) {
    return bad(diag::Code::malformed_value);
  }
  image.png.format = PNG_FORMAT_BGRA;  // as a little-endian word: ARGB
  diag::Result<Array> array = makeArray(ScalarType::kU32, {image.png.height, image.png.width});
  if (!array) return diag::Failure(array.error());
  if (!png_image_finish_read(&image.png, nullptr, array->data(), 0, nullptr)) {
    return bad(diag::Code::malformed_value);
  }
  return Value(std::move(*array));
}

std::string toPng(const Pixels& pixels) {
  Image image;
  image.png.width = static_cast<png_uint_32>(pixels.width);
  image.png.height = static_cast<png_uint_32>(pixels.height);
  image.png.format = PNG_FORMAT_BGRA;
  image.png.flags = PNG_IMAGE_FLAG_FAST;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(image.png), '\0');
  png_alloc_size_t size = bytes.size();
  const int done =
      png_image_write_to_memory(&image.png, bytes.data(), &size, 0, pixels.argb.data(), 0, nullptr);
  HALO_CHECK(done != 0, image.png.message);
  bytes.resize(size);
  return bytes;
}

diag::Result<std::monostate> writePng(const std::string& path, const Value& value) {
  const auto pixels = toPixels(value);
  if (!pixels) return diag::Failure(pixels.error());
  return writeBytes(path, toPng(*pixels));
}

}  // namespace halo::value
