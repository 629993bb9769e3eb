// Host code is walked in order, so that scalars and iotas around a nest are known. The conditions
// of nests in a loop on their extents are tested in front of the outermost loop.
#include "lang/passes/stencil/recognise_gathers.h"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/nests/gather_nest.h"
#include "lang/passes/stencil/counted_flags.h"
#include "lang/passes/stencil/neighbourhood_stencil.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::ScalarType;
using core::Stm;
using core::ValueId;

constexpr int64_t kMaxReach = 3;  // of tests of the position

// Conditions on extents: at least so many cells; and fewer than i32 can count.
struct Needs {
  std::map<ValueId, int64_t> least;
  std::set<ValueId> narrow;
  bool empty() const { return least.empty() && narrow.empty(); }
};

class GatherRecogniser {
 public:
  GatherRecogniser(core::Program& program, const core::Function& function) : program_(program) {
    defined_.insert(function.params.begin(), function.params.end());
  }

  void body(Body& b) {
    std::vector<Stm> old = std::move(b.stms);
    b.stms.clear();
    const auto arrays_outside = std::exchange(stencil_arrays_, {});
    for (size_t k = 0; k < old.size(); ++k) {
      Stm& stm = old[k];
      if (std::holds_alternative<core::Loop>(stm.expr) && needs_ == nullptr) {
        loop(std::move(stm), b);
        continue;
      }
      if (std::holds_alternative<core::Screma>(stm.expr)) {
        if (nest(old, k, b)) continue;
      } else if (core::isControl(stm.expr)) {
        core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
      }
      define(stm);
      b.stms.push_back(std::move(stm));
    }
    stencil_arrays_ = arrays_outside;
  }

 private:
  void define(const Stm& stm) {
    for (ValueId result : stm.results) defined_.insert(result);
    if (std::holds_alternative<core::Stencil>(stm.expr)) {
      stencil_arrays_.insert(stm.results.begin(), stm.results.end());
    }
    const bool is_known = std::holds_alternative<core::PrimOp>(stm.expr) ||
                          std::holds_alternative<core::Convert>(stm.expr) ||
                          std::holds_alternative<core::Select>(stm.expr) ||
                          std::holds_alternative<core::Literal>(stm.expr) ||
                          std::holds_alternative<core::Iota>(stm.expr);
    if (is_known) outside_[stm.results[0]] = stm;
  }

  // True if a stencil stands for the nest now, which is statement k.
  bool nest(const std::vector<Stm>& stms, size_t k, Body& out) {
    Stm stm = stms[k];
    std::vector<Stm> rows = rowsOf(stm);
    auto flat = flattenNest(program_, stm, outside_);
    std::optional<Neighbourhoods> found;
    std::optional<std::vector<Stm>> made;
    if (!flat) return false;
    const auto look = [&](int64_t reach, Positions positions) {
      found = findNeighbourhoods(program_, *flat, outside_, stencil_arrays_, reach);
      if (found) made = stencilOf(program_, stm, *flat, *found, positions);
      return found.has_value();
    };
    // Tests of windows are constants inside of an array, so they come before positions.
    for (int64_t reach = 1; reach <= kMaxReach && !made; ++reach) {
      if (!look(reach, Positions::kNone)) return false;
    }
    if (!made && !look(1, Positions::kAsValues)) return false;
    if (!made || isCounted(stms, k, out)) return false;
    if (!rows.empty() && !hasWindowsAlone(*made)) return false;
    Needs needs;
    for (size_t axis = 0; axis < flat->space.size(); ++axis) {
      const Operand& extent = flat->space[axis];
      if (extent.isConstant()) continue;
      if (found->least[axis] > 1) needs.least[extent.value] = found->least[axis];
      if (found->narrow) needs.narrow.insert(extent.value);
    }
    append(std::move(rows), out);
    if (areKnownOutside(needs)) {
      merge(needs);
      stencil_arrays_.insert(stm.results.begin(), stm.results.end());
      append(std::move(*made), out);
    } else {
      append(choice(needs, std::move(*made), stm), out);
    }
    return true;
  }

  // Tests of positions cost more than the reads of a nest that returns indices, as for a histogram.
  static bool hasWindowsAlone(const std::vector<Stm>& made) {
    const auto* stencil = std::get_if<core::Stencil>(&made.back().expr);
    return made.size() == 1 && stencil != nullptr && stencil->positions.empty();
  }

