// Loops of stencils, and chains of them, of which one launch does several steps.
#include "gpu/plan/planner.h"

#include <algorithm>

#include "gpu/plan/outline.h"
#include "lang/core/builder.h"

namespace halo::gpu {

using namespace core;

namespace {

// Operations of a cell for which a device needs longer than for memory.
constexpr int64_t kHeavy = 60;

bool isFromOutside(const IteratedStencil& iterated, ValueId input) {
  for (const Carried& carried : iterated.loop->carried) {
    if (carried.param == input) return false;
  }
  return std::none_of(iterated.stages.begin(), iterated.stages.end(), [&](const Stm* stage) {
    return std::find(stage->results.begin(), stage->results.end(), input) != stage->results.end();
  });
}

// Windows of the loop's stencils may read arrays of one constant, which recognise_gathers makes for
// tests of the position. Such arrays are made in the loop again. There kernels see the constant.
Stm withUniforms(Program& program, const std::unordered_map<ValueId, Stm>& recompute, Stm stm) {
  std::vector<Stm> made;
  Substitution inside;
  Body& body = std::get<Loop>(stm.expr).body;
  for (const Stm& stage : body.stms) {
    const auto* stencil = std::get_if<Stencil>(&stage.expr);
    if (stencil == nullptr) continue;
    for (const Window& window : stencil->windows) {
      auto found = recompute.find(window.array);
      if (found == recompute.end() || inside.contains(window.array)) continue;
      const auto* replicate = std::get_if<Replicate>(&found->second.expr);
      if (replicate == nullptr || !replicate->value.isConstant()) continue;
      Stm own = found->second;
      own.results = {program.add("inside", program.type(window.array))};
      inside[window.array] = own.results[0];
      made.push_back(std::move(own));
    }
  }
  if (made.empty()) return stm;
  substitute(program, body, inside);
  body.stms.insert(body.stms.begin(), made.begin(), made.end());
  return stm;
}

// As it will be outlined: nothing is consumed.
Variants variantsOfLoop(const Program& program, const Variants& variants, Stm stm,
                        const std::string& streaming) {
  for (Carried& carried : std::get<Loop>(stm.expr).carried) carried.consumed = false;
  std::vector<std::string> names = {"direct", "tiles"};
  if (!streaming.empty()) names.push_back(streaming);
  return variants.of(program, stm, names);
}

}  // namespace

std::optional<Planner::AtOnce> Planner::doneAtOnce(const Stm& stm) {
  auto iterated = in_steps_ ? std::nullopt : iteratedStencil(program_, stm);
  if (!iterated) return std::nullopt;
  const bool in_space = iterated->space.size() == 3;
  // Several stencils may be worth one launch even for one step.
  bool one_step = stepsAtOnce(program_, *iterated) == 1;
  bool is_chain = iterated->stages.size() > 1;
  if (one_step && (!is_chain || in_space || !fitsAtOnce(program_, *iterated, 1))) {
    return std::nullopt;
  }
  const char* streaming = in_space ? "space_stream" : "plane_stream";
  const bool streams = canStream(program_, *iterated);
  const Variants own = variantsOfLoop(program_, variants_, stm, streams ? streaming : "");
  if (!own.allows(streaming) && !own.allows("tiles")) {
    if (own.is_tuned) own.sayTuned("stencils one after another");
    return std::nullopt;
  }
  // Measured: two register tiles are faster than streaming through both. For `halo tune`.
  if (one_step && own.forced.empty()) return std::nullopt;
  // Tiles alone lose against single steps (in space 3-6 times), but for lines.
  bool pays = iterated->space.size() == 1 || streams;
  if (!pays && own.forced != "tiles") return std::nullopt;
  // Where arithmetic takes longer than memory, cells computed twice take longer than rows read
  // again.
  bool is_heavy = iterated->space.size() > 1 && workOf(*iterated) > kHeavy;
  if (is_heavy && own.forced.empty()) return std::nullopt;
  return AtOnce{std::move(*iterated), own};
}

// One kernel for the whole loop.
bool Planner::planIterated(const Stm& as_it_is, std::vector<Stm>& out) {
  Stm stm = withUniforms(program_, recompute_, as_it_is);
  auto found = doneAtOnce(stm);
  if (!found) return false;
  if (found->iterated.space.size() == 3 && found->own.forced.empty())
    return stepsInSpace(stm, found->iterated, out);
  iteratedKernel(stm, found->iterated, out);
  return true;
}

// Two versions: several steps at once if there are many cells, else step by step.
bool Planner::stepsInSpace(Stm& stm, const IteratedStencil& iterated, std::vector<Stm>& out) {
  if (variants_.subgroup == 0) return false;
  for (const Stm* stage : iterated.stages) {
    // Reading an array from outside in every step takes the time that steps at once save.
    for (ValueId input : std::get<Stencil>(stage->expr).inputs) {
      if (isFromOutside(iterated, input)) return false;
    }
  }
  Builder builder(program_);
  Operand cells = builder.mul(builder.mul(iterated.space[0], iterated.space[1]), iterated.space[2]);
  Operand many =
      builder.prim(prim::Op::kGe, ScalarType::kI64, {cells, Operand::ofI64(kIteratedSpaceCells)});
  for (Stm& extra : builder.take({}).stms) out.push_back(std::move(extra));
  Body whole;
  whole.stms.push_back(stm);
  whole.results = Operands(stm.results.begin(), stm.results.end());
  Case at_once{Scalar::ofBool(true), freshCopy(program_, whole)};
  Stm loop = std::move(at_once.body.stms[0]);
  at_once.body.stms.clear();
  iteratedKernel(loop, *iteratedStencil(program_, loop), at_once.body.stms);
  Match versions{many, {std::move(at_once)}, freshCopy(program_, whole)};
  in_steps_ = true;
  planNested(versions.otherwise);
  in_steps_ = false;
  stm.expr = std::move(versions);
  out.push_back(std::move(stm));
  return true;
}

void Planner::iteratedKernel(Stm& stm, const IteratedStencil& iterated, std::vector<Stm>& out) {
  Substitution dense;
  for (const Stm* stage : iterated.stages) {
    for (ValueId input : std::get<Stencil>(stage->expr).inputs) {
      if (views_.contains(input) && !dense.contains(input)) dense[input] = copyOf(input, out);
    }
  }
  substitute(program_, stm.expr, dense);
  for (Carried& carried : std::get<Loop>(stm.expr).carried) {
    makeDense(carried.initial, out);
    carried.consumed = false;
  }
  // Nothing is computed again inside: rows are loaded as vectors.
  KernelInfo info{KernelKind::kStencil, iterated.space};
  out.push_back(outline(program_, stm, nextName(), std::move(info), {}));
}

}  // namespace halo::gpu
