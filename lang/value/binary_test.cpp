// Binary values, .npy and PNG: round trips and damaged files.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "lang/value/test_values.h"

using namespace halo::value;  // NOLINT: a test of exactly this namespace

namespace {

std::string bytes(std::initializer_list<int> list) {
  std::string text;
  for (const int byte : list) text += static_cast<char>(byte);
  return text;
}

Array randomArray(ScalarType type, std::vector<int64_t> shape, uint64_t seed) {
  std::mt19937_64 random(seed);
  Array array = *makeArray(type, std::move(shape));
  for (int64_t i = 0; i < array.elements(); ++i) setAt(array, i, Scalar::fromBits(type, random()));
  return array;
}

// Axis order swapped without moving the elements.
Array transposed(Array array) {
  std::swap(array.layout.shape[0], array.layout.shape[1]);
  std::swap(array.layout.strides[0], array.layout.strides[1]);
  return array;
}

std::string npyFailure(const std::string& file) {
  const auto value = readNpy(file, {});
  if (value) return "no failure";
  CHECK(value.error().code == halo::diag::Code::malformed_value);
  return value.error().message;
}

std::string npyFile(const std::string& header, const std::string& data) {
  std::string file = "\x93NUMPY";
  file +=
      bytes({1, 0, static_cast<int>(header.size() & 0xff), static_cast<int>(header.size() >> 8)});
  return file + header + data;
}

struct TemporaryFolder {
  std::filesystem::path path;
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "halo-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  std::string file(const std::string& name) const { return (path / name).string(); }
};

void checkSame(const Value& want, const Value& got) {
  const auto difference = firstDifference(want, got, {});
  CHECK_MESSAGE(!difference.has_value(), difference.value_or(""));
}

}  // namespace

TEST_CASE("binary: layout of a value") {
  CHECK(toBinary(valueOf("[1i16, 2]")) ==
        "b" + bytes({2, 1}) + " i16" + bytes({2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0}));
  CHECK(toBinary(valueOf("true")) == "b" + bytes({2, 0}) + "bool" + bytes({1}));
}

TEST_CASE("binary: round trip of every type, mixed with text") {
  for (const ScalarType type : halo::prim::kAllScalarTypes) {
    const Array array = randomArray(type, {3, 4, 5}, 7);
    const auto back = tryValues("1 " + toBinary(array) + " [2] " + toBinary(array.at(3)) + "\n");
    REQUIRE(back.has_value());
    REQUIRE(back->size() == 4);
    checkSame(array, (*back)[1]);
    checkSame(array.at(3), (*back)[3]);
  }
  checkSame(valueOf("empty([0][3]f32)"), valueOf(toBinary(valueOf("empty([0][3]f32)"))));
  const Array view = transposed(randomArray(ScalarType::kI32, {3, 4}, 1));
  checkSame(view, valueOf(toBinary(view)));
}

TEST_CASE("binary: damaged headers") {
  const std::string sizes(8, '\xff');
  CHECK(failureOf("b").starts_with("binary value ends after 1 bytes of its header"));
  CHECK(failureOf("b" + bytes({3, 0}) + " i32").starts_with("binary format version 3"));
  CHECK(failureOf("b" + bytes({2, 200}) + " i32").starts_with("binary value of rank 200"));
  CHECK(failureOf("b" + bytes({2, 0}) + "i32 ").starts_with("unknown element type"));
  CHECK(failureOf("b" + bytes({2, 1}) + " i32").starts_with("binary value ends inside its sizes"));
  CHECK(failureOf("b" + bytes({2, 1}) + " i32" + sizes).starts_with("array size `-1` is negative"));
  const std::string large = bytes({0, 0, 0, 0, 0, 0, 0, 64});
  CHECK(failureOf("b" + bytes({2, 2}) + " i32" + large + large).starts_with("array of shape"));
  CHECK(failureOf("b" + bytes({2, 1}) + " i32" + bytes({9, 0, 0, 0, 0, 0, 0, 0}) + "1234")
            .starts_with("binary value of shape `[9]` needs 36 bytes, found 4"));
}

TEST_CASE("npy: round trip of every type") {
  for (const ScalarType type : halo::prim::kAllScalarTypes) {
    const Array array = randomArray(type, {3, 5}, 9);
    const auto back = readNpy(toNpy(array), {});
    REQUIRE(back.has_value());
    checkSame(array, *back);
    checkSame(array.at(0), *readNpy(toNpy(array.at(0)), {}));
  }
  CHECK(toNpy(valueOf("[1,2]")).size() == 128 + 8);
  checkSame(valueOf("empty([2][0]f64)"), *readNpy(toNpy(valueOf("empty([2][0]f64)")), {}));
}

