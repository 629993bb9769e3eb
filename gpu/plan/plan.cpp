// One statement after another; what does not fit a template is taken apart first.
#include "gpu/plan/plan.h"

#include <algorithm>
#include <unordered_set>

#include "gpu/plan/carried.h"
#include "gpu/plan/chain.h"
#include "gpu/plan/chunks.h"
#include "gpu/plan/distribute.h"
#include "gpu/plan/iterated.h"
#include "gpu/plan/layout.h"
#include "gpu/plan/nest.h"
#include "gpu/plan/outline.h"
#include "gpu/plan/scan_scatter.h"
#include "gpu/plan/sort_gather.h"
#include "gpu/plan/split.h"
#include "gpu/plan/whole_cells.h"
#include "lang/base/match.h"
#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/imp/lower_body.h"
#include "lang/passes/fuse_scans.h"
#include "lang/passes/parallel_node.h"

namespace halo::gpu {

using namespace core;

namespace {

// Longer array literals are made on the host: one invocation alone would store them, in code as
// long.
constexpr size_t kMaxLiteral = 64;  // elements
constexpr size_t kMaxSpace = 3;     // a grid has three dimensions
constexpr int64_t kHeavy =
    60;  // operations of a cell, for which a device needs longer than for memory

bool hasParallel(const Body& body) {
  for (const Stm& stm : body.stms) {
    if (std::holds_alternative<Screma>(stm.expr) || std::holds_alternative<Stencil>(stm.expr) ||
        std::holds_alternative<Hist>(stm.expr) || std::holds_alternative<Pad>(stm.expr) ||
        std::holds_alternative<Scatter>(stm.expr) || std::holds_alternative<Concat>(stm.expr) ||
        std::holds_alternative<Iota>(stm.expr) || std::holds_alternative<Replicate>(stm.expr) ||
        std::holds_alternative<Copy>(stm.expr) || std::holds_alternative<Call>(stm.expr)) {
      return true;
    }
    bool inside = false;
    forEachBody(stm.expr, [&](const Body& inner) { inside |= hasParallel(inner); });
    if (inside) return true;
  }
  return false;
}

// Whether a body hands on a whole array that it has not updated in place: one invocation alone
// would copy it element by element.
bool handsOnArrays(const Program& program, const Body& body, const Loop* loop) {
  std::unordered_set<ValueId> in_place;
  for (const Stm& stm : body.stms) {
    bool updates = std::holds_alternative<Update>(stm.expr) ||
                   std::holds_alternative<Loop>(stm.expr) ||
                   std::holds_alternative<Match>(stm.expr);
    if (updates) in_place.insert(stm.results.begin(), stm.results.end());
  }
  for (size_t i = 0; i < body.results.size(); i++) {
    const Operand& result = body.results[i];
    if (program.type(result).isScalar() || in_place.contains(result.value)) continue;
    if (loop == nullptr || loop->carried[i].param != result.value) return true;
  }
  return false;
}

class Planner {
 public:
  Planner(Program& program, const Variants& variants) : program_(program), variants_(variants) {}

  void run() {
    size_t count = program_.functions.size();  // outlining adds more
    for (size_t i = 0; i < count; i++) {
      if (!program_.functions[i].kernel.empty()) continue;  // a sort
      function_ = i;
      name_ = program_.functions[i].name;
      counter_ = 0;
      Function host = program_.functions[i];
      planBody(host.body);
      keepCarriedOnDevice(program_, host, [this] { return nextName(); });
      program_.functions[i] = std::move(host);
    }
  }

 private:
  std::string nextName() { return name_ + "_" + std::to_string(++counter_); }

  void planBody(Body& body) {
    if (variants_.allows("carried")) {
      sortElements(
          program_, body, [&](ValueId value) { return isIota(body, value); },
          [&](std::vector<Stm> stms, std::vector<ValueId> results) {
            Operands space = {program_.type(results[0]).shape[0]};
            return keep(std::move(stms), results, {KernelKind::kScatter, std::move(space)});
          });
    }
    passes::joinScans(
        program_, program_.functions[function_], body, [&](const Stm& scan, const Stm& to) {
          return isScanAndScatter(program_, scan, to, variants_) ? std::optional(keep(scan, to))
                                                                 : std::nullopt;
        });
    auto accepts = [&](const Stm& loop) { return doneAtOnce(loop).has_value(); };
    std::vector<Stm> before = chainStencils(program_, std::move(body.stms), body.results, accepts);
    body.stms.clear();
    for (Stm& stm : before) planStm(std::move(stm), body.stms);
    for (Operand& result : body.results) {
      auto same = result.isConstant() ? same_.end() : same_.find(result.value);
      if (same != same_.end()) result = same->second;
      makeDense(result, body.stms);
    }
    dropUnused(body);
  }