  // Views of the rows that each cell reads at places the nest does not choose; it reads those then.
  // An arm's read may be of a row outside of the array, unless each cell reads the row anyhow.
  std::vector<Stm> rowsOf(Stm& stm) {
    std::set<ValueId> inside;
    const auto bind = [&](const core::Expr& expr) {
      for (const ValueId bound : core::boundIn(expr)) inside.insert(bound);
    };
    bind(stm.expr);
    core::visitBodies(stm.expr, [&](const Body& body) {
      core::visitStms(body, [&](const Stm& inner) {
        inside.insert(inner.results.begin(), inner.results.end());
        bind(inner.expr);
      });
    });
    std::vector<Stm> rows;
    readRows(stm.expr, Reads::kOfEachCell, inside, rows);
    readRows(stm.expr, Reads::kAll, inside, rows);
    return rows;
  }
  enum class Reads : uint8_t { kOfEachCell, kAll };
  void readRows(core::Expr& nest, Reads reads, const std::set<ValueId>& inside,
                std::vector<Stm>& rows) {
    core::visitBodies(nest, [&](Body& body) {
      for (Stm& stm : body.stms) {
        readRow(stm, reads, inside, rows);
        const bool is_level = std::holds_alternative<core::Screma>(stm.expr);
        if (is_level || reads == Reads::kAll) readRows(stm.expr, reads, inside, rows);
      }
    });
  }
  void readRow(Stm& stm, Reads reads, const std::set<ValueId>& inside, std::vector<Stm>& rows) {
    auto* read = std::get_if<core::Index>(&stm.expr);
    if (read == nullptr || stm.checked || inside.contains(read->array)) return;
    const auto chosen =
        std::find_if(read->indices.begin(), read->indices.end(),
                     [&](const Operand& i) { return !i.isConstant() && inside.contains(i.value); });
    if (chosen == read->indices.begin() || chosen == read->indices.end()) return;
    const core::Index row{read->array, core::Operands(read->indices.begin(), chosen)};
    auto known = std::find_if(rows.begin(), rows.end(), [&](const Stm& one) {
      return std::get<core::Index>(one.expr) == row;
    });
    if (known == rows.end()) {
      if (reads == Reads::kAll) return;
      const core::Type type = core::rowOf(program_.type(row.array), row.indices.size());
      rows.push_back({{program_.add("row", type)}, row, false, stm.span});
      known = rows.end() - 1;
    }
    *read = core::Index{known->results[0], core::Operands(chosen, read->indices.end())};
  }

  bool isCounted(const std::vector<Stm>& stms, size_t k, const Body& out) const {
    const std::vector<ValueId>& results = stms[k].results;
    return results.size() == 1 && areCounted(program_, results[0], stms, k + 1, out.results);
  }

  static void append(std::vector<Stm> stms, Body& out) {
    for (Stm& stm : stms) out.stms.push_back(std::move(stm));
  }

  bool areKnownOutside(const Needs& needs) const {
    if (needs.empty()) return true;
    if (needs_ == nullptr) return false;
    auto is_bound_inside = [&](ValueId value) { return !before_loop_.contains(value); };
    for (const auto& [value, least] : needs.least) {
      if (is_bound_inside(value)) return false;
    }
    return std::none_of(needs.narrow.begin(), needs.narrow.end(), is_bound_inside);
  }

  void merge(const Needs& needs) {
    if (needs.empty()) return;
    for (const auto& [value, least] : needs.least) {
      needs_->least[value] = std::max(needs_->least[value], least);
    }
    needs_->narrow.insert(needs.narrow.begin(), needs.narrow.end());
  }

  void loop(Stm stm, Body& out) {
    const Stm before = stm;
    Needs needs;
    needs_ = &needs;
    before_loop_ = defined_;
    core::visitBodies(stm.expr, [&](Body& nested) { body(nested); });
    needs_ = nullptr;
    define(stm);
    if (needs.empty()) {
      out.stms.push_back(std::move(stm));
    } else {
      append(choice(needs, {std::move(stm)}, before), out);
    }
  }

  // `original` where the extents are not as needed, else the code made of it.
  std::vector<Stm> choice(const Needs& needs, std::vector<Stm> made, const Stm& original) {
    core::Builder builder(program_);
    Operand holds = core::Scalar::ofBool(true);
    auto require = [&](prim::Op op, ValueId extent, int64_t bound) {
      Operand fits = builder.prim(op, ScalarType::kI64, {extent, Operand::ofI64(bound)});
      if (holds.isConstant()) {
        holds = fits;
      } else {
        holds = builder.prim(prim::Op::kAnd, ScalarType::kBool, {holds, fits});
      }
    };
    for (const auto& [extent, least] : needs.least) require(prim::Op::kGe, extent, least);
    for (ValueId extent : needs.narrow) {
      require(prim::Op::kLt, extent, CellEvaluator::kMaxNarrow);
    }
    const core::Operands results(original.results.begin(), original.results.end());
    Body yes = core::freshCopy(program_, Body{std::move(made), results});
    Body no = core::freshCopy(program_, Body{{original}, results});
    core::Match match{holds, {{core::Scalar::ofBool(true), std::move(yes)}}, std::move(no)};
    builder.append({original.results, std::move(match), false, original.span});
    return builder.take({}).stms;
  }

  core::Program& program_;
  Outside outside_;
  std::set<ValueId> defined_, before_loop_;
  std::unordered_set<ValueId> stencil_arrays_;  // of the body at hand
  Needs* needs_ = nullptr;                      // of the loop at hand
};

}  // namespace

core::Program recogniseGathers(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function& function, Body& body) {
    GatherRecogniser(result, function).body(body);
  });
}

}  // namespace halo::passes
