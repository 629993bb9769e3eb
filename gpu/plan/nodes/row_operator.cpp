#include "gpu/plan/nodes/row_operator.h"

#include <algorithm>

#include "gpu/plan/nests/element_code.h"
#include "gpu/plan/nests/nest.h"
#include "lang/core/node_kinds.h"

namespace halo::gpu {

namespace {

constexpr size_t kRowOperatorMostCode = 40;  // statements
constexpr size_t kRowOperatorMostMap = 64;

// The map that is all that a lambda on rows does.
const core::Screma* onlyMap(const core::Lambda& lambda) {
  if (lambda.body.stms.size() != 1) return nullptr;
  const core::Stm& stm = lambda.body.stms[0];
  const auto* map = std::get_if<core::Screma>(&stm.expr);
  const bool is_all = map != nullptr && isMap(*map) && core::returnsResultsOf(lambda.body, stm);
  return is_all ? map : nullptr;
}

}  // namespace

std::optional<RowOperator> rowOperator(const core::Program& core, const core::Lambda& op) {
  RowOperator found{&op, {}};
  for (size_t k = 0; k < op.params.size(); ++k) found.parameters.push_back(k);
  while (!core.type(found.element->params.at(0)).isScalar()) {
    const core::Screma* map = onlyMap(*found.element);
    if (map == nullptr) return std::nullopt;
    std::vector<size_t> parameters;
    for (core::ValueId input : map->inputs) {
      const std::vector<core::ValueId>& outer = found.element->params;
      auto at = std::find(outer.begin(), outer.end(), input);
      if (at == outer.end()) return std::nullopt;
      parameters.push_back(found.parameters[static_cast<size_t>(at - outer.begin())]);
    }
    if (parameters.empty()) return std::nullopt;
    found = {&map->map, std::move(parameters)};
  }
  const core::Body& body = found.element->body;
  bool is_short = codeSize(body) <= kRowOperatorMostCode && isElementCode(core, body, false);
  return is_short ? std::optional(found) : std::nullopt;
}

bool handsRowsOn(const core::Program& core, const core::Hist& hist) {
  const core::Body& map = hist.map.body;
  const std::vector<core::ValueId>& params = hist.map.params;
  return codeSize(map) <= kRowOperatorMostMap && isElementCode(core, map, true) &&
         std::all_of(map.results.begin(), map.results.end(), [&](const core::Operand& value) {
           return core.type(value).isScalar() ||
                  std::find(params.begin(), params.end(), value.value) != params.end();
         });
}

}  // namespace halo::gpu
