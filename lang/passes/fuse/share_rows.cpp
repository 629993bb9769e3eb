// Inner nodes first. Of the nodes that stand in each other inside of an outer one, all statements
// that its position does not change are collected. Dear ones whose values the rest uses become
// arrays, at the innermost level first.
#include "lang/passes/fuse/share_rows.h"

#include <utility>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/fuse/row_nest.h"
#include "lang/passes/fuse/share_steps.h"
#include "lang/passes/fuse/split_sums.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Program;
using core::Screma;
using core::Stm;
using core::ValueId;
using ValueSet = std::unordered_set<ValueId>;

// The nodes inside of an outer one.
class Nest {
 public:
  Nest(Program& program, Screma& outer, const RowSurroundings& surroundings, std::vector<Stm>& out)
      : program_(program), outer_(outer), out_(out), rows_(program, surroundings, out) {
    rows_.bind(outer.map.params);
    for (const Stm& stm : outer.map.body.stms) rows_.bind(stm.results);
  }

  // `made`: the first arrays of nodes that the pass has made.
  void share(ValueSet& made) {
    const core::Operand& width = outer_.width;
    if (width.isConstant() && width.constant.asSigned() < 2) return;  // nothing is repeated
    const size_t before = out_.size();
    takeOut(made);
    for (Stm& stm : outer_.map.body.stms) splitOuterSums(stm);
    for (Stm& stm : outer_.map.body.stms) rows_.enter(stm);
    for (size_t k = before; k < out_.size(); ++k) made.insert(out_[k].results[0]);
  }

 private:
  // Arrays that inner nodes share leave the outer node if they do not vary: others use them.
  void takeOut(const ValueSet& made) {
    std::vector<Stm> stays;
    for (Stm& stm : outer_.map.body.stms) {
      const bool is_made = !stm.results.empty() && made.contains(stm.results[0]);
      if (is_made && !rows_.varies(stm)) {
        moveOut(std::move(stm));
      } else {
        stays.push_back(std::move(stm));
      }
    }
    outer_.map.body.stms = std::move(stays);
  }
  // Sums right inside of the outer node. (Of a node that does not vary at all, hoist takes all.)
  void splitOuterSums(Stm& stm) {
    if (!rows_.varies(stm)) return;
    if (auto sums = splitSums(program_, stm, rows_.names())) moveOut(std::move(*sums));
  }
  void moveOut(Stm stm) {
    rows_.unbind(stm.results);
    out_.push_back(std::move(stm));
  }

  Program& program_;
  Screma& outer_;
  std::vector<Stm>& out_;
  RowNest rows_;
};

class Sharer {
 public:
  explicit Sharer(Program& program) : program_(program) {}

  // `in_nest`: around the body is a nest whose cells are workgroups.
  void body(Body& b, bool in_nest = false) {
    std::vector<Stm> out;
    for (Stm& stm : b.stms) {
      const size_t before = out.size();
      auto* outer = std::get_if<Screma>(&stm.expr);
      const bool has_groups =
          outer != nullptr && (in_nest || outer->flattening.has(core::Flattening::kOnlyIntra));
      if (outer != nullptr && !has_groups) shareInner(program_, *outer, out);
      enterCells(stm, has_groups && outer->map.body.stms.size() == 1);
      if (outer != nullptr && !has_groups) {
        Nest(program_, *outer, surroundings_, out).share(made_);
        shareSteps(program_, *outer, out);
      }
      out.push_back(std::move(stm));
      for (size_t k = before; k < out.size(); ++k) see(out[k]);
    }
    b.stms = std::move(out);
  }

 private:
  void enterCells(Stm& stm, bool in_nest) {
    const size_t around = seen_.size();
    const bool was_in_cell = in_cell_;
    core::visitLambdas(stm.expr, [&](core::Lambda& lambda) {
      in_cell_ = true;
      bind(lambda.params);
    });
    if (auto* node = std::get_if<Screma>(&stm.expr)) {
      for (size_t k = 0; k < node->inputs.size(); ++k) {
        if (!surroundings_.spread.contains(node->inputs[k])) continue;
        surroundings_.spread.insert(node->map.params[k]);
      }
    }
    core::visitBodies(stm.expr, [&](Body& nested) { body(nested, in_nest); });
    for (size_t k = around; k < seen_.size(); ++k) surroundings_.cells.erase(seen_[k]);
    seen_.resize(around);
    in_cell_ = was_in_cell;
  }

  void see(const Stm& stm) {
    bind(stm.results);
    surroundings_.see(program_, stm);
  }
  void bind(const std::vector<ValueId>& values) {
    if (!in_cell_) return;
    seen_.insert(seen_.end(), values.begin(), values.end());
    surroundings_.cells.insert(values.begin(), values.end());
  }

  Program& program_;
  RowSurroundings surroundings_;
  std::vector<ValueId> seen_;  // the cells' names, in order
  bool in_cell_ = false;
  ValueSet made_;  // the first arrays of nodes that this pass has made
};

}  // namespace

Program shareRows(const Program& program) {
  return withBodies(program, [](Program& result, const core::Function&, Body& body) {
    Sharer(result).body(body);
  });
}

}  // namespace halo::passes