  void planStm(Stm stm, std::vector<Stm>& out) {
    if (!same_.empty()) substitute(program_, stm.expr, same_);
    // Copied first: the handlers below move the statement.
    Expr expr = stm.expr;
    base::match(
        expr, [&](const Screma& e) { planScrema(std::move(stm), e, out); },
        [&](const Stencil& e) { planStencil(std::move(stm), e, out); },
        [&](const Scatter& e) {
          kernel(std::move(stm), {KernelKind::kScatter, {e.width}}, out);
        },
        [&](const Hist& e) { planHist(std::move(stm), e, out); },
        [&](const Pad&) { elementKernel(std::move(stm), out); },
        [&](const Slide&) { view(std::move(stm), out); },
        [&](const Iota&) { planVirtual(std::move(stm), out); },
        [&](const Replicate&) { planVirtual(std::move(stm), out); },
        [&](const ArrayLiteral& e) { planLiteral(std::move(stm), e, out); },
        [&](const Concat&) { elementKernel(std::move(stm), out); },
        [&](const Copy&) { elementKernel(std::move(stm), out); },
        [&](const Scratch&) { elementKernel(std::move(stm), out); },
        [&](const Update& e) { planUpdate(std::move(stm), e, out); },
        [&](const Reshape& e) {
          if (views_.contains(e.array)) std::get<Reshape>(stm.expr).array = copyOf(e.array, out);
          out.push_back(std::move(stm));
        },
        [&](const Rearrange& e) { planRearrange(std::move(stm), e, out); },
        [&](const Slice&) { view(std::move(stm), out); },
        [&](const Index& e) {
          if (!program_.type(stm.results[0]).isScalar() && views_.contains(e.array)) {
            views_.insert(stm.results[0]);
          }
          out.push_back(std::move(stm));
        },
        [&](const Match& e) { planMatch(std::move(stm), e, out); },
        [&](const Loop& e) { planLoop(std::move(stm), e, out); },
        [&](const Literal&) { out.push_back(std::move(stm)); },
        [&](const PrimOp&) { out.push_back(std::move(stm)); },
        [&](const Convert&) { out.push_back(std::move(stm)); },
        [&](const Select&) { out.push_back(std::move(stm)); },
        [&](const Call& e) {
          auto kept = kept_.find(e.function);
          out.push_back(kept == kept_.end() ? std::move(stm) : keptKernel(kept->second));
        },
        [&](const Assert&) { out.push_back(std::move(stm)); });
  }

  // Statements that become one kernel when their turn comes.
  struct Kept {
    std::vector<Stm> stms;
    std::vector<ValueId> results;
    KernelInfo info;
  };
  // A scan and its scatter.
  Stm keep(const Stm& scan, const Stm& scatter) {
    size_t reduced = 0;
    for (const Reduction& reduction : std::get<Screma>(scan.expr).reductions) {
      reduced += reduction.neutral.size();
    }
    std::vector<ValueId> results = scatter.results;
    results.insert(results.end(), scan.results.begin(),
                   scan.results.begin() + static_cast<long>(reduced));
    Operands space = {std::get<Screma>(scan.expr).width};
    return keep({scan, scatter}, results, {KernelKind::kScan, std::move(space)});
  }
  // A call that stands for them until then.
  Stm keep(std::vector<Stm> stms, const std::vector<ValueId>& results, KernelInfo info) {
    std::string name = nextName();
    for (Stm& stm : stms) substitute(program_, stm.expr, same_);
    const std::unordered_set<ValueId> free = freeValues(program_, Body{stms, {}});
    Stm call{results, Call{name, Operands(free.begin(), free.end())}, false, stms.back().span};
    kept_.emplace(name, Kept{std::move(stms), results, std::move(info)});
    return call;
  }
  Stm keptKernel(const Kept& kept) {
    for (const Stm& stm : kept.stms) staysView(stm);
    return outlineAll(program_, kept.stms, kept.results, nextName(), kept.info, recompute_);
  }
  // 0, 1, .. of this body or of one around it.
  bool isIota(const Body& body, ValueId value) const {
    auto is = [](const Stm& stm) {
      const auto* iota = std::get_if<Iota>(&stm.expr);
      return iota != nullptr && iota->start == Operand::ofI64(0) && iota->step == Operand::ofI64(1);
    };
    auto around = recompute_.find(value);
    if (around != recompute_.end()) return is(around->second);
    return std::any_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
      return stm.results.size() == 1 && stm.results[0] == value && is(stm);
    });
  }

