// One walk finds the arrays whose elements no other lane reads, another one replaces them.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "gpu/team/team.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;

namespace {

class Finder {
 public:
  Finder(const Program& program, int64_t lanes, const std::set<VarId>& few)
      : program_(program), lanes_(lanes), few_(few) {}

  // Each with the variable of the loop that writes it.
  std::unordered_map<BufferId, VarId> run(const Block& body) {
    visit(body);
    std::unordered_map<BufferId, VarId> found;
    for (const auto& [buffer, writer] : writers_) {
      if (allocated_.contains(buffer) && !refused_.contains(buffer)) {
        found[buffer] = writer.loop->var;
      }
    }
    return found;
  }

 private:
  struct Writer {
    const For* loop;
    const Block* block;  // that it stands in
  };

  void visit(const Block& block) {
    around_.push_back(&block);
    for (const Stm& stm : block) statement(stm);
    around_.pop_back();
  }

  void statement(const Stm& stm) {
    if (const auto* loop = std::get_if<For>(&stm.node)) {
      const bool is_shared = loop_ == nullptr && loop->schedule == Schedule::kParallel;
      if (is_shared) loop_ = loop;
      if (isOnce(*loop)) zeros_.insert(loop->var);
      visit(loop->body);
      if (is_shared) loop_ = nullptr;
    } else if (const auto* loop = std::get_if<While>(&stm.node)) {
      visit(loop->before);
      visit(loop->body);
    } else if (const auto* branch = std::get_if<If>(&stm.node)) {
      visit(branch->then_block);
      visit(branch->else_block);
    } else if (const auto* alloc = std::get_if<Alloc>(&stm.node)) {
      allocated_.insert(alloc->buffer);
    } else if (const auto* store = std::get_if<Store>(&stm.node)) {
      if (!writes(*store)) refused_.insert(store->buffer);
    } else if (const auto* let = std::get_if<Let>(&stm.node)) {
      if (isSameNumber(let->expr)) numbers_.insert(let->var);
      const auto* load = std::get_if<Load>(&let->expr);
      if (load != nullptr && !reads(*load)) refused_.insert(load->buffer);
    } else if (!std::holds_alternative<Free>(stm.node)) {
      forEachBuffer(stm, [&](BufferId buffer) { refused_.insert(buffer); });
    }
  }

  static bool isOnce(const For& loop) {
    return loop.lo == Operand::ofI64(0) && loop.hi == Operand::ofI64(1);
  }
  // The number of the shared loop's iteration, plus 0.
  bool isSameNumber(const Expr& expr) const {
    const auto* prim = std::get_if<Prim>(&expr);
    if (loop_ == nullptr || prim == nullptr || prim->op != prim::Op::kAdd) return false;
    auto isZero = [&](const Operand& operand) {
      return operand == Operand::ofI64(0) ||
             (!operand.isConstant() && zeros_.contains(operand.var));
    };
    return (isNumber(prim->args[0]) && isZero(prim->args[1])) ||
           (isNumber(prim->args[1]) && isZero(prim->args[0]));
  }
  bool isNumber(const Operand& operand) const {
    return operand == Operand(loop_->var) ||
           (!operand.isConstant() && numbers_.contains(operand.var));
  }

  // Lanes share all iterations of a nest, not those of its outer loop.
  static bool isNest(const For& loop) {
    const auto* inner = loop.body.empty() ? nullptr : std::get_if<For>(&loop.body[0].node);
    return loop.body.size() == 1 && inner != nullptr && !isOnce(*inner) &&
           inner->schedule == Schedule::kParallel;
  }

  // The lane's only iteration has the number of the element.
  bool isOwn(const Operand& index) const {
    if (loop_ == nullptr || isNest(*loop_) || !isNumber(index)) return false;
    const Operand& count = loop_->hi;
    const bool is_few =
        count.isConstant() ? count.constant.asSigned() <= lanes_ : few_.contains(count.var);
    return is_few && loop_->lo == Operand::ofI64(0);
  }
  bool writes(const Store& store) {
    if (program_.buffers[store.buffer].space != Space::kShared || !isOwn(store.index)) return false;
    const Block* block = around_[loopDepth() - 1];
    const auto [known, is_new] = writers_.try_emplace(store.buffer, Writer{loop_, block});
    return is_new || known->second.loop == loop_;
  }
  // Behind the loop that writes it.
  bool reads(const Load& load) const {
    auto writer = writers_.find(load.buffer);
    if (writer == writers_.end() || !isOwn(load.index)) return false;
    return writer->second.loop != loop_ && writer->second.loop->hi == loop_->hi &&
           std::find(around_.begin(), around_.end(), writer->second.block) != around_.end();
  }
  // Of the shared loop's body among the blocks around.
  size_t loopDepth() const {
    auto body = std::find(around_.begin(), around_.end(), &loop_->body);
    return static_cast<size_t>(body - around_.begin());
  }

  const Program& program_;
  int64_t lanes_;
  const std::set<VarId>& few_;
  const For* loop_ = nullptr;  // the shared one around
  std::vector<const Block*> around_;
  std::unordered_set<BufferId> allocated_, refused_;
  std::unordered_map<BufferId, Writer> writers_;
  std::unordered_set<VarId> zeros_;    // of loops that run once
  std::unordered_set<VarId> numbers_;  // equal to the shared loop's variable
};

}  // namespace

Block keepInRegisters(Program& program, const Block& body, int64_t lanes,
                      const std::set<VarId>& few) {
  const std::unordered_map<BufferId, VarId> kept = Finder(program, lanes, few).run(body);
  std::unordered_map<BufferId, VarId> registers;
  for (const auto& [buffer, loop] : kept) {
    const BufferInfo info = program.buffers[buffer];
    registers[buffer] = program.addVar(info.name, info.type, true);
  }
  return rewriteBlock(body, [&](Stm stm, Block& out) {
    if (auto* loop = std::get_if<For>(&stm.node)) {
      for (const auto& [buffer, writer] : kept) {
        if (writer != loop->var) continue;
        const VarId kept_in = registers.at(buffer);
        out.push_back({Declare{kept_in, prim::zero(program.vars[kept_in].type)}});
      }
    } else if (auto* store = std::get_if<Store>(&stm.node)) {
      auto found = registers.find(store->buffer);
      if (found != registers.end()) stm = {Assign{found->second, store->value}};
    } else if (auto* let = std::get_if<Let>(&stm.node)) {
      const auto* load = std::get_if<Load>(&let->expr);
      auto found = load == nullptr ? registers.end() : registers.find(load->buffer);
      if (found != registers.end()) {
        const ScalarType type = program.vars[found->second].type;
        let->expr = Convert{prim::ConvertKind::kValue, type, type, Operand(found->second)};
      }
    } else if (auto* alloc = std::get_if<Alloc>(&stm.node)) {
      if (registers.contains(alloc->buffer)) return;
    } else if (auto* free = std::get_if<Free>(&stm.node)) {
      if (registers.contains(free->buffer)) return;
    }
    out.push_back(std::move(stm));
  });
}

}  // namespace halo::gpu
