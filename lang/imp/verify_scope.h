// The state of Imp's verifier at a place of a function: variables that have values, buffers that
// have memory, the first problem found.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "lang/imp/ir.h"

namespace halo::imp {

class VerifyScope {
 public:
  VerifyScope(const Program& program, const Function& function)
      : program_(program), function_(function) {}

  const Program& program() const { return program_; }
  const Function& function() const { return function_; }
  bool isKernel() const { return function_.kind == FunctionKind::kKernel; }

  // The first problem counts: once there is one, types are not to be relied on.
  const std::string& problem() const { return problem_; }
  bool isFine() const { return problem_.empty(); }
  void complain(std::string text);
  void need(bool condition, const char* text);

  void define(VarId var);
  // Names bound since `mark` are not visible behind it.
  size_t mark() const { return scope_.size(); }
  void closeScope(size_t mark);

  std::string nameOf(VarId var) const;
  ScalarType typeOf(const Operand& o) const;
  void use(const Operand& o);
  void use(const Operand& o, ScalarType type);
  void useIndex(const Operand& o);
  void useOperandOfFailure(const Operand& o);

  // Gives a buffer memory, in the order of the text.
  void place(BufferId buffer) { placed_.insert(buffer); }
  ScalarType elementType(BufferId buffer);
  // Private memory and constant data are where they are.
  void needMovable(BufferId buffer);
  void needDevice(BufferId buffer);  // for memory with contents
  void needSameKind(BufferId a, BufferId b);

 private:
  const Program& program_;
  const Function& function_;
  std::unordered_set<VarId> defined_;
  std::unordered_set<BufferId> placed_;
  std::vector<VarId> scope_;
  std::string problem_;
};

// Calls and launches: the function exists once; arguments and results have its types.
void verifyName(VerifyScope& scope);
void verifyCall(VerifyScope& scope, const Call& call);
void verifyLaunch(VerifyScope& scope, const Launch& launch);

}  // namespace halo::imp
