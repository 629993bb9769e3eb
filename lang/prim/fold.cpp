// fold() picks the family; the rows are in fold_int.cpp and fold_float.cpp, those of bool here.
#include "lang/prim/fold.h"

#include "lang/base/check.h"
#include "lang/prim/fold_parts.h"

namespace halo::prim {

Scalar foldBool(Op op, std::span<const Scalar> args) {
  const bool a = args[0].asBool();
  const bool b = args.size() > 1 && args[1].asBool();
  switch (op) {
    case Op::kAnd:
      return Scalar::ofBool(a && b);
    case Op::kOr:
      return Scalar::ofBool(a || b);
    case Op::kXor:
      return Scalar::ofBool(a != b);
    case Op::kNot:
      return Scalar::ofBool(!a);
    default:
      return Scalar::ofBool(compared(op, a, b));
  }
}

Folded fold(Op op, ScalarType type, std::span<const Scalar> args) {
  HALO_CHECK(existsAt(op, type), "primitive does not exist at this type");
  HALO_CHECK(args.size() == static_cast<size_t>(info(op).arity), "wrong number of operands");
  for (const Scalar& arg : args) HALO_CHECK(arg.type == type, "operand of another type");
  if (isFloat(type)) return foldFloat(op, type, args);
  if (type == ScalarType::kBool) return foldBool(op, args);
  return foldInt(op, type, args);
}

}  // namespace halo::prim
