// Results of Core functions as their callers see them, in terms of parameters and of new values.
#include "lang/lower/functions/function_results.h"

#include <unordered_set>

#include "lang/core/rewrite.h"
#include "lang/lower/functions/rebuild.h"

namespace halo::lower {

Operands resultsOf(Lowering& lowering, const StaticValue& value, Specialisation& made) {
  const std::unordered_set<ValueId> params(made.params.begin(), made.params.end());
  core::Substitution outside;
  Operands results;
  const auto exchange = [&](const Operand& size) {
    const auto known = size.isConstant() ? outside.end() : outside.find(size.value);
    return known != outside.end() ? known->second : size;
  };
  Rebuild find_sizes(
      lowering,
      [&](const Operand& size) {
        const bool visible = size.isConstant() || params.count(size.value) > 0;
        if (visible || outside.count(size.value) > 0) return size;
        made.results.push_back(lowering.out.add("n", {}));
        outside.emplace(size.value, made.results.back());
        results.push_back(size);
        return size;
      },
      unchangedLeaf);
  find_sizes.value(value);
  made.size_results = static_cast<int>(results.size());
  Rebuild find_leaves(lowering, exchange,
                      [&](const Operand& leaf, const core::Type& type) -> Operand {
                        results.push_back(leaf);
                        made.results.push_back(lowering.out.add("r", type));
                        return made.results.back();
                      });
  made.result = find_leaves.value(value);
  return results;
}

namespace {

const Operand kNotFound = Operand::ofI64(-1);  // no size is negative

// Where the type of a recursive function's result has a result for a size: the value's own size.
void findSizes(const MonoType& wanted, const MonoType& found, core::Substitution& sizes);

void findSizesOfAll(const std::vector<MonoTypeRef>& wanted, const std::vector<MonoTypeRef>& found,
                    core::Substitution& sizes) {
  for (size_t i = 0; i < wanted.size(); ++i) findSizes(*wanted[i], *found[i], sizes);
}

void findSizes(const MonoType& wanted, const MonoType& found, core::Substitution& sizes) {
  if (const MonoArray* array = wanted.array()) {
    if (!array->size.isConstant()) {
      const auto at = sizes.find(array->size.value);
      if (at != sizes.end() && at->second == kNotFound) at->second = found.array()->size;
    }
    findSizes(*array->element, *found.array()->element, sizes);
  }
  if (const MonoRecord* record = wanted.record()) {
    findSizesOfAll(record->fields, found.record()->fields, sizes);
  }
  if (const MonoSum* sum = wanted.sum()) {
    for (size_t c = 0; c < sum->payloads.size(); ++c) {
      findSizesOfAll(sum->payloads[c], found.sum()->payloads[c], sizes);
    }
  }
}

}  // namespace

std::optional<Operand> plainSize(const types::Program& source, types::SizeId id,
                                 const Frame& frame) {
  const types::SizeNode& size = source.sizes[id];
  if (const auto* constant = std::get_if<types::SizeConst>(&size)) {
    return Operand::ofI64(constant->value);
  }
  const auto* binder = std::get_if<types::SizeBinder>(&size);
  const StaticValue* known = binder != nullptr ? frame.find(binder->binder) : nullptr;
  return known != nullptr ? std::optional(*known->scalar()) : std::nullopt;
}

void declareResult(Lowering& lowering, types::TypeId type, const Frame& frame,
                   Specialisation& made) {
  std::vector<ValueId> sizes;
  const MonoTypeRef result = lowering.evalType(type, frame, [&](types::SizeId id) -> Operand {
    if (const std::optional<Operand> known = plainSize(lowering.source, id, frame)) return *known;
    sizes.push_back(lowering.out.add("n", {}));
    return sizes.back();
  });
  made.size_results = static_cast<int>(sizes.size());
  made.results = sizes;
  made.result = lowering.parameter(result, "r", made.results);
}

Operands declaredResults(Lowering& lowering, const StaticValue& value, const Specialisation& made,
                         Span span) {
  core::Substitution sizes;
  for (int i = 0; i < made.size_results; ++i) {
    sizes.emplace(made.results[static_cast<size_t>(i)], kNotFound);
  }
  const MonoTypeRef wanted = lowering.typeOf(made.result);
  findSizes(*wanted, *lowering.typeOf(value), sizes);
  Rebuild known(
      lowering,
      [&](const Operand& size) {
        const auto found = size.isConstant() ? sizes.end() : sizes.find(size.value);
        return found != sizes.end() ? found->second : size;
      },
      unchangedLeaf);
  Operands results;
  for (int i = 0; i < made.size_results; ++i) {
    results.push_back(sizes.at(made.results[static_cast<size_t>(i)]));
  }
  const MonoTypeRef type = known.type(wanted);
  appendLeaves(lowering.dynamic(lowering.coerce(value, type, Code::shape_mismatch, span)), results);
  return results;
}

core::Function Specialisation::function(core::Body body) const {
  core::Function made;
  made.name = name;
  made.params = params;
  made.consumed.assign(params.size(), false);
  made.results = results;
  made.size_results = size_results;
  made.body = std::move(body);
  return made;
}

}  // namespace halo::lower
