// Maranget, «Warnings for pattern matching» (2007), algorithm I: rows of patterns are split by the
// constructors of their first column until no column is left. A matrix without rows then has a
// value that nothing matches. On the way back its parts are put together as an example.
#include "lang/types/declare/exhaustive.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lang/base/match.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

namespace {

// A pattern without names: a wildcard, or a constructor with its parts. Records have one
// constructor, `bool` two, numbers one for each literal.
struct Shape {
  bool is_wildcard = true;
  uint64_t constructor = 0;
  std::vector<PatternId> parts;  // an invalid id is a wildcard
};

using PatternRow = std::vector<PatternId>;
using Example = std::vector<std::string>;

// Rows by the constructor of their first column.
struct Split {
  std::map<uint64_t, std::vector<PatternRow>>
      rows;                           // by constructor, whose parts are the first columns
  std::vector<PatternRow> wildcards;  // without that column
};

class Coverage {
 public:
  explicit Coverage(const Program& program) : program_(program) {}

  // A value that no row matches, if there is one.
  std::optional<std::string> unmatched(const std::vector<PatternId>& patterns, TypeId type) {
    std::vector<PatternRow> rows;
    for (PatternId pattern : patterns) rows.push_back({pattern});
    auto example = missing(rows, {type});
    return example ? std::optional(example->at(0)) : std::nullopt;
  }

 private:
  Shape shapeOf(PatternId pattern, TypeId type) const;
  bool isWildcard(PatternId pattern) const;
  uint64_t literal(ExprId value) const;
  std::optional<Example> missing(const std::vector<PatternRow>& rows,
                                 const std::vector<TypeId>& types);
  Split split(const std::vector<PatternRow>& rows, TypeId type) const;
  std::optional<Example> missingWith(uint64_t constructor, const std::vector<TypeId>& parts,
                                     const Split& split, const std::vector<TypeId>& types);
  std::optional<Example> missingElsewhere(const Split& split, const std::vector<TypeId>& types);
  std::vector<std::vector<TypeId>> constructorsOf(TypeId type) const;
  std::string describe(TypeId type, uint64_t constructor, const Example& parts) const;
  std::string unused(TypeId type, const std::map<uint64_t, std::vector<PatternRow>>& used) const;