TEST_CASE("npy: column-major and big-endian files") {
  const std::string header = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }\n";
  const auto value = readNpy(npyFile(header, bytes({0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 1, 0})), {});
  REQUIRE(value.has_value());
  CHECK(toText(*value) == "[[1i16, 2i16, 3i16], [4i16, 5i16, 256i16]]");
  const std::string python2 = "{\"shape\": (2L,), \"fortran_order\": False, \"descr\": \"|u1\"}";
  CHECK(toText(*readNpy(npyFile(python2, "ab"), {})) == "[97u8, 98u8]");
}

TEST_CASE("npy: damaged files") {
  const std::string good = "'fortran_order': False, ";
  CHECK(npyFailure("hello") == "not an npy file");
  CHECK(npyFailure(npyFile("{}", "")) == "npy header needs `descr`, `fortran_order` and `shape`");
  CHECK(npyFailure(npyFile("", "")) == "npy header is no dictionary");
  CHECK(npyFailure(npyFile("{'descr': '<i4', " + good + "'shape': (1,), 'descr': '<f4'}",
                           "1234")) == "npy header has `descr` twice");
  CHECK(npyFailure(npyFile("{'descr': '<i4', " + good + "'shape': (1,), 'x': 1}", "1234")) ==
        "npy header has an unknown entry `x`");
  CHECK(npyFailure(npyFile("{'descr': '<i4', 'fortran_order': 0, 'shape': (1,)}", "1234")) ==
        "npy `fortran_order` is True or False, not `0`");
  CHECK(npyFailure(npyFile("{'descr': '<i4', " + good + "'shape': (1000000000,)}", "1234")) ==
        "npy array of shape `[1000000000]` needs 4000000000 bytes, found 4");
  CHECK(npyFailure(npyFile("{'descr': '|O', " + good + "'shape': (1,)}", "")) ==
        "npy element type `|O` has no counterpart here");
  CHECK(npyFailure(npyFile("{'descr': [('a', '<i4')], " + good + "'shape': (1,)}", "")) ==
        "npy element type is not a plain one");
  CHECK(npyFailure(npyFile("{'descr': '<c8', " + good + "'shape': (1,)}", "")) ==
        "npy element type `<c8` has no counterpart here");
  CHECK(npyFailure(npyFile("{'descr': '<i4', " + good + "'shape': (3,)}", "1234")) ==
        "npy array of shape `[3]` needs 12 bytes, found 4");
  CHECK(npyFailure(npyFile("{'descr': '<i4', " + good + "'shape': (-3,)}", "")) ==
        "npy shape has an unreadable size");
  CHECK(npyFailure(npyFile("{'descr': '<i4', " + good + "'shape': (99999999999999999999,)}", "")) ==
        "npy shape has an unreadable size");
  CHECK(npyFailure(npyFile("{'descr': '<i8', " + good + "'shape': (4294967296, 4294967296,)}", ""))
            .ends_with("has more elements than memory can address"));
  std::string lying = npyFile("{}", "");
  lying[8] = '\xff';
  CHECK(npyFailure(lying) == "npy header of 255 bytes, found 2");
}

TEST_CASE("PNG: written and read back for each kind of parameter") {
  const TemporaryFolder folder;
  halo::source::Files files;
  const std::string path = folder.file("a.png");
  Array pixels = randomArray(ScalarType::kU32, {7, 5}, 3);
  REQUIRE(writeFile(path, pixels).has_value());
  checkSame(pixels, readFile(files, path, std::nullopt)->front());

  REQUIRE(writeFile(path, valueOf("[[0f32, 1, 0.2], [2, -1, f32.nan]]")).has_value());
  CHECK(toText(readFile(files, path, Shape{ScalarType::kU8, 2})->front()) ==
        "[[0u8, 255u8, 51u8], [255u8, 0u8, 0u8]]");
  CHECK(toText(readFile(files, path, Shape{ScalarType::kF32, 2})->front()) ==
        "[[0.0f32, 1.0f32, 0.2f32], [1.0f32, 0.0f32, 0.0f32]]");
  CHECK(toText(readFile(files, path, Shape{ScalarType::kBool, 2})->front()) ==
        "[[false, true, false], [true, false, false]]");
  CHECK(toText(readFile(files, path, Shape{ScalarType::kU32, 2})->front().array()->at(2)) ==
        "4281545523u32");

  const Array large = randomArray(ScalarType::kU8, {512, 512}, 4);
  REQUIRE(writeFile(path, large).has_value());
  checkSame(large, readFile(files, path, Shape{ScalarType::kU8, 2})->front());
}

