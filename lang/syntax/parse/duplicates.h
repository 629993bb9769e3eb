// Internal to the parser: checks of whole lists. Names given twice where each must be new, tuples
// of one element or of too many.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "lang/syntax/parse/rules.h"

namespace halo::syntax {

inline constexpr size_t kMaxFields = 1024;

class Checks : Rules {
 public:
  explicit Checks(Parser& parser) : Rules(parser) {}

  void checkDistinct(const std::vector<Identifier>& names, std::string_view what);
  void checkPatterns(const std::vector<PatternId>& patterns, std::vector<Identifier> sizes = {});
  void checkParameters(const FunctionParts& function);
  void checkDefinitions(const std::vector<DeclId>& decls);
  void checkSpecs(const std::vector<SpecId>& specs);
  template <typename Value>
  void checkFields(const std::vector<std::pair<Identifier, Value>>& fields) {
    std::vector<Identifier> names;
    for (const auto& [name, value] : fields) names.push_back(name);
    checkDistinct(names, "field");
  }
  void checkFieldCount(size_t count, Span span);
  void checkLoneElement();
};

}  // namespace halo::syntax