  // What overwrites a view lies in memory as the view does.
  void staysView(const Stm& stm) {
    std::vector<ValueId> overwritten;
    if (const auto* update = std::get_if<Update>(&stm.expr)) overwritten = {update->array};
    if (auto node = passes::decompose(stm)) overwritten = node->overwritten();
    for (size_t i = 0; i < overwritten.size(); i++) {
      if (views_.contains(overwritten[i])) views_.insert(stm.results[i]);
    }
  }

  void kernel(Stm stm, KernelInfo info, std::vector<Stm>& out) {
    staysView(stm);
    out.push_back(outline(program_, stm, nextName(), std::move(info), recompute_));
  }
  // One invocation for each element of the result.
  void elementKernel(Stm stm, std::vector<Stm>& out) {
    Operands shape = program_.type(stm.results[0]).shape;
    if (shape.size() > kMaxSpace) shape.resize(kMaxSpace);
    kernel(std::move(stm), {KernelKind::kMap, std::move(shape)}, out);
  }
  // A long literal of known rows is a flat one on the host.
  void planLiteral(Stm stm, const ArrayLiteral& e, std::vector<Stm>& out) {
    const ValueId result = stm.results[0];
    const std::optional<Operands> known = constantElements(e);
    const bool is_flat = program_.type(result).rank() == 1;
    if (known) constants_[result] = *known;
    const size_t count = known ? known->size() : e.elements.size();
    const bool is_long = (known || is_flat) && count > kMaxLiteral;
    if (!is_long) {
      if (known) droppable_.insert(result);
      return elementKernel(std::move(stm), out);
    }
    if (is_flat) return out.push_back(std::move(stm));
    const Operands size = {Operand::ofI64(static_cast<int64_t>(known->size()))};
    const ValueId flat = program_.add(program_.values[result].name, {e.type, size});
    out.push_back({{flat}, ArrayLiteral{e.type, *known}, false, stm.span});
    stm.expr = Reshape{flat, program_.type(result).shape};
    out.push_back(std::move(stm));
  }
  std::optional<Operands> constantElements(const ArrayLiteral& e) const {
    Operands all;
    for (const Operand& element : e.elements) {
      auto row = element.isConstant() ? constants_.end() : constants_.find(element.value);
      if (element.isConstant()) {
        all.push_back(element);
      } else if (row != constants_.end()) {
        all.insert(all.end(), row->second.begin(), row->second.end());
      } else {
        return std::nullopt;
      }
    }
    return all;
  }

  void view(Stm stm, std::vector<Stm>& out) {
    views_.insert(stm.results[0]);
    out.push_back(std::move(stm));
  }

  // A view of a view is one of the array below, and perhaps that array.
  void planRearrange(Stm stm, Rearrange e, std::vector<Stm>& out) {
    if (auto below = turned_.find(e.array); below != turned_.end()) {
      for (int& axis : e.permutation) {
        axis = below->second.permutation[static_cast<size_t>(axis)];
      }
      e.array = below->second.array;
      if (std::is_sorted(e.permutation.begin(), e.permutation.end())) {
        same_[stm.results[0]] = e.array;
        return;
      }
      stm.expr = e;
    }
    if (!views_.contains(e.array)) turned_[stm.results[0]] = e;
    view(std::move(stm), out);
  }

