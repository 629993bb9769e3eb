// Scatters: one invocation for each index; pairs out of range are dropped. Rows that are handed on
// as they are: one for each of their elements, which looks at the index again.
#include <algorithm>

#include "gpu/templates/templates.h"
#include "lang/core/scatter.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr size_t kScatterShortMap = 12;  // statements

class ScatterTemplate {
 public:
  ScatterTemplate(Program& program, Builder& host, const KernelCall& call)
      : host_(host),
        call_(call),
        scatter_(std::get<core::Scatter>(lastStatement(call).expr)),
        scope_(program, host, call, call.function.name) {}

  TemplateResult run() {
    Operands space = {operandOf(call_.arguments, scatter_.width)};
    const bool by_elements = movesRows();
    if (by_elements) space.push_back(elementCount(host_, rowShape(call_.results[0])));
    Grid grid = forEachCell(scope_, space, [&](const Operands& at, const Place& place) {
      cell(at[0], by_elements ? std::optional(at[1]) : std::nullopt, place);
    });
    scope_.launch(grid.workgroup, grid.groups);
    return {{}, !scope_.unsupported()};
  }

 private:
  Operands rowShape(const ArrayRef& target) const {
    return {target.shape.begin() + scatter_.destinations[0].index_rank, target.shape.end()};
  }

  // Is there one destination, and its rows are elements of an input?
  bool movesRows() const {
    const core::Body& body = scatter_.map.body;
    const bool is_one = scatter_.destinations.size() == 1 && writesOf(scatter_) == 1;
    if (!is_one || body.stms.size() > kScatterShortMap) return false;
    const core::Operand& row = body.results.back();
    const std::vector<core::ValueId>& params = scatter_.map.params;
    return !call_.core.type(row).isScalar() &&
           std::find(params.begin(), params.end(), row.value) != params.end();
  }

  // Index i, and all of its rows or one element of each.
  void cell(const Operand& i, const std::optional<Operand>& element, const Place& place) {
    Builder& code = scope_.code();
    Environment environment = scope_.environment();
    lowerPrefix(scope_, environment, place);
    Results values = mapElement(scope_, scatter_.inputs, scatter_.map, environment, place, i);
    size_t next = 0;
    for (size_t d = 0; d < scatter_.destinations.size(); d++) {
      ArrayRef target = scope_.array(call_.results[d]);
      for (int w = 0; w < writesOf(scatter_); w++) {
        Operands indices;
        for (int k = 0; k < scatter_.destinations[d].index_rank; k++) {
          indices.push_back(values.scalars[next++]);
        }
        const size_t value = next++;
        code.ifThenElse(isInside(code, indices, target), [&] {
          if (call_.core.type(scatter_.map.body.results[value]).isScalar()) {
            storeElement(code, target, indices, values.scalars[value]);
          } else {
            writeRow(target, indices, values.arrays[value], element, place);
          }
        });
      }
    }
  }

  void writeRow(const ArrayRef& target, Operands indices, const ArrayRef& row,
                const std::optional<Operand>& element, const Place& place) {
    Builder& code = scope_.code();
    if (!element) return copyArray(code, place, prefixView(code, target, indices), row);
    Operands within = indicesOf(code, *element, rowShape(target));
    Operand moved = loadElement(code, row, within);
    indices.insert(indices.end(), within.begin(), within.end());
    storeElement(code, target, indices, moved);
  }

  Builder& host_;
  const KernelCall& call_;
  const core::Scatter& scatter_;
  KernelScope scope_;
};

}  // namespace

TemplateResult emitScatter(Program& program, Builder& host, const KernelCall& call) {
  return ScatterTemplate(program, host, call).run();
}

}  // namespace halo::gpu
