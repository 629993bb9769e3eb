// A load of memory that the loop stores to by no other name may always come early. Arrays have one
// value; statements that overwrite them come behind their last use.
#include "gpu/raise/batches/early_code.h"

#include <algorithm>

#include "lang/imp/operands.h"
#include "lang/imp/walk.h"

namespace halo::gpu {

using namespace imp;

EarlyCode::EarlyCode(const Program& program, const IndexPolynomials& places, const For& loop,
                     int64_t iterations)
    : program_(program), places_(places), loop_(loop), iterations_(iterations) {
  for (size_t at = 0; at < loop.body.size(); ++at) {
    forEachStm({loop.body[at]}, [&](const Stm& stm) {
      if (const auto* let = std::get_if<Let>(&stm.node)) inside_.insert(let->var);
      if (const auto* declare = std::get_if<Declare>(&stm.node)) inside_.insert(declare->var);
      if (const auto* load = boundAs<Load>(stm)) ++late_loads_[load->buffer];
      const auto* store = std::get_if<Store>(&stm.node);
      if (store != nullptr) stores_.push_back({store->buffer, store->index, at});
    });
  }
  for (size_t at = 0; at < loop.body.size(); ++at) look(loop.body[at], at);
  for (size_t at = 0; at < loop.body.size(); ++at) {
    const auto* store = std::get_if<Store>(&loop.body[at].node);
    if (store != nullptr && mayGoLast(*store)) {
      accesses_.push_back({at, store->buffer, store->index, true});
    }
  }
}

void EarlyCode::look(const Stm& stm, size_t at) {
  const auto* let = std::get_if<Let>(&stm.node);
  if (let == nullptr) return;
  const Operands read = operandsOf(let->expr);
  const bool is_known = std::all_of(read.begin(), read.end(),
                                    [&](const Operand& operand) { return isEarly(operand); });
  const auto* load = std::get_if<Load>(&let->expr);
  if (!is_known || !(isArithmetic(let->expr) || (load != nullptr && mayGoFirst(*load, at)))) return;
  early_.emplace(let->var, let->expr);
  if (load == nullptr) return;
  late_loads_[load->buffer]--;
  accesses_.push_back({at, load->buffer, load->index, false});
}

bool EarlyCode::isEarly(const Operand& operand) const {
  if (operand.isConstant() || operand.var == loop_.var) return true;
  if (inside_.contains(operand.var)) return early_.contains(operand.var);
  return !program_.vars[operand.var].is_mutable;
}

bool EarlyCode::isOnDevice(BufferId buffer) const {
  return program_.buffers[buffer].space == Space::kDevice;
}

// It reads nothing that the iterations in front of its own store, and nothing that its own has.
bool EarlyCode::mayGoFirst(const Load& load, size_t at) const {
  return isOnDevice(load.buffer) &&
         std::all_of(stores_.begin(), stores_.end(), [&](const StoreSite& store) {
           if (store.buffer != load.buffer) return true;
           const auto n = places_.iterationsBetween(loop_, load.index, store.index);
           return n && (*n > 0 || *n <= -iterations_ || (*n == 0 && store.at > at));
         });
}

// No iteration loads from there but in front of its batch, and nothing else is stored there.
bool EarlyCode::mayGoLast(const Store& store) const {
  const auto loads = late_loads_.find(store.buffer);
  return isOnDevice(store.buffer) && isEarly(store.index) &&
         (loads == late_loads_.end() || loads->second == 0) &&
         std::count_if(stores_.begin(), stores_.end(),
                       [&](const StoreSite& site) { return site.buffer == store.buffer; }) == 1;
}

bool EarlyCode::storesToDevice() const {
  return std::any_of(stores_.begin(), stores_.end(),
                     [&](const StoreSite& store) { return isOnDevice(store.buffer); });
}

Operand EarlyCode::emit(Builder& code, const Operand& operand, Known& known) const {
  if (operand.isConstant()) return operand;
  if (const auto found = known.find(operand.var); found != known.end()) return found->second;
  const auto made = early_.find(operand.var);
  if (made == early_.end()) return operand;
  Expr expr = made->second;
  mapOperands(expr, [&](const Operand& arg) { return emit(code, arg, known); });
  const VarInfo info = program_.vars[operand.var];
  return known[operand.var] = code.let(info.name, info.type, std::move(expr));
}

}  // namespace halo::gpu