  // Kernels compute these where they need them; stored only if something else wants the array.
  void planVirtual(Stm stm, std::vector<Stm>& out) {
    ValueId result = stm.results[0];
    bool cheap = true;
    if (auto* replicate = std::get_if<Replicate>(&stm.expr)) {
      cheap = program_.type(replicate->value).isScalar();
    }
    Stm stored = stm;
    elementKernel(std::move(stored), out);
    if (!cheap) return;
    droppable_.insert(result);
    recompute_.emplace(result, std::move(stm));
  }

  void planScrema(Stm stm, const Screma& e, std::vector<Stm>& out) {
    // What several invocations can do is not left to the one that reduces, scans or passes it on.
    if (isWorthMapping(program_, e)) {
      const Variants own = variants_.of(program_, stm, {"distribute", "plain"});
      if (own.allows("distribute")) return planAll(mapFirst(program_, stm), out);
    }
    if (auto levels = reduceNest(program_, e); !levels.empty()) {
      return nestKernel(std::move(stm), KernelKind::kReduce, levels, out);
    }
    if (auto levels = scanNest(program_, e); !levels.empty()) {
      std::optional<LaidOut> laid_out = layOut(program_, stm, levels, turned_);
      if (!laid_out) return nestKernel(std::move(stm), KernelKind::kScan, levels, out);
      out.push_back(outlineAll(program_, laid_out->stms, laid_out->stored, nextName(),
                               {KernelKind::kScan, spaceOf(levels)}, recompute_));
      return planAll(std::move(laid_out->views), out);
    }
    if (isMap(e)) return planMap(std::move(stm), e, out);
    if (!hasScalarOperators(program_, e)) {
      planArrayOperators(std::move(stm), out);
    } else {
      planAll(splitScrema(program_, stm), out);
    }
  }
  void planArrayOperators(Stm stm, std::vector<Stm>& out) {
    std::vector<Stm> chunked = chunkReduction(program_, stm);
    if (chunked.empty()) return single(std::move(stm), out);
    Stm last = std::move(chunked.back());
    chunked.pop_back();
    planAll(std::move(chunked), out);
    single(std::move(last), out);
  }
  void planAll(std::vector<Stm> stms, std::vector<Stm>& out) {
    for (Stm& stm : stms) planStm(std::move(stm), out);
  }

  static Operands spaceOf(const std::vector<const Screma*>& levels) {
    Operands space;
    for (const Screma* level : levels) space.push_back(level->width);
    return space;
  }
  void nestKernel(Stm stm, KernelKind kind, const std::vector<const Screma*>& levels,
                  std::vector<Stm>& out) {
    Operands space = spaceOf(levels);
    kernel(std::move(stm), {kind, std::move(space)}, out);
  }

  void planMap(Stm stm, const Screma& e, std::vector<Stm>& out) {
    std::optional<Distributed> parts = distribute(program_, stm);
    Variants own = variants_;
    if (parts) own = variants_.of(program_, stm, {"distribute", "plain"});
    if (own.is_tuned) own.sayTuned("nest");
    if (!parts || !own.allows("distribute")) {
      return nestKernel(std::move(stm), KernelKind::kMap, mapNest(e, kMaxSpace), out);
    }
    if (own.forced.empty() && !own.is_tuned) variants_.say("nest: " + describeChoice(*parts));
    if (own.forced.empty() && mayStayWhole(*parts)) {
      return byCells(std::move(stm), e, std::move(*parts), out);
    }
    planAll(std::move(parts->stms), out);
  }

  // Two versions: each cell alone, or all cells together.
  void byCells(Stm stm, const Screma& e, Distributed parts, std::vector<Stm>& out) {
    Builder builder(program_);
    Operand whole = staysWhole(builder, parts);
    for (Stm& extra : builder.take({}).stms) out.push_back(std::move(extra));
    Match versions;
    versions.scrutinee = whole;
    Case alone{Scalar::ofBool(true), {}};
    Body copy;
    copy.stms.push_back(stm);
    copy.results = Operands(stm.results.begin(), stm.results.end());
    copy = freshCopy(program_, copy);
    nestKernel(copy.stms[0], KernelKind::kMap, mapNest(e, kMaxSpace), alone.body.stms);
    alone.body.results = copy.results;
    versions.cases.push_back(std::move(alone));
    Body together{std::move(parts.stms), Operands(stm.results.begin(), stm.results.end())};
    versions.otherwise = freshCopy(program_, together);
    planNested(versions.otherwise);
    stm.expr = std::move(versions);
    out.push_back(std::move(stm));
  }

