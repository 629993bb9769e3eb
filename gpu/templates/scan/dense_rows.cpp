#include "gpu/templates/scan/dense_rows.h"

namespace halo::gpu {

using namespace imp;

DenseRows::DenseRows(KernelScope& scope, const core::Screma& screma, const FlatInputs& flat,
                     Operand cells)
    : scope_(scope), screma_(screma), flat_(flat), cells_(cells) {
  for (const core::Scan& scan : screma.scans) arity_ += scan.neutral.size();
}

std::vector<Operands> DenseRows::load(const Operand& at) {
  std::vector<Operands> loaded;
  for (size_t k = 0; k < screma_.inputs.size(); ++k) {
    loaded.push_back(flat_.loadFour(scope_, k, at));
  }
  return loaded;
}

void DenseRows::repeatFirst(std::vector<Operands>& loaded, const Operand& at, const Operand& end) {
  Builder& code = scope_.code();
  for (size_t c = 1; c < kFour; ++c) {
    const Operand element = code.add(at, i64(static_cast<int64_t>(c)));
    const Operand is_there = code.prim(prim::Op::kLt, ScalarType::kI64, {element, end});
    for (size_t k = 0; k < loaded.size(); ++k) {
      const ScalarType type = scope_.core().type(screma_.map.params[k]).scalar;
      loaded[k][c] = code.let("x", type, Select{is_there, loaded[k][c], loaded[k][0]});
    }
  }
}

DenseRows::Mapped DenseRows::map(const Operand& at, const std::vector<Operands>& loaded) {
  Builder& code = scope_.code();
  const KernelCall& call = scope_.call();
  const core::Body& body = screma_.map.body;
  Mapped mapped;
  for (size_t k = arity_; k < body.results.size(); ++k) {
    mapped.passed.push_back({scope_.buffer(call.results[k].buffer), {}});
  }
  for (size_t c = 0; c < kFour; ++c) {
    Environment environment = scope_.environment();
    Operand number = code.add(at, i64(static_cast<int64_t>(c)));
    LoweringTarget target = scope_.place(cells_, [number] { return number; });
    for (size_t k = 0; k < screma_.inputs.size(); ++k) {
      environment.scalars[screma_.map.params[k]] = loaded[k][c];
    }
    Operands made = lowerBody(code, call.core, body, environment, target).scalars;
    for (size_t k = arity_; k < made.size(); ++k) {
      mapped.passed[k - arity_].values.push_back(made[k]);
    }
    made.resize(arity_);
    mapped.values.push_back(std::move(made));
  }
  return mapped;
}

DenseRows::Targets DenseRows::scanned(const std::vector<Operands>& of_result) {
  Targets targets;
  for (size_t k = 0; k < of_result.size(); ++k) {
    targets.push_back({scope_.buffer(scope_.call().results[k].buffer), of_result[k]});
  }
  return targets;
}

}  // namespace halo::gpu