  const Program& program_;
  int fuel_ = 100000;  // the problem is NP-complete; beyond this, matches count as exhaustive
};

uint64_t Coverage::literal(ExprId value) const {
  if (auto* boolean = std::get_if<BoolLiteral>(&program_.tree.exprs[value].node)) {
    return boolean->value ? 1 : 0;
  }
  const auto& scalar = program_.literal_of.at(value);
  return scalar ? scalar->bits : 0;
}

bool Coverage::isWildcard(PatternId pattern) const {
  if (!pattern) return true;
  return base::match(
      program_.tree.patterns[pattern].node, [](const PatternName&) { return true; },
      [](const PatternWildcard&) { return true; },
      [&](const PatternTyped& typed) { return isWildcard(typed.pattern); },
      [&](const PatternAttributed& attributed) { return isWildcard(attributed.pattern); },
      base::otherwise([](const auto&) { return false; }));
}

Shape Coverage::shapeOf(PatternId pattern, TypeId type) const {
  if (!pattern) return {};
  return base::match(
      program_.tree.patterns[pattern].node, [](const PatternName&) { return Shape{}; },
      [](const PatternWildcard&) { return Shape{}; },
      [&](const PatternTyped& typed) { return shapeOf(typed.pattern, type); },
      [&](const PatternAttributed& attributed) { return shapeOf(attributed.pattern, type); },
      [&](const PatternTuple& tuple) {
        return Shape{false, 0, tuple.elements};
      },
      [&](const PatternRecord& record) {
        Shape shape{false, 0, {}};
        auto* fields = std::get_if<RecordType>(&program_.types[type]);
        if (!fields) return Shape{};
        for (const std::string& name : fields->names) {
          auto found = std::find_if(record.fields.begin(), record.fields.end(),
                                    [&](const auto& field) { return field.first.name == name; });
          shape.parts.push_back(found == record.fields.end() ? PatternId() : found->second);
        }
        return shape;
      },
      [&](const PatternConstructor& constructor) {
        auto* sum = std::get_if<SumType>(&program_.types[type]);
        if (!sum) return Shape{};
        auto found = std::lower_bound(sum->constructors.begin(), sum->constructors.end(),
                                      constructor.name.name);
        return Shape{false, static_cast<uint64_t>(found - sum->constructors.begin()),
                     constructor.payload};
      },
      [&](const PatternLiteral& value) {
        return Shape{false, literal(value.value), {}};
      });
}

// The parts of each constructor; none for types that have too many.
std::vector<std::vector<TypeId>> Coverage::constructorsOf(TypeId type) const {
  const TypeNode& node = program_.types[type];
  if (auto* record = std::get_if<RecordType>(&node)) return {record->fields};
  if (auto* sum = std::get_if<SumType>(&node)) return sum->payloads;
  bool is_bool = type == TypeId(static_cast<size_t>(prim::ScalarType::kBool));
  return std::vector<std::vector<TypeId>>(is_bool ? 2 : 0);
}

std::string Coverage::describe(TypeId type, uint64_t constructor, const Example& parts) const {
  const TypeNode& node = program_.types[type];
  std::string text;
  if (auto* record = std::get_if<RecordType>(&node)) {
    bool is_tuple = record->names.empty() || record->names[0] == "0";
    for (size_t i = 0; i < parts.size(); ++i) {
      if (i > 0) text += ", ";
      text += is_tuple ? parts[i] : record->names[i] + " = " + parts[i];
    }
    return is_tuple ? "(" + text + ")" : "{" + text + "}";
  }
  if (auto* sum = std::get_if<SumType>(&node)) {
    text = "#" + sum->constructors[constructor];
    for (const std::string& part : parts) {
      bool is_wide = part[0] == '#' && part.find(' ') != std::string::npos;
      text += is_wide ? " (" + part + ")" : " " + part;
    }
    return text;
  }
  auto* scalar = std::get_if<ScalarTypeNode>(&node);
  if (!scalar) return "_";
  if (scalar->scalar == prim::ScalarType::kBool) return constructor ? "true" : "false";
  return prim::isInteger(scalar->scalar) ? std::to_string(constructor) : "_";
}

// An example of a value outside of a column's literals.
std::string Coverage::unused(TypeId type,
                             const std::map<uint64_t, std::vector<PatternRow>>& used) const {
  std::vector<std::vector<TypeId>> constructors = constructorsOf(type);
  if (used.empty()) return "_";
  for (uint64_t i = 0; i < std::max<uint64_t>(constructors.size(), used.size() + 1); ++i) {
    if (used.count(i) > 0) continue;
    Example parts(i < constructors.size() ? constructors[i].size() : 0, "_");
    return describe(type, i, parts);
  }
  return "_";
}

std::optional<Example> Coverage::missing(const std::vector<PatternRow>& rows,
                                         const std::vector<TypeId>& types) {
  if (types.empty()) return rows.empty() ? std::optional(Example{}) : std::nullopt;
  if (--fuel_ < 0) return std::nullopt;
  // Nothing is missing behind a row that takes everything, such as `case _`.
  for (const PatternRow& row : rows) {
    if (std::all_of(row.begin(), row.end(), [&](PatternId p) { return isWildcard(p); })) return {};
  }
  const Split split = this->split(rows, types[0]);
  const std::vector<std::vector<TypeId>> constructors = constructorsOf(types[0]);
  for (const auto& [constructor, unused] : split.rows) {
    const bool is_number = constructor >= constructors.size();
    const auto& parts = is_number ? std::vector<TypeId>() : constructors[constructor];
    if (auto example = missingWith(constructor, parts, split, types)) return example;
  }
  bool is_complete = !constructors.empty() && split.rows.size() == constructors.size();
  return is_complete ? std::nullopt : missingElsewhere(split, types);
}

Split Coverage::split(const std::vector<PatternRow>& rows, TypeId type) const {
  Split split;
  for (const PatternRow& row : rows) {
    Shape shape = shapeOf(row[0], type);
    PatternRow columns = std::move(shape.parts);
    columns.insert(columns.end(), row.begin() + 1, row.end());
    (shape.is_wildcard ? split.wildcards : split.rows[shape.constructor])
        .push_back(std::move(columns));
  }
  return split;
}

// Values whose first part is made by `constructor`.
std::optional<Example> Coverage::missingWith(uint64_t constructor, const std::vector<TypeId>& parts,
                                             const Split& split, const std::vector<TypeId>& types) {
  std::vector<PatternRow> inner = split.rows.at(constructor);
  for (const PatternRow& row : split.wildcards) {
    inner.emplace_back(parts.size());
    inner.back().insert(inner.back().end(), row.begin(), row.end());
  }
  std::vector<TypeId> inner_types = parts;
  inner_types.insert(inner_types.end(), types.begin() + 1, types.end());
  auto example = missing(inner, inner_types);
  if (!example) return std::nullopt;
  auto middle = example->begin() + static_cast<std::ptrdiff_t>(parts.size());
  Example whole = {describe(types[0], constructor, Example(example->begin(), middle))};
  whole.insert(whole.end(), middle, example->end());
  return whole;
}

std::optional<Example> Coverage::missingElsewhere(const Split& split,
                                                  const std::vector<TypeId>& types) {
  auto example = missing(split.wildcards, {types.begin() + 1, types.end()});
  if (!example) return std::nullopt;
  example->insert(example->begin(), unused(types[0], split.rows));
  return example;
}

}  // namespace

void checkExhaustive(const Program& program, const std::vector<ExprId>& matches,
                     const std::vector<PatternId>& irrefutable, diag::Sink& sink) {
  for (ExprId expr : matches) {
    const auto& node = std::get<MatchExpr>(program.tree.exprs[expr].node);
    std::vector<PatternId> patterns;
    for (const MatchCase& option : node.cases) patterns.push_back(option.pattern);
    auto example = Coverage(program).unmatched(patterns, program.type_of.at(node.scrutinee));
    if (!example) continue;
    sink.error(Code::incomplete_match, program.tree.exprs[expr].span,
               fmt::format("no case of this `match` takes `{}`", *example));
  }
  for (PatternId pattern : irrefutable) {
    auto example = Coverage(program).unmatched({pattern}, program.pattern_type.at(pattern));
    if (!example) continue;
    sink.error(Code::incomplete_match, program.tree.patterns[pattern].span,
               fmt::format("this pattern does not match `{}`, use `match`", *example));
  }
}

}  // namespace halo::types