  // Reductions of a stencil in any order are done on the way. Others: its cells first, then the
  // reductions over the flat array of cells.
  void planStencil(Stm stm, const Stencil& e, std::vector<Stm>& out) {
    std::vector<std::string> names = {"direct", "rows", "slanted"};
    // Shapes that were the fastest somewhere (bench/stencil), for `halo tune`.
    if (e.space.size() == 3) {
      for (const char* shape : {"4,1,3,8", "4,2,3,4", "8,2,2,4", "4,4,2,2"}) {
        names.push_back("rows:" + std::string(shape));
      }
      names.push_back("slanted:4,2,2,4");
    }
    const Variants own = variants_.of(program_, stm, names);
    if (e.reductions.empty() || (own.allows("direct") && reducesOnTheWay(e))) {
      kernel(std::move(stm), {KernelKind::kStencil, e.space}, out);
      return;
    }
    Stencil cells = e;
    cells.reductions.clear();
    size_t reduced = 0;
    for (const Reduction& reduction : e.reductions) reduced += reduction.neutral.size();
    std::vector<ValueId> arrays = stm.results;
    for (size_t i = 0; i < reduced; i++) {
      Type type = program_.type(e.map.body.results[i]);
      type.shape.insert(type.shape.begin(), e.space.begin(), e.space.end());
      arrays[i] = program_.add("cells", std::move(type));
    }
    planStm({arrays, std::move(cells), false, stm.span}, out);
    Builder builder(program_);
    Operand count = e.space[0];
    for (size_t i = 1; i < e.space.size(); i++) count = builder.mul(count, e.space[i]);
    Screma reduce{count, {}, {}, e.reductions, {}};
    for (size_t i = 0; i < reduced; i++) {
      prim::ScalarType scalar = program_.type(arrays[i]).scalar;
      ValueId flat = arrays[i];
      if (e.space.size() > 1) {
        flat = builder.bind("flat", {scalar, {count}}, Reshape{arrays[i], {count}});
      }
      reduce.inputs.push_back(flat);
      ValueId param = program_.add("x", {scalar, {}});
      reduce.map.params.push_back(param);
      reduce.map.body.results.push_back(param);
    }
    for (Stm& extra : builder.take({}).stms) out.push_back(std::move(extra));
    std::vector<ValueId> results(stm.results.begin(),
                                 stm.results.begin() + static_cast<long>(reduced));
    planStm({std::move(results), std::move(reduce), false, stm.span}, out);
  }

  // What has many neighbours is worth rows in registers (templates/stencil_rows).
  bool reducesOnTheWay(const Stencil& e) const {
    constexpr size_t kFewNeighbours = 32;
    if (!inAnyOrder(e.reductions)) return false;
    size_t neighbours = 0;
    for (const Window& window : e.windows) neighbours += window.offsets.size();
    auto is_scalar = [&](const auto& value) { return program_.type(value).isScalar(); };
    return neighbours <= kFewNeighbours &&
           std::all_of(e.map.body.results.begin(), e.map.body.results.end(), is_scalar) &&
           std::all_of(e.reductions.begin(), e.reductions.end(), [&](const Reduction& reduction) {
             const std::vector<ValueId>& params = reduction.op.params;
             return std::all_of(params.begin(), params.end(), is_scalar);
           });
  }

  void planUpdate(Stm stm, const Update& e, std::vector<Stm>& out) {
    Operands space = program_.type(e.value).shape;
    if (space.size() > kMaxSpace) space.resize(kMaxSpace);
    kernel(std::move(stm), {KernelKind::kMap, std::move(space)}, out);
  }

  // Rows are combined in place; operators that look at several of their elements are rare.
  void planHist(Stm stm, const Hist& e, std::vector<Stm>& out) {
    bool in_place = std::all_of(e.operations.begin(), e.operations.end(), [&](const HistOp& op) {
      bool is_scalar = std::all_of(op.op.params.begin(), op.op.params.end(),
                                   [&](ValueId param) { return program_.type(param).isScalar(); });
      return is_scalar || imp::isElementwise(program_, op.op);
    });
    if (!in_place) return single(std::move(stm), out);
    kernel(std::move(stm), {KernelKind::kHist, {e.width}}, out);
  }

