// Large tiles where they fill the device, else small ones.
#include "gpu/schedule/reduce/matrix_product.h"

#include <algorithm>

#include "gpu/schedule/legal_reduce.h"
#include "gpu/schedule/legal_rules.h"
#include "gpu/schedule/node_code.h"
#include "gpu/schedule/reduce/product_form.h"

namespace halo::gpu {
namespace {

using enum prim::ScalarType;

constexpr int64_t kFewMatrixTiles = 120;      // leave the device idle
constexpr int64_t kMinMatrixExtent = 32;      // rows and columns: fewer leave tiles empty
constexpr int64_t kMinMatrixDepth = 32;       // elements of a line
constexpr int64_t kMinMatrixCells = 1 << 12;  // fewer are reduced one by one
constexpr int64_t kMaxDepthBytes = 128;       // of a step: the fastest on an H200
constexpr int64_t kMinDepthBytes = 32;
constexpr int64_t kMatrixSide = 16;    // rows, or columns, of a matrix
constexpr int64_t kScratchPitch = 20;  // words of a row of a matrix on its way to a result

const core::PrimOp* primOf(const core::Stm& stm, prim::Op op) {
  const auto* prim = std::get_if<core::PrimOp>(&stm.expr);
  return prim != nullptr && prim->op == op ? prim : nullptr;
}

// The parameter that is converted to the factor, or is the factor itself.
core::ValueId sourceOf(const core::Body& body, const core::Operand& factor) {
  if (factor.isConstant()) return {};
  for (const core::Stm& stm : body.stms) {
    if (stm.results[0] != factor.value) continue;
    const auto* convert = std::get_if<core::Convert>(&stm.expr);
    const bool is_value = convert != nullptr && convert->kind == prim::ConvertKind::kValue;
    return is_value && !convert->arg.isConstant() ? convert->arg.value : core::ValueId();
  }
  return factor.value;
}

bool isSum(const core::Reduction& reduction, prim::ScalarType type) {
  const core::Body& op = reduction.op.body;
  if (op.stms.size() != 1 || reduction.neutral.size() != 1) return false;
  const core::PrimOp* add = primOf(op.stms[0], prim::Op::kAdd);
  const core::Operand& zero = reduction.neutral[0];
  if (add == nullptr || add->type != type || !zero.isConstant() || zero.constant.bits != 0) {
    return false;
  }
  const core::ValueId left = reduction.op.params[0], right = reduction.op.params[1];
  const bool in_order = add->args[0] == core::Operand(left) && add->args[1] == core::Operand(right);
  const bool turned = add->args[0] == core::Operand(right) && add->args[1] == core::Operand(left);
  return (in_order || turned) && op.results[0] == core::Operand(op.stms[0].results[0]);
}

std::optional<MatrixForm> formOf(prim::ScalarType element, prim::ScalarType sum) {
  if (element == kF16 && (sum == kF32 || sum == kF16)) return MatrixForm{kF16, kF32};
  if (sum != kI32 && sum != kU32) return std::nullopt;
  if (element == kI8) return MatrixForm{kI8, kI32};
  if (element == kU8) return MatrixForm{kU8, kU32};
  return std::nullopt;
}

int64_t depthOf(const Limits& limits, prim::ScalarType element) {
  const MatrixDepth depth = element == kF16  ? limits.matrix_f16
                            : element == kI8 ? limits.matrix_i8
                                             : limits.matrix_u8;
  return depth.elements;
}

class MatrixVersions {
 public:
  MatrixVersions(KernelChoice& choice, const MatrixForm& form, const Limits& limits,
                 const Request& request)
      : choice_(choice), limits_(limits), request_(request) {
    bytes_ = prim::byteSize(form.element);
    matrix_depth_ = depthOf(limits, form.element);
  }

  void add() {
    for (const MatrixProductSchedule& tile :
         {tileOf(128, 128, 64, 64), tileOf(64, 64, 32, 32), tileOf(32, 32, 16, 16)}) {
      if (whyIllegal(tile, limits_).empty()) tiles_.push_back(tile);
    }
    if (tiles_.empty()) return;
    choice_.alternatives.push_back("matrices");
    if (request_.forced == "matrices" && !request_.numbers.empty()) {
      return choice_.versions.push_back({pays(), requested(), "requested"});
    }
    for (size_t i = 0; i + 1 < tiles_.size(); ++i) {
      choice_.versions.push_back({pays() && fills(tiles_[i]), tiles_[i], "tiles fill the device"});
    }
    choice_.versions.push_back({pays(), tiles_.back(), "cooperative matrices have its types"});
  }

 private:
  // `rows` and `columns` of a tile and of a subgroup; the largest step that fits.
  MatrixProductSchedule tileOf(int64_t rows, int64_t columns, int64_t own_rows,
                               int64_t own_columns) const {
    MatrixProductSchedule s{rows, columns, 0, own_rows, own_columns};
    s.matrix_depth = matrix_depth_;
    s.element_bytes = bytes_;
    s.lanes = limits_.subgroup;
    for (s.depth = kMaxDepthBytes / bytes_; s.depth * bytes_ > kMinDepthBytes; s.depth /= 2) {
      if (matrixSharedBytes(s) <= limits_.shared_bytes) break;
    }
    return s;
  }

