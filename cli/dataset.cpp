// halo dataset: random values of given types, or the values of files and standard input, in one of
// the formats. The options are those of `futhark dataset`.
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <iterator>

#include "cli/commands.h"
#include "cli/picture/file.h"
#include "cli/session/values/json.h"
#include "cli/session/values/random_values.h"
#include "lang/value/format.h"

namespace halo::cli {
namespace {

using value::Value;

// `--i32-bounds=-5:5`, both ends included.
struct Bounds {
  double low = 0, high = 0;
  int64_t least = 0;
  uint64_t range = 0;  // how many integers; 0: all of them
};

bool readBounds(const std::string& text, prim::ScalarType type, Bounds* bounds) {
  const size_t colon = text.find(':', 1);
  if (colon == std::string::npos) return false;
  const auto read = [&](size_t begin, size_t end, auto* number) {
    const auto done = std::from_chars(text.data() + begin, text.data() + end, *number);
    return done.ec == std::errc() && done.ptr == text.data() + end;
  };
  if (prim::isFloat(type)) {
    return read(0, colon, &bounds->low) && read(colon + 1, text.size(), &bounds->high) &&
           bounds->low <= bounds->high;
  }
  if (type == prim::ScalarType::kU64) {
    uint64_t low = 0, high = 0;
    if (!read(0, colon, &low) || !read(colon + 1, text.size(), &high)) return false;
    bounds->least = static_cast<int64_t>(low);
    bounds->range = high - low + 1;
    return low <= high;
  }
  int64_t high = 0;
  if (!read(0, colon, &bounds->least) || !read(colon + 1, text.size(), &high)) return false;
  bounds->range = static_cast<uint64_t>(high) - static_cast<uint64_t>(bounds->least) + 1;
  return bounds->least <= high;
}

// A random scalar, moved into the bounds.
value::Scalar within(const value::Scalar& random, const Bounds& bounds) {
  if (prim::isFloat(random.type)) {
    return value::Scalar::ofFloat(random.type,
                                  bounds.low + random.asDouble() * (bounds.high - bounds.low));
  }
  const uint64_t offset = bounds.range == 0 ? random.bits : random.bits % bounds.range;
  return value::Scalar::ofUnsigned(random.type, static_cast<uint64_t>(bounds.least) + offset);
}

void move(Value& value, prim::ScalarType type, const Bounds& bounds) {
  if (auto* array = std::get_if<value::Array>(&value.data); array && array->type() == type) {
    for (int64_t i = 0; i < array->elements(); ++i) {
      value::setAt(*array, i, within(array->at(i), bounds));
    }
  } else if (auto* scalar = std::get_if<value::Scalar>(&value.data);
             scalar && scalar->type == type) {
    *scalar = within(*scalar, bounds);
  }
}

// `[10][3]f32`
std::string typeOf(const Value& value) {
  std::string text;
  prim::ScalarType type = prim::ScalarType::kI32;
  if (auto* array = std::get_if<value::Array>(&value.data)) {
    for (int64_t extent : array->shape()) text += "[" + std::to_string(extent) + "]";
    type = array->type();
  } else if (auto* scalar = std::get_if<value::Scalar>(&value.data)) {
    type = scalar->type;
  }
  return text + std::string(prim::name(type));
}

class Dataset {
 public:
  Dataset(const Common& common, const DatasetArguments& arguments)
      : common_(common), arguments_(arguments), session_(sessionOptions(common)) {}

  int run() {
    auto values = arguments_.generate.empty() ? read() : generate();
    if (!values) return report(common_, session_.files(), values.error());
    for (const auto& [name, text] : arguments_.bounds) {
      const prim::ScalarType type = *prim::scalarTypeFromName(name);
      Bounds bounds;
      if (!readBounds(text, type, &bounds)) {
        return refuse(fmt::format("`{}` are no bounds for {}, write `LOW:HIGH`", text, name));
      }
      for (Value& value : *values) move(value, type, bounds);
    }
    return write(*values);
  }

 private:
  int refuse(std::string message) {
    report(common_, {}, diag::fail(diag::Code::malformed_value, {}, std::move(message)).value());
    return kWrongUsage;
  }

  // Each type with the next seed, so that adding one does not change those before it.
  diag::Result<std::vector<Value>> generate() {
    std::vector<Value> values;
    uint64_t seed = arguments_.seed;
    for (const std::string& type : arguments_.generate) {
      auto made = session::randomValues(session_, type, seed++);
      if (!made) return diag::Failure(made.error());
      for (Value& value : *made) values.push_back(std::move(value));
    }
    return values;
  }

  diag::Result<std::vector<Value>> read() {
    if (!arguments_.file.empty()) {
      return value::readFile(session_.files(), arguments_.file, std::nullopt);
    }
    std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    return value::parseValues(session_.files(),
                              session_.files().add("standard input", std::move(text)));
  }

  int write(const std::vector<Value>& values) {
    if (!arguments_.output.empty()) {
      if (values.size() != 1) {
        return refuse(fmt::format("a file takes one value, found {}", values.size()));
      }
      auto written = picture::writeFile(arguments_.output, values[0]);
      return written ? kOk : report(common_, session_.files(), written.error());
    }
    for (const Value& value : values) {
      if (arguments_.types) {
        std::printf("%s\n", typeOf(value).c_str());
        continue;
      }
      const std::string text = arguments_.binary ? value::toBinary(value)
                               : arguments_.json ? session::toJson(value) + "\n"
                                                 : value::toText(value) + "\n";
      if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) return kRunTimeError;
    }
    return kOk;
  }

  const Common& common_;
  const DatasetArguments& arguments_;
  session::Session session_;
};

}  // namespace

int dataset(const Common& common, const DatasetArguments& arguments) {
  return Dataset(common, arguments).run();
}

}  // namespace halo::cli
