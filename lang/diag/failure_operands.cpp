// Two lists of one length are an even number.
#include "lang/diag/failure_operands.h"

namespace halo::diag {

bool isRunTimeFailure(Code code, size_t operands) {
  switch (code) {
    case Code::index_out_of_range:
    case Code::shape_mismatch:
    case Code::irregular_array:
      return operands % 2 == 0;
    case Code::slice_out_of_range:
    case Code::bad_window:
      return operands == 4;
    case Code::tangent_constructor:
      return operands % 2 == 1;
    case Code::malformed_range:
      return operands == 3;
    case Code::negative_size:
    case Code::bound_exceeded:
    case Code::out_of_memory:
      return operands == 1;
    case Code::size_overflow:
    case Code::division_by_zero:
    case Code::negative_exponent:
    case Code::assertion_failed:
    case Code::hole_reached:
    case Code::interrupted:
    case Code::stack_exhausted:
      return true;
    default:
      return false;
  }
}

}  // namespace halo::diag