  void planMatch(Stm stm, const Match& e, std::vector<Stm>& out) {
    bool parallel = hasParallel(e.otherwise) || handsOnArrays(program_, e.otherwise, nullptr);
    for (const Case& one : e.cases) {
      parallel = parallel || hasParallel(one.body) || handsOnArrays(program_, one.body, nullptr);
    }
    if (!parallel && touchesArrays(stm) && knowsSizes(stm)) return single(std::move(stm), out);
    forEachBody(stm.expr, [&](Body& body) { planNested(body); });
    out.push_back(std::move(stm));
  }

  // A loop of stencils, or a chain of them, that is worth doing several steps at once, and how.
  struct AtOnce {
    IteratedStencil iterated;
    Variants own;
  };
  std::optional<AtOnce> doneAtOnce(const Stm& stm) {
    auto iterated = in_steps_ ? std::nullopt : iteratedStencil(program_, stm);
    if (!iterated) return std::nullopt;
    const bool in_space = iterated->space.size() == 3;
    // Several stencils may be worth one launch even for one step.
    bool one_step = stepsAtOnce(program_, *iterated) == 1;
    bool is_chain = iterated->stages.size() > 1;
    if (one_step && (!is_chain || in_space || !fitsAtOnce(program_, *iterated, 1))) {
      return std::nullopt;
    }
    const char* marching = in_space ? "planes" : "march";
    const bool marches = canMarch(program_, *iterated);
    const Variants own = variantsOfLoop(stm, marches ? marching : "");
    if (!own.allows(marching) && !own.allows("tiles")) {
      if (own.is_tuned) own.sayTuned("stencils one after another");
      return std::nullopt;
    }
    // Measured: two stencils in rows are faster than one march through both. For `halo tune`.
    if (one_step && own.forced.empty()) return std::nullopt;
    // Tiles alone lose against single steps (in space 3-6 times), but for lines.
    bool pays = iterated->space.size() == 1 || marches;
    if (!pays && own.forced != "tiles") return std::nullopt;
    // Where arithmetic takes longer than memory, cells computed twice take longer than rows read
    // again.
    bool is_heavy = iterated->space.size() > 1 && workOf(*iterated) > kHeavy;
    if (is_heavy && own.forced.empty()) return std::nullopt;
    return AtOnce{std::move(*iterated), own};
  }

  // One kernel for the whole loop.
  bool planIterated(Stm& stm, std::vector<Stm>& out) {
    auto found = doneAtOnce(stm);
    if (!found) return false;
    if (found->iterated.space.size() == 3 && found->own.forced.empty())
      return stepsInSpace(stm, found->iterated, out);
    iteratedKernel(stm, found->iterated, out);
    return true;
  }

