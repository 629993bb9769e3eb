// Pictures and plots as text and bytes.
#include <doctest/doctest.h>

#include <cmath>

#include "cli/picture/file.h"
#include "cli/picture/plot.h"

namespace halo::picture {

namespace {

Pixels filled(int64_t width, int64_t height, uint32_t argb) {
  return {width, height, std::vector<uint32_t>(static_cast<size_t>(width * height), argb)};
}

value::Value numbers(std::vector<int64_t> shape) {
  auto array = *value::makeArray(prim::ScalarType::kU8, std::move(shape));
  for (int64_t i = 0; i < array.elements(); ++i) {
    value::setAt(array, i, value::Scalar::ofUnsigned(prim::ScalarType::kU8, 10));
  }
  return array;
}

}  // namespace

TEST_CASE("shapes tell what a value shows") {
  CHECK(framesOf(numbers({2, 5}))->size() == 1);
  CHECK(framesOf(numbers({7, 2, 5}))->size() == 7);
  CHECK(framesOf(numbers({7, 2, 3}))->size() == 1);
  CHECK(framesOf(numbers({7, 2, 5, 3}))->size() == 7);
  CHECK(framesOf(numbers({7, 2, 3}))->front().argb[0] == 0xff0a0a0a);
  CHECK_FALSE(framesOf(numbers({7})).has_value());
  CHECK_FALSE(framesOf(numbers({0, 3})).has_value());
}

TEST_CASE("an animated PNG has its frames in order") {
  const std::string png = toAnimatedPng({filled(2, 2, 0xff000000), filled(2, 2, 0xffffffff)}, 40);
  const size_t control = png.find("acTL"), data = png.find("IDAT"), more = png.find("fdAT");
  CHECK(png.substr(1, 3) == "PNG");
  CHECK(control < png.find("fcTL"));
  CHECK(png.find("fcTL") < data);
  CHECK(data < more);
  CHECK(more < png.find("IEND"));
  CHECK(png.substr(more + 4, 4) == std::string("\0\0\0\2", 4));  // after fcTL 0, fcTL 1
}

TEST_CASE("scaling takes means") {
  Pixels pixels = filled(4, 2, 0xff000000);
  pixels.argb[0] = 0xffffffff;
  const Pixels half = scaled(pixels, 2, 1);
  CHECK(half.argb == std::vector<uint32_t>{0xff3f3f3f, 0xff000000});
}

TEST_CASE("pictures as text stay within the screen") {
  Screen screen;
  screen.columns = 10;
  screen.rows = 6;
  const std::string text = inTerminal(filled(100, 100, 0xffffffff), screen);
  CHECK(text == "@@@@@@@@\n@@@@@@@@\n@@@@@@@@\n@@@@@@@@\n");
  screen.mode = Mode::kBlocks;
  CHECK(inTerminal(filled(1, 2, 0xff010203), screen).find("\x1b[38;2;1;2;3;48;2;1;2;3m▀") !=
        std::string::npos);
}

TEST_CASE("plots survive any numbers") {
  Plot plot;
  plot.series.push_back({"", {0, 1, 2, 3}, {1e308, -1e308, NAN, INFINITY}});
  Screen screen;
  CHECK(inTerminal(plot, screen).find("1e+308") != std::string::npos);
  CHECK(asPicture(plot, 100, 80).argb.size() == 8000);
  plot.series[0] = {"", {}, {}};
  CHECK_FALSE(inTerminal(plot, screen).empty());
}

}  // namespace halo::picture
