// Statements of a cell by the lanes of a workgroup; all others are uniform code, as everywhere.
// Reductions and scans: group_fold.cpp. The kernel around it: group_kernel.cpp.
#include "gpu/templates/cells/group.h"

#include <algorithm>
#include <unordered_set>

#include "gpu/plan/nests/nest.h"
#include "lang/base/check.h"
#include "lang/core/rewrite.h"
#include "lang/core/scatter.h"
#include "lang/core/visit.h"

namespace halo::gpu {

using namespace imp;

LoweringTarget GroupBody::place() {
  LoweringTarget place;
  place.allocate = [this](Builder&, const std::string& name, ScalarType type,
                          const Operands& shape) { return sharedArray(name, type, shape); };
  place.intercept = [this](Builder&, const core::Stm& stm, Environment& environment,
                           const Destinations& wanted) {
    return intercept(stm, environment, wanted);
  };
  place.space = Space::kShared;
  place.can_rebind = true;
  place.fuses_products = true;
  return place;
}

ArrayRef GroupBody::sharedArray(const std::string& name, ScalarType type, const Operands& shape) {
  Operand count = code_.max(elementCount(code_, shape), i64(1));
  BufferId buffer = code_.alloc(name, type, Space::kShared, count);
  return denseArray(code_, buffer, i64(0), type, shape);
}

std::optional<Results> GroupBody::intercept(const core::Stm& stm, Environment& environment,
                                            const Destinations& wanted) {
  if (auto refused = lane_.intercept(code_, stm, environment, wanted)) return refused;
  const auto* loop = std::get_if<core::Loop>(&stm.expr);
  if (loop != nullptr && changesSizes(scope_.core(), *loop)) {
    return byOneLane(stm, environment, wanted);
  }
  if (const auto* node = std::get_if<core::Screma>(&stm.expr)) {
    if (isMap(*node)) return map(stm, *node, environment, wanted);
    if (hasScalarOperators(scope_.core(), *node)) return fold(stm, *node, environment, wanted);
    return byOneLane(stm, environment, wanted);
  }
  if (const auto* node = std::get_if<core::Scatter>(&stm.expr)) {
    return scatter(stm, *node, environment);
  }
  const bool is_other = std::holds_alternative<core::Hist>(stm.expr) ||
                        std::holds_alternative<core::Stencil>(stm.expr) ||
                        std::holds_alternative<core::Pad>(stm.expr);
  if (is_other) return byOneLane(stm, environment, wanted);
  return std::nullopt;
}

ArrayRef GroupBody::output(core::ValueId value, const Environment& environment,
                           const std::optional<ArrayRef>& wanted, Results& results) {
  if (wanted) return *wanted;
  const core::ValueInfo& info = scope_.core().values[value];
  ArrayRef made =
      sharedArray(info.name, info.type.scalar, operandsOf(environment, info.type.shape));
  results.owned.push_back(made.buffer);
  return made;
}

namespace {

// Whether all uses of the array in the body load single elements of it.
bool isOnlyIndexed(const core::Body& body, core::ValueId array) {
  bool is_only = true;
  core::visitStms(body, [&](const core::Stm& stm) {
    const auto* index = std::get_if<core::Index>(&stm.expr);
    if (index != nullptr && index->array == array) return;
    core::visitUses(stm.expr, [&](const auto& use) {
      const core::Operand operand(use);
      is_only = is_only && (operand.isConstant() || operand.value != array);
    });
    core::visitBodies(stm.expr, [&](const core::Body& inner) {
      for (const core::Operand& result : inner.results) {
        is_only = is_only && (result.isConstant() || result.value != array);
      }
    });
  });
  for (const core::Operand& result : body.results) {
    is_only = is_only && (result.isConstant() || result.value != array);
  }
  return is_only;
}

}  // namespace

// Whether each lane writes a row of the array, of which then only elements are read.
bool GroupBody::hasOwnRows(core::ValueId value, size_t levels) const {
  const core::Type& type = scope_.core().type(value);
  return type.rank() == static_cast<int>(levels) + 1 && type.shape.back().isConstant() &&
         isOnlyIndexed(scope_.call().function.body, value);
}

// Shared memory has 32 banks. Lanes that write rows of an even pitch share few of them:
//
//   pitch 16:  banks 0, 16, 0, 16, ..      pitch 17:  banks 0, 17, 2, 19, ..
ArrayRef GroupBody::paddedRows(const std::string& name, const core::Type& type,
                               const Operands& shape) {
  Operands pitched = shape;
  pitched.back() = i64(shape.back().constant.asSigned() | 1);
  ArrayRef array = sharedArray(name, type.scalar, pitched);
  array.dense = array.dense && pitched.back() == shape.back();
  array.shape = shape;
  return array;
}

void GroupBody::parallel(const Operand& count, const std::function<void(const Operand&)>& body) {
  code_.forLoop("i", i64(0), count, body, imp::Schedule::kParallel);
}

// The cells of all levels of a nest, shared by the lanes together.
Results GroupBody::map(const core::Stm& stm, const core::Screma& node,
                       const Environment& environment, const Destinations& wanted) {
  const std::vector<const core::Screma*> levels = mapNest(node, kMaxLevels);
  Results results;
  results.scalars.resize(stm.results.size());
  Operands extents;
  for (const core::Screma* level : levels) extents.push_back(operandOf(environment, level->width));
  for (size_t k = 0; k < stm.results.size(); ++k) {
    const core::ValueInfo& info = scope_.core().values[stm.results[k]];
    if (wanted[k] || !hasOwnRows(stm.results[k], levels.size())) {
      results.arrays.push_back(output(stm.results[k], environment, wanted[k], results));
      continue;
    }
    results.arrays.push_back(
        paddedRows(info.name, info.type, operandsOf(environment, info.type.shape)));
    results.owned.push_back(results.arrays.back().buffer);
  }
  parallel(elementCount(code_, extents), [&](const Operand& i) {
    Environment inside = environment;
    const Operands indices = indicesOf(code_, i, extents);
    for (size_t k = 0; k < levels.size(); ++k) {
      const core::Lambda& lambda = levels[k]->map;
      for (size_t p = 0; p < lambda.params.size(); ++p) {
        const ArrayRef input = inside.arrays.at(levels[k]->inputs[p]);
        bindElement(code_, scope_.core(), inside, lambda.params[p], input, {indices[k]});
      }
      if (k + 1 == levels.size()) break;
      core::Body between;
      between.stms.assign(lambda.body.stms.begin(), lambda.body.stms.end() - 1);
      lowerBody(code_, scope_.core(), between, inside, lane_);
    }
    const core::Body& body = levels.back()->map.body;
    Destinations rows(body.results.size());
    for (size_t k = 0; k < rows.size(); ++k) {
      const bool is_scalar = scope_.core().type(body.results[k]).isScalar();
      if (!is_scalar) rows[k] = prefixView(code_, results.arrays[k], indices);
    }
    Results values = lowerBody(code_, scope_.core(), body, inside, lane_, rows);
    for (size_t k = 0; k < rows.size(); ++k) {
      if (!rows[k]) storeElement(code_, results.arrays[k], indices, values.scalars[k]);
    }
  });
  return results;
}

ArrayRef GroupBody::owned(const ArrayRef& array, Results& results) {
  if (!array.isVirtual()) return array;
  ArrayRef made = sharedArray("made", array.type, array.shape);
  copyArray(code_, place(), made, array);
  results.owned.push_back(made.buffer);
  return made;
}

Results GroupBody::scatter(const core::Stm& stm, const core::Scatter& node,
                           Environment& environment) {
  Results results;
  results.scalars.resize(stm.results.size());
  for (const core::ScatterDest& destination : node.destinations) {
    results.arrays.push_back(owned(environment.arrays.at(destination.array), results));
  }
  parallel(operandOf(environment, node.width), [&](const Operand& i) {
    Environment inside = environment;
    Results values = mapElement(scope_, node.inputs, node.map, inside, lane_, i);
    size_t next = 0;
    for (size_t d = 0; d < node.destinations.size(); ++d) {
      for (int w = 0; w < writesOf(node); ++w) {
        Operands indices;
        for (int k = 0; k < node.destinations[d].index_rank; ++k) {
          indices.push_back(values.scalars[next++]);
        }
        write(results.arrays[d], indices, values, next++);
      }
    }
  });
  return results;
}

// Pairs out of range are dropped.
void GroupBody::write(const ArrayRef& target, const Operands& indices, const Results& values,
                      size_t value) {
  code_.ifThenElse(isInside(code_, indices, target), [&] {
    if (indices.size() == target.shape.size()) {
      storeElement(code_, target, indices, values.scalars[value]);
    } else {
      copyArray(code_, lane_, prefixView(code_, target, indices), values.arrays[value]);
    }
  });
}

namespace {

std::vector<core::ValueId> overwritten(const core::Expr& expr) {
  std::vector<core::ValueId> arrays;
  if (const auto* hist = std::get_if<core::Hist>(&expr)) {
    for (const core::HistOp& op : hist->operations) {
      arrays.insert(arrays.end(), op.destinations.begin(), op.destinations.end());
    }
  }
  return arrays;
}

}  // namespace

// Right for every statement, and slow: for those without a better schedule in a workgroup.
Results GroupBody::byOneLane(const core::Stm& stm, Environment& environment,
                             const Destinations& wanted) {
  Results results;
  results.scalars.resize(stm.results.size());
  results.arrays.resize(stm.results.size());
  const std::vector<core::ValueId> in_place = overwritten(stm.expr);
  Destinations places(stm.results.size());
  for (size_t k = 0; k < stm.results.size(); ++k) {
    const core::Type& type = scope_.core().type(stm.results[k]);
    if (type.isScalar()) {
      results.arrays[k] = sharedArray("one", type.scalar, {});
    } else if (k < in_place.size()) {
      results.arrays[k] = owned(environment.arrays.at(in_place[k]), results);
      environment.arrays[in_place[k]] = results.arrays[k];
    } else {
      results.arrays[k] = output(stm.results[k], environment, wanted[k], results);
      places[k] = results.arrays[k];
    }
  }
  core::Body body;
  body.stms.push_back(stm);
  body.results = core::Operands(stm.results.begin(), stm.results.end());
  parallel(i64(1), [&](const Operand&) {
    Environment inside = environment;
    Results values = lowerBody(code_, scope_.core(), body, inside, lane_, places);
    for (size_t k = 0; k < stm.results.size(); ++k) {
      if (!scope_.core().type(stm.results[k]).isScalar()) continue;
      storeElement(code_, results.arrays[k], {}, values.scalars[k]);
    }
  });
  for (size_t k = 0; k < stm.results.size(); ++k) {
    if (!scope_.core().type(stm.results[k]).isScalar()) continue;
    results.scalars[k] = loadElement(code_, results.arrays[k], {});
    results.arrays[k] = {};
  }
  return results;
}

}  // namespace halo::gpu