  // Two versions: several steps at once if there are many cells, else step by step.
  bool stepsInSpace(Stm& stm, const IteratedStencil& iterated, std::vector<Stm>& out) {
    if (variants_.subgroup == 0) return false;
    for (const Stm* stage : iterated.stages) {
      // Reading an array from outside in every step takes the time that steps at once save.
      for (ValueId input : std::get<Stencil>(stage->expr).inputs) {
        if (isFromOutside(iterated, input)) return false;
      }
    }
    Builder builder(program_);
    Operand cells =
        builder.mul(builder.mul(iterated.space[0], iterated.space[1]), iterated.space[2]);
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

  static bool isFromOutside(const IteratedStencil& iterated, ValueId input) {
    for (const Carried& carried : iterated.loop->carried) {
      if (carried.param == input) return false;
    }
    return std::none_of(iterated.stages.begin(), iterated.stages.end(), [&](const Stm* stage) {
      return std::find(stage->results.begin(), stage->results.end(), input) != stage->results.end();
    });
  }

  void iteratedKernel(Stm& stm, const IteratedStencil& iterated, std::vector<Stm>& out) {
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

  // As it will be outlined: nothing is consumed.
  Variants variantsOfLoop(Stm stm, const std::string& marching) {
    for (Carried& carried : std::get<Loop>(stm.expr).carried) carried.consumed = false;
    std::vector<std::string> names = {"direct", "tiles"};
    if (!marching.empty()) names.push_back(marching);
    return variants_.of(program_, stm, names);
  }

  void planLoop(Stm stm, const Loop& e, std::vector<Stm>& out) {
    if (planIterated(stm, out)) return;
    bool parallel = hasParallel(e.body) || handsOnArrays(program_, e.body, &e);
    if (!parallel && touchesArrays(stm) && knowsSizes(stm)) return single(std::move(stm), out);
    for (Carried& carried : std::get<Loop>(stm.expr).carried) makeDense(carried.initial, out);
    forEachBody(stm.expr, [&](Body& body) { planNested(body); });
    out.push_back(std::move(stm));
  }

  // What a branch or loop body defines is unknown outside.
  void planNested(Body& body) {
    auto recompute = recompute_;
    planBody(body);
    recompute_ = std::move(recompute);
  }

  void single(Stm stm, std::vector<Stm>& out) {
    kernel(std::move(stm), {KernelKind::kMap, {}}, out);
  }

  // The host allocates what a kernel writes, so the sizes must be known before.
  bool knowsSizes(const Stm& stm) {
    return std::none_of(stm.results.begin(), stm.results.end(), [&](ValueId value) {
      const Operands& shape = program_.type(value).shape;
      return std::any_of(shape.begin(), shape.end(), [&](const Operand& size) {
        return !size.isConstant() &&
               std::find(stm.results.begin(), stm.results.end(), size.value) != stm.results.end();
      });
    });
  }

  bool touchesArrays(const Stm& stm) {
    Body body;
    body.stms.push_back(stm);
    for (ValueId value : freeValues(program_, body)) {
      if (!program_.type(value).isScalar()) return true;
    }
    return std::any_of(stm.results.begin(), stm.results.end(),
                       [&](ValueId value) { return !program_.type(value).isScalar(); });
  }

  ValueId copyOf(ValueId array, std::vector<Stm>& out) {
    ValueId dense = program_.add(program_.values[array].name, program_.type(array));
    elementKernel({{dense}, Copy{array}, false, {}}, out);
    return dense;
  }
  void makeDense(Operand& operand, std::vector<Stm>& out) {
    if (operand.isConstant() || !views_.contains(operand.value)) return;
    operand = copyOf(operand.value, out);
  }

  // Stored iotas and replicates that no host code wanted after all.
  void dropUnused(Body& body) {
    auto uses = useCounts(program_, body);
    std::vector<Stm> kept;
    for (Stm& stm : body.stms) {
      bool unused = stm.results.size() == 1 && droppable_.contains(stm.results[0]) &&
                    uses[stm.results[0]] == 0;
      if (!unused) kept.push_back(std::move(stm));
    }
    body.stms = std::move(kept);
  }

  Program& program_;
  const Variants& variants_;
  std::string name_;
  size_t function_ = 0;
  int counter_ = 0;
  std::unordered_set<ValueId> views_;      // arrays that may not be dense
  Turned turned_;                          // those of them that are dense ones, axes rearranged
  Substitution same_;                      // arrays by other names
  std::unordered_set<ValueId> droppable_;  // stored copies of what kernels recompute
  std::unordered_map<ValueId, Operands> constants_;  // elements of literals, row by row
  bool in_steps_ = false;                            // inside of a loop that is to go step by step
  std::unordered_map<ValueId, Stm> recompute_;
  std::unordered_map<std::string, Kept> kept_;  // by the name of a call
};

// Kernels that nobody calls, because their result was dropped.
void dropUncalled(Program& program) {
  std::unordered_set<std::string> called;
  std::function<void(const Body&)> visit = [&](const Body& body) {
    for (const Stm& stm : body.stms) {
      if (auto* call = std::get_if<Call>(&stm.expr)) called.insert(call->function);
      forEachBody(stm.expr, visit);
    }
  };
  for (const Function& function : program.functions) visit(function.body);
  std::erase_if(program.functions, [&](const Function& function) {
    return !function.kernel.empty() && !called.contains(function.name);
  });
}

}  // namespace

Program plan(const Program& program, const Variants& variants) {
  Program planned = program;
  Planner(planned, variants).run();
  dropUncalled(planned);
  return planned;
}

}  // namespace halo::gpu
