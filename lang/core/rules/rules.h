// The checks behind type_rules.h, one function per node. Shapes are equal when their sizes are the
// same operands. A node may have results that are sizes of its other results (match, loop, call).
// The sizes that the arm, iteration or callee returns replace those before a result's type is
// compared.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lang/core/derivative_name.h"
#include "lang/core/ir.h"
#include "lang/core/moves.h"
#include "lang/core/text/shorthand.h"

namespace halo::core {

class Rules {
 public:
  Rules(const Program& program, const Stm& stm) : program_(program), stm_(stm) {}
  explicit Rules(const Program& program) : program_(program), stm_(kNoStm) {}

  std::optional<std::string> run();
  std::optional<std::string> returns(const Function& f);

 private:
  using Renaming = std::map<ValueId, Operand>;
  static const Stm kNoStm;

  // ---- messages

  template <typename... Args>
  void fail(fmt::format_string<Args...> format, Args&&... args) {
    if (!error_) error_ = fmt::format(format, std::forward<Args>(args)...);
  }
  std::string show(const Type& t) const { return text(program_, t); }
  std::string show(const Operand& o) const { return text(program_, o); }
  bool need(bool condition, std::string_view message) {
    if (!condition) fail("{}", message);
    return condition;
  }
  void same(const Type& found, const Type& needed, std::string_view what) {
    if (found != needed) fail("{} has type `{}`, needed `{}`", what, show(found), show(needed));
  }

  // ---- parts

  Type type(const Operand& o) const { return program_.type(o); }
  Type type(ValueId v) const { return program_.type(v); }
  void scalar(const Operand& o, ScalarType needed, std::string_view what);
  void sizes(const Operands& os) {
    for (const Operand& o : os) scalar(o, ScalarType::kI64, "size");
  }
  void gives(const std::vector<Type>& types);
  void onlyProven() { need(!stm_.checked, "the operation is `checked` but cannot fail"); }
  static Type row(Type t) {
    t.shape.erase(t.shape.begin());
    return t;
  }
  static Type arrayOf(const Operands& outer, Type element);
  static Type renamed(Type t, const Renaming& renaming);
  void returned(const Operands& found, const std::vector<ValueId>& binders, std::string_view what,
                Renaming renaming);
  bool selected(ValueId array, const Operands& indices, Type* part);
  bool sliced(ValueId array, const std::vector<SliceDim>& dims, Type* part);

  // ---- scalars

  void check(const Literal& n);
  void check(const PrimOp& n);
  void check(const Convert& n);
  void check(const Select& n);

  // ---- arrays

  void check(const Index& n);
  void check(const Slice& n);
  void check(const Update& n);
  void check(const Iota& n);
  void check(const Replicate& n);
  void check(const ArrayLiteral& n);
  void check(const Scratch& n);
  void check(const Rearrange& n);
  void check(const Reshape& n);
  void check(const Concat& n);
  void check(const Copy& n);

  // ---- second-order

  void params(const Lambda& lambda, const std::vector<Type>& needed, std::string_view what);
  std::vector<Type> combiner(const Lambda& op, const Operands& neutral, std::string_view what);
  void input(ValueId array, const Operands& space, std::vector<Type>* elements);
  // Results of the map: operands of reductions, of scans, then passed through.
  template <typename Node>
  void mapped(const Node& n, const Operands& space, const std::vector<Scan>& scans,
              const Operands& partial);
  void check(const Screma& n);
  void boundary(const Boundary& b, const Type& element);
  void window(const Window& w, const Operands& space, std::vector<Type>* elements);
  void check(const Stencil& n);
  void check(const Scatter& n);
  void check(const Hist& n);
  void histogram(const Hist& n, const HistOp& operation, size_t* next, std::vector<Type>* results);
  void check(const Pad& n);
  void check(const Slide& n);

  // ---- control

  void check(const Match& n);
  void check(const Loop& n);
  void check(const Call& n);
  void derived(const Call& n, const DerivativeName& name);
  void moved(const Call& n, Move move);
  void movedGhosts(const Call& n, Move move);
  void movedRoute(const Call& n);
  void movedResume(const Call& n);
  void movedWhole(const Call& n);
  void movedAll(const Call& n, Move move);  // of all ranks
  void check(const Assert& n);

  const Program& program_;
  const Stm& stm_;
  std::optional<std::string> error_;
};

}  // namespace halo::core
