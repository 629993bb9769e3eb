// Equal runs of statements, which differ in the names of variables alone:
//
//   t = mul a b;  u = add t c        v = mul d e;  w = add v f        pairs: a-d b-e t-v c-f u-w
//
// Hashes find candidates (outline_repeats.cpp), a matching decides. `outside`: variables of the
// first run that it does not bind, which become parameters of the repeated function.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/imp/ir.h"

namespace halo::gpu {

void mixHash(size_t& hash, size_t value);
// Of the operation and its constants.
size_t hashOf(const imp::Stm& stm);

// Two runs, statement by statement: which variable of one is which of the other.
class Matching {
 public:
  explicit Matching(const imp::Program& program) : program_(program) {}

  // Whether the next statements are equal.
  bool add(const imp::Stm& a, const imp::Stm& b);

  const std::unordered_map<imp::VarId, imp::VarId>& pairs() const { return pairs_; }
  // Of the first run, in order.
  const std::vector<imp::VarId>& outside() const { return outside_; }

 private:
  bool add(const imp::Block& a, const imp::Block& b);
  bool addLet(const imp::Let& a, const imp::Let& b);
  bool define(imp::VarId a, imp::VarId b);
  bool same(const imp::Operand& a, const imp::Operand& b);

  const imp::Program& program_;
  std::unordered_map<imp::VarId, imp::VarId> pairs_;
  std::unordered_set<imp::VarId> inside_, inside_b_;
  std::vector<imp::VarId> outside_;
};

}  // namespace halo::gpu