  MatrixProductSchedule requested() const {
    const auto number = [&](size_t which, int64_t otherwise) {
      return request_.number("matrices", which, otherwise);
    };
    const MatrixProductSchedule& rule = tiles_[0];
    MatrixProductSchedule s = rule;
    s.rows = number(0, rule.rows), s.columns = number(1, rule.columns);
    s.depth = number(2, rule.depth);
    s.own_rows = number(3, rule.own_rows), s.own_columns = number(4, rule.own_columns);
    s.copies = number(5, rule.copies), s.band = number(6, rule.band);
    s.padding = number(7, rule.padding), s.prefetch = number(8, rule.prefetch ? 1 : 0) != 0;
    return s;
  }

  Condition pays() const {
    const bool is_forced = request_.forced == "matrices";
    const Condition can = Condition(Quantity::kIsProduct) && Quantity::kHasLines;
    const Condition depth = Quantity::kSegment, rows = Quantity::kRows,
                    columns = Quantity::kColumns;
    if (is_forced) return can && depth >= 1;
    return can && depth >= kMinMatrixDepth && rows >= kMinMatrixExtent &&
           columns >= kMinMatrixExtent && Condition(Quantity::kSegments) >= kMinMatrixCells;
  }
  static Condition fills(const MatrixProductSchedule& tile) {
    const Condition below = tiles(Quantity::kRows, tile.rows);
    const Condition beside = tiles(Quantity::kColumns, tile.columns);
    return Condition(Quantity::kMatrices) * (below * beside) >= kFewMatrixTiles;
  }

  KernelChoice& choice_;
  const Limits& limits_;
  const Request& request_;
  int64_t bytes_ = 0, matrix_depth_ = 0;
  std::vector<MatrixProductSchedule> tiles_;  // that fit, the largest first
};

}  // namespace

std::optional<MatrixForm> matrixForm(const core::Program& program, const core::Screma& screma) {
  const core::Body& map = screma.map.body;
  if (screma.reductions.size() != 1 || screma.map.params.size() != 2 || map.results.size() != 1 ||
      map.stms.empty() || map.stms.size() > 3) {
    return std::nullopt;
  }
  const core::PrimOp* product = primOf(map.stms.back(), prim::Op::kMul);
  if (product == nullptr || map.results[0] != core::Operand(map.stms.back().results[0])) {
    return std::nullopt;
  }
  const core::ValueId a = sourceOf(map, product->args[0]), b = sourceOf(map, product->args[1]);
  const core::ValueId x = screma.map.params[0], y = screma.map.params[1];
  const bool takes_both = (a == x && b == y) || (a == y && b == x);
  if (!takes_both || !isSum(screma.reductions[0], product->type)) return std::nullopt;
  const prim::ScalarType element = program.type(x).scalar;
  if (program.type(y).scalar != element) return std::nullopt;
  return formOf(element, product->type);
}

void addMatrixProducts(KernelChoice& choice, const core::Program& program,
                       const core::Function& kernel, const std::vector<const core::Screma*>& levels,
                       const Limits& limits, const Request& request) {
  if (!request.allows("matrices") || !productForm(program, kernel, levels)) return;
  const std::optional<MatrixForm> form = matrixForm(program, *levels.back());
  if (form && depthOf(limits, form->element) > 0) {
    MatrixVersions(choice, *form, limits, request).add();
  }
}

int64_t matrixWords(const MatrixProductSchedule& s, int64_t lines) {
  return std::max(lines * matrixPitch(s, s.depth), s.depth * matrixPitch(s, lines));
}

int64_t matrixSharedBytes(const MatrixProductSchedule& s) {
  const int64_t staged = s.copies * (matrixWords(s, s.rows) + matrixWords(s, s.columns));
  const int64_t subgroups = s.threads() / std::max<int64_t>(s.lanes, 1);
  constexpr int64_t kOther = 64;
  return std::max(staged, subgroups * kMatrixSide * kScratchPitch) * 4 + kOther;
}

std::string whyIllegal(const MatrixProductSchedule& s, const Limits& limits) {
  const bool is_known = s.matrix_depth > 0 && (s.matrix_depth == limits.matrix_f16.elements ||
                                               s.matrix_depth == limits.matrix_i8.elements ||
                                               s.matrix_depth == limits.matrix_u8.elements);
  if (!is_known) return "the device has no matrices of this depth";
  const bool is_whole = s.own_rows > 0 && s.own_columns > 0 && s.own_rows % kMatrixSide == 0 &&
                        s.own_columns % kMatrixSide == 0;
  if (!is_whole) return "a subgroup has matrices of 16 x 16 cells";
  if (s.rows < 1 || s.columns < 1 || s.rows % s.own_rows != 0 || s.columns % s.own_columns != 0) {
    return "a tile is not whole subgroups";
  }
  if (s.depth < 1 || s.depth % s.matrix_depth != 0) return "a step is not whole matrices";
  if (s.copies < 1 || s.copies > 2) return "lines are staged in one copy or two";
  if (s.padding < 0 || s.padding % 16 != 0) return "padding is not whole vectors";
  if (s.band < 1) return "a band has at least one tile";
  const int64_t vector = 16 / s.element_bytes, threads = s.threads();
  for (const int64_t lines : {s.rows, s.columns}) {
    const int64_t along = s.depth / vector, across = lines / vector;
    const bool is_even = threads % along == 0 && lines % (threads / along) == 0 &&
                         threads % across == 0 && s.depth % (threads / across) == 0;
    if (!is_even) return "invocations do not share the vectors of a step evenly";
  }
  if (matrixSharedBytes(s) > limits.shared_bytes) {
    return fmt::format("{} bytes of shared memory, a workgroup has {}", matrixSharedBytes(s),
                       limits.shared_bytes);
  }
  return lanesProblem(s.lanes, threads, limits);
}

}  // namespace halo::gpu
