// One walk over the value; an array is shown element by element from views.
#include "cli/repl/show.h"

#include "lang/value/format.h"

namespace halo::repl {

using value::Array;
using value::Value;

namespace {

constexpr size_t kDeepest = 6;  // lines between two blocks of an array of high rank

std::string scalarText(const value::Scalar& scalar) {
  std::string text = value::toText(scalar);
  const std::string suffix(prim::name(scalar.type));
  if (scalar.type == prim::ScalarType::kBool) return text;
  const size_t at = text.find(suffix);  // `f32.nan`, `1.5f32`
  if (at == std::string::npos) return text;
  text.erase(at, suffix.size());
  if (at < text.size() && text[at] == '.') text.erase(at, 1);
  return text;
}

class Show {
 public:
  explicit Show(const ShowOptions& options) : options_(options) {}

  void value(const Value& value, const Layout& layout) {
    if (layout.rank > 0 && !layout.fields.empty()) {
      records(value, layout);
    } else if (value.scalar() != nullptr) {
      out += scalarText(*value.scalar());
    } else if (value.array() != nullptr) {
      array(*value.array());
    } else if (value.record() != nullptr) {
      record(*value.record(), layout);
    } else {
      sum(*value.sum());
    }
  }

  std::string out;
  std::optional<diag::Diagnostic> failure;

 private:
  void array(const Array& array) {
    if (array.elements() == 0) {
      out +=
          "empty(" + value::shapeText(array.shape()) + std::string(prim::name(array.type())) + ")";
      return;
    }
    whole_ = array.elements() <= options_.limit;
    if (array.rank() > 1 && !nested_) out += '\n';
    axis(array, 0);
  }

  // The positions of a dimension that are shown, with a gap in the middle if some are not.
  template <typename Visit>
  void positions(int64_t extent, const Visit& visit) {
    const bool all = whole_ || extent <= 2 * options_.edge;
    for (int64_t i = 0; i < extent; ++i) {
      if (!all && i == options_.edge) {
        visit(-1);
        i = extent - options_.edge;
      }
      visit(i);
    }
  }

  void axis(const Array& array, size_t depth) {
    const bool is_row = array.rank() == 1;
    out += '[';
    bool first = true;
    const Array fetched = is_row ? edges(array) : array;
    positions(array.shape()[0], [&](int64_t i) {
      if (!first) separate(array, depth, is_row);
      first = false;
      if (i < 0) {
        out += "...";
      } else if (is_row) {
        out += scalarText(fetched.at(slot(array.shape()[0], i)));
      } else {
        axis(*value::elementOf(array, i).array(), depth + 1);
      }
    });
    out += ']';
  }

  void separate(const Array& array, size_t depth, bool is_row) {
    out += ',';
    if (is_row || nested_) {
      out += ' ';
      return;
    }
    const auto lines = static_cast<size_t>(array.rank() - 1);
    out.append(std::min(lines, kDeepest), '\n');
    out.append(depth + 1, ' ');
  }

  // Where element i of a row is among those that were fetched.
  int64_t slot(int64_t extent, int64_t i) const {
    const bool all = whole_ || extent <= 2 * options_.edge;
    return all || i < options_.edge ? i : i - (extent - 2 * options_.edge);
  }

  // The elements of a row that are shown, on the host.
  Array edges(const Array& row) {
    const int64_t extent = row.shape()[0];
    const bool all = whole_ || extent <= 2 * options_.edge;
    if (all) return fetched(row, 0, extent);
    const Array head = fetched(row, 0, options_.edge);
    const Array tail = fetched(row, extent - options_.edge, options_.edge);
    auto both = value::makeArray(row.type(), {2 * options_.edge});
    if (!both || failure) return zeros(row.type(), 2 * options_.edge);
    for (int64_t i = 0; i < options_.edge; ++i) {
      value::setAt(*both, i, head.at(i));
      value::setAt(*both, options_.edge + i, tail.at(i));
    }
    return *both;
  }

  Array fetched(const Array& row, int64_t first, int64_t count) {
    Array part = row;
    part.layout.shape = {count};
    part.layout.offset += first * row.layout.strides[0];
    auto host = value::toDense(part);
    if (host) return *host;
    failure = host.error();
    return zeros(row.type(), count);
  }

  // Stands in for an array that could not be fetched; the failure is shown instead.
  static Array zeros(prim::ScalarType type, int64_t count) {
    Array array = *value::makeArray(type, {count});
    for (int64_t i = 0; i < count; ++i) value::setAt(array, i, value::Scalar::fromBits(type, 0));
    return array;
  }

  void record(const value::Record& record, const Layout& layout) {
    const bool is_tuple = record.isTuple();
    nested_ = true;
    out += is_tuple ? '(' : '{';
    for (size_t i = 0; i < record.fields.size(); ++i) {
      if (i > 0) out += ", ";
      if (!is_tuple) out += record.names[i] + " = ";
      value(record.fields[i], i < layout.fields.size() ? layout.fields[i] : Layout{});
    }
    out += is_tuple ? ')' : '}';
  }

  void sum(const value::Sum& sum) {
    if (sum.rank > 0) return sums(Value(sum));
    auto host = value::toHost(Value(sum));
    if (!host) {
      failure = host.error();
      return;
    }
    const value::Sum& single = *host->sum();
    out += '#' + single.form->constructors[single.constructor()];
    for (const Value& part : single.payload()) {
      Show inner(options_);
      inner.nested_ = true;
      inner.value(part, {});
      const bool is_application = inner.out[0] == '#' && inner.out.find(' ') != std::string::npos;
      out += is_application ? " (" + inner.out + ")" : " " + inner.out;
    }
  }

  void sums(const Value& array) { elements(array, {}); }

  void records(const Value& array, Layout layout) {
    layout.rank--;
    elements(array, layout);
  }

  void elements(const Value& array, const Layout& layout) {
    const int64_t count = value::lengthOf(array);
    whole_ = count <= options_.limit;
    nested_ = true;
    out += '[';
    bool first = true;
    positions(count, [&](int64_t i) {
      if (!first) out += ", ";
      first = false;
      if (i < 0) {
        out += "...";
      } else {
        value(value::elementOf(array, i), layout);
      }
    });
    out += ']';
  }

  const ShowOptions& options_;
  bool whole_ = true;    // the array at hand
  bool nested_ = false;  // in a record or the like: all on one line
};

}  // namespace

Layout layoutOf(const types::Program& program, types::TypeId type) {
  Layout layout;
  while (auto* array = std::get_if<types::ArrayType>(&program.types[type])) {
    ++layout.rank;
    type = array->element;
  }
  if (auto* record = std::get_if<types::RecordType>(&program.types[type])) {
    for (types::TypeId field : record->fields) layout.fields.push_back(layoutOf(program, field));
  }
  return layout;
}

diag::Result<std::string> show(const Value& value, const Layout& layout,
                               const ShowOptions& options) {
  Show walk(options);
  walk.value(value, layout);
  if (walk.failure) return diag::Failure(*walk.failure);
  return std::move(walk.out);
}

}  // namespace halo::repl
