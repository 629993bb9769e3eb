// Which way scans of columns take, by their sizes.
#include <doctest/doctest.h>

#include <unordered_map>

#include "gpu/templates/scan/scan_columns.h"
#include "lang/prim/fold.h"

namespace halo::gpu {
namespace {

// The results of straight host code on constants.
class Computed {
 public:
  explicit Computed(const imp::Block& block) {
    for (const imp::Stm& stm : block) {
      const auto& let = std::get<imp::Let>(stm.node);
      if (const auto* prim = std::get_if<imp::Prim>(&let.expr)) {
        std::vector<prim::Scalar> args;
        for (const imp::Operand& arg : prim->args) args.push_back(valueOf(arg));
        values_[let.var] = std::get<prim::Scalar>(prim::fold(prim->op, prim->type, args));
      } else {
        const auto& select = std::get<imp::Select>(let.expr);
        bool yes = valueOf(select.condition).asBool();
        values_[let.var] = valueOf(yes ? select.on_true : select.on_false);
      }
    }
  }
  prim::Scalar valueOf(const imp::Operand& operand) const {
    return operand.isConstant() ? operand.constant : values_.at(operand.var);
  }

 private:
  std::unordered_map<imp::VarId, prim::Scalar> values_;
};

ColumnWay wayOf(int64_t outer, int64_t rows, int64_t together, bool fits = true,
                bool are_long = false) {
  imp::Program program;
  imp::Builder host(program);
  imp::Operand by_vectors = prim::Scalar::ofBool(fits && together % 4 == 0);
  ColumnSizes sizes{i64(outer * together), i64(rows), i64(together), by_vectors, are_long};
  imp::Operand way = columnWay(host, sizes);
  return static_cast<ColumnWay>(Computed(host.take()).valueOf(way).asSigned());
}

TEST_CASE("columns side by side are scanned in tiles") {
  CHECK(wayOf(1, 16384, 16384) == ColumnWay::kWide);
  CHECK(wayOf(20, 16384, 1000) == ColumnWay::kWide);
  CHECK(wayOf(1, 1000, 1000) == ColumnWay::kDirect);
  CHECK(wayOf(1, 1 << 20, 256) == ColumnWay::kVectors);
  CHECK(wayOf(1, 1 << 20, 256, false) == ColumnWay::kDirect);
  CHECK(wayOf(1, 1 << 15, 256) == ColumnWay::kDirect);
  CHECK(wayOf(1, 1 << 22, 64) == ColumnWay::kVectors);
}

TEST_CASE("long elements go by vectors, where many columns lie side by side") {
  CHECK(wayOf(1, 16384, 8192, true, true) == ColumnWay::kWideVectors);
  CHECK(wayOf(1, 16384, 8192, false, true) == ColumnWay::kWide);
  CHECK(wayOf(1, 16384, 8191, true, true) == ColumnWay::kWide);
  CHECK(wayOf(1, 1 << 20, 256, true, true) == ColumnWay::kDirect);
}

TEST_CASE("few columns go by vectors, if there are enough of them") {
  CHECK(wayOf(1, 1 << 26, 4) == ColumnWay::kStagedVectors);
  CHECK(wayOf(1, 1 << 18, 4) == ColumnWay::kStagedVectors);
  for (int64_t together : {8, 12, 16}) {
    CHECK(wayOf(1, 1 << 20, together) == ColumnWay::kVectors);
    CHECK(wayOf(1, 1000, together) == ColumnWay::kWalk);
    CHECK(wayOf(1, 1 << 20, together, false) == ColumnWay::kWalk);
  }
}

TEST_CASE("many columns, few and short ones need no tiles") {
  for (int64_t together : {5, 20, 32, 63}) {
    CHECK(wayOf(1, 1 << 20, together) == ColumnWay::kWalk);
  }
  CHECK(wayOf(512, 512, 1024) == ColumnWay::kWalk);
  CHECK(wayOf(1 << 16, 4096, 4) == ColumnWay::kWalk);
  CHECK(wayOf(1, 64, 5000) == ColumnWay::kWalk);
  CHECK(wayOf(1, 1, 3) == ColumnWay::kWalk);
}

}  // namespace
}  // namespace halo::gpu