TEST_CASE("pictures of the wrong kind") {
  const TemporaryFolder folder;
  const auto code = [&](const std::string& text) {
    return writeFile(folder.file("a.png"), valueOf(text)).error().code;
  };
  CHECK(code("[1u8, 2u8]") == halo::diag::Code::value_not_printable);
  CHECK(code("[[1i64]]") == halo::diag::Code::value_not_printable);
  CHECK(code("empty([0][0]u8)") == halo::diag::Code::value_not_printable);
}

TEST_CASE("files by extension, missing, unreadable and unwritable") {
  const TemporaryFolder folder;
  halo::source::Files files;
  const Value value = randomArray(ScalarType::kF32, {4, 6}, 5);
  for (const std::string name : {"v.npy", "v.bin", "v.txt", "v"}) {
    CAPTURE(name);
    REQUIRE(writeFile(folder.file(name), value).has_value());
    const auto back = readFile(files, folder.file(name), std::nullopt);
    REQUIRE(back.has_value());
    checkSame(value, back->front());
  }
  using halo::diag::Code;
  const auto readCode = [&](const std::string& path) {
    return readFile(files, path, std::nullopt).error().code;
  };
  CHECK(readCode(folder.file("absent.txt")) == Code::missing_file);
  CHECK(readCode(folder.path.string()) == Code::unreadable_file);
  CHECK(readCode(folder.file("v.txt") + "/x") == Code::missing_file);
  CHECK(writeFile(folder.path.string(), value).error().code == Code::unwritable_file);
  CHECK(writeFile(folder.file("no/such.txt"), value).error().code == Code::unwritable_file);
  CHECK(writeFile(folder.file("no/such.png"), valueOf("[[1u8]]")).error().code ==
        Code::unwritable_file);
  CHECK(writeFile(folder.file("t.npy"), makeTuple({})).error().code == Code::value_not_printable);
  std::ofstream(folder.file("broken.png")) << "not a picture";
  CHECK(readCode(folder.file("broken.png")) == Code::malformed_value);
  std::ofstream(folder.file("broken.npy")) << "not numpy";
  CHECK(readCode(folder.file("broken.npy")) == Code::malformed_value);
  std::ofstream(folder.file("x.gz")) << "zipped";
  CHECK(readCode(folder.file("x.gz")) == Code::unreadable_file);
}

TEST_CASE("random bytes never crash a reader") {
  std::mt19937_64 random(11);
  constexpr char kAlphabet[] = "[]()-+0123456789.eExbipfu_,\" \n\\truefalsenanempty";
  const TemporaryFolder folder;
  halo::source::Files files;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    const size_t length = random() % 40;
    for (size_t k = 0; k < length; ++k) {
      text +=
          i % 2 == 0 ? kAlphabet[random() % (sizeof kAlphabet - 1)] : static_cast<char>(random());
    }
    (void)tryValues(text);
    (void)tryValues("b\x02" + text);
    (void)readNpy("\x93NUMPY\x01" + text, {});
  }
  const std::string npy = toNpy(randomArray(ScalarType::kI32, {3, 4}, 1));
  const std::string binary = toBinary(randomArray(ScalarType::kF16, {3, 4}, 1));
  for (int i = 0; i < 20000; ++i) {  // one byte wrong, or cut short
    std::string broken = npy;
    broken[random() % 100] = static_cast<char>(random());
    (void)readNpy(broken.substr(0, random() % 200), {});
    broken = binary;
    broken[random() % 24] = static_cast<char>(random());
    (void)tryValues(broken.substr(0, random() % 60));
  }
  REQUIRE(writePng(folder.file("a.png"), randomArray(ScalarType::kU8, {9, 9}, 1)).has_value());
  std::ifstream picture_file(folder.file("a.png"), std::ios::binary);
  const std::string picture((std::istreambuf_iterator<char>(picture_file)), {});
  for (int i = 0; i < 300; ++i) {
    std::string broken = picture;
    broken[random() % broken.size()] = static_cast<char>(random());
    std::ofstream(folder.file("b.png"), std::ios::binary) << broken;
    (void)readFile(files, folder.file("b.png"), std::nullopt);
  }
}
