#include "gpu/templates/sort/sort_look_back.h"

#include "gpu/schedule/sort.h"
#include "gpu/templates/kernel/conditions.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr uint32_t kSortMostPolls = 50000;  // below the loop limit of software devices
constexpr uint32_t kSortOwn = uint32_t{1} << kSortStatusBit;     // keys of the tile alone
constexpr uint32_t kSortPrefix = uint32_t{2} << kSortStatusBit;  // keys of all tiles up to it

}  // namespace

// Of a tile and a digit.
Operand SortLookBack::stateAt(const Operand& tile, const Operand& bin) {
  Operand before = code_.mul(scope_.scalar(pass_.digit), scope_.scalar(pass_.tiles));
  Operand row = code_.add(before, tile);
  return code_.add(code_.mul(row, i64(shape_.bins())), bin);
}

void SortLookBack::post(const Own& own, uint32_t status, const Operand& count) {
  Operand both = word(code_, Op::kOr, count, u32(status));
  BufferId state = scope_.buffer(pass_.state);
  code_.append(Atomic{AtomicOp::kStore, state, stateAt(own.tile, own.bin), both, {}});
}

void SortLookBack::postOwn(const Own& own) { post(own, kSortOwn, own.count); }

void SortLookBack::find(const Operand& is_bin, const Own& own,
                        const std::function<void(const Operand& earlier)>& use) {
  Look look{};
  look.polls = code_.declare("polls", ScalarType::kU32, u32(0));
  code_.ifThenElse(is_bin, [&] {
    look.sum = code_.declare("earlier", ScalarType::kU32, u32(0));
    look.next = code_.declare("next", ScalarType::kI64, code_.sub(own.tile, i64(1)));
    Operand is_first = code_.prim(Op::kEq, ScalarType::kI64, {own.tile, i64(0)});
    look.waits = code_.declare(
        "waits", ScalarType::kBool,
        code_.let("any", ScalarType::kBool,
                  Select{is_first, prim::Scalar::ofBool(false), prim::Scalar::ofBool(true)}));
    code_.whileLoop([&] { return Operand(look.waits); }, [&] { lookOnce(look, own.bin); });
    post(own, kSortPrefix, word(code_, Op::kAdd, look.sum, own.count));
    use(look.sum);
  });
  Operand gave_up = word(code_, Op::kGe, look.polls, u32(kSortMostPolls));
  code_.ifThenElse(gave_up, [&] { code_.fail(diag::Code::engine_unsupported, {}, {}); });
}

// A window of tiles; those that do not exist end the search.
Operands SortLookBack::see(const Look& look, const Operand& bin) {
  Operands seen;
  for (int64_t j = 0; j < shape_.lookback_tiles; ++j) {
    Operand tile = code_.sub(Operand(look.next), i64(j));
    VarId old = code_.program().addVar("state", ScalarType::kU32);
    Operand at = stateAt(code_.max(tile, i64(0)), bin);
    code_.append(Atomic{AtomicOp::kLoad, scope_.buffer(pass_.state), at, u32(0), old});
    Operand exists = code_.prim(Op::kGe, ScalarType::kI64, {tile, i64(0)});
    seen.push_back(code_.let("seen", ScalarType::kU32, Select{exists, old, u32(kSortPrefix)}));
  }
  return seen;
}

// At a window of tiles at once; up to the first that has posted nothing.
void SortLookBack::lookOnce(const Look& look, const Operand& bin) {
  Operand is_open = prim::Scalar::ofBool(true), is_over = prim::Scalar::ofBool(false);
  const Operands seen = see(look, bin);
  Operand added = Operand(look.sum);
  Operand taken = u32(0);
  for (const Operand& state : seen) {
    Operand takes = both(code_, is_open, word(code_, Op::kGe, state, u32(kSortOwn)));
    Operand count = word(code_, Op::kAnd, state, u32(kSortOwn - 1));
    Operand more = code_.let("more", ScalarType::kU32, Select{takes, count, u32(0)});
    Operand one = code_.let("one", ScalarType::kU32, Select{takes, u32(1), u32(0)});
    added = word(code_, Op::kAdd, added, more);
    taken = word(code_, Op::kAdd, taken, one);
    Operand is_prefix = word(code_, Op::kGe, state, u32(kSortPrefix));
    is_over = code_.prim(Op::kOr, ScalarType::kBool, {is_over, both(code_, takes, is_prefix)});
    is_open = both(code_, takes, code_.prim(Op::kNot, ScalarType::kBool, {is_prefix}));
  }
  code_.assign(look.sum, added);
  code_.assign(look.next, code_.sub(Operand(look.next), asIndex(code_, taken)));
  Operand polled = word(code_, Op::kAdd, look.polls, u32(1));
  code_.assign(look.polls, polled);
  Operand is_early = word(code_, Op::kLt, polled, u32(kSortMostPolls));
  code_.assign(look.waits,
               both(code_, is_early, code_.prim(Op::kNot, ScalarType::kBool, {is_over})));
}

}  // namespace halo::gpu
