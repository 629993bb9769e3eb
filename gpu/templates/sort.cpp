// Radix sort, from the lowest digit to the highest. A pass for each digit, three launches:
//
//   count   how often a digit is in each tile                  counts[digit][tile]
//   sum     one workgroup for each digit: sums of those before, the whole in totals[digit]
//   move    sort_tile.h
//
// Keys and values go to and fro between two buffers, of which the second is the result (GPU.md 8).
#include "gpu/templates/sort.h"

#include <algorithm>

#include "gpu/plan/sort_gather.h"
#include "gpu/templates/four.h"
#include "gpu/templates/shared_memory.h"
#include "gpu/templates/sort_tile.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

constexpr int64_t kMostSumming = 1024;  // invocations for the tiles of a digit
constexpr int64_t kReserved = 2048;     // bytes of shared memory for all that is small

// How keys with so many words are sorted on this device.
SortShape shapeFor(const Variants& variants, size_t words) {
  int64_t lanes = variants.subgroup;
  if (!hasLanes(variants) || !variants.allows("lanes")) return {4, 0, 128, 8};
  // Counters of each subgroup: the fewer lanes, the more subgroups.
  SortShape shape{lanes >= 32 ? 8 : 4, lanes, variants.number("lanes", 1, 512),
                  words == 1 ? 18 : 12};
  // `lanes:PER,GROUP` may have all of the shared memory.
  bool is_given = variants.number("lanes", 1, 0) > 0;
  int64_t bytes = is_given ? variants.shared_bytes : usualSharedBytes(variants);
  auto most = [&] {
    int64_t counters = shape.subgroups() * shape.bins() * 4;
    return (bytes - kReserved - counters) / (shape.group * 4);
  };
  bool is_too_much = most() < (is_given ? 1 : shape.per);
  if (is_too_much || shape.group > variants.most_invocations) shape.group = 256;
  shape.per = variants.number("lanes", 0, std::max<int64_t>(1, std::min(shape.per, most())));
  return shape;
}

// What a sort's kernel sorts.
std::vector<ArrayRef> arraysOf(const KernelCall& call) {
  std::vector<core::ValueId> names = sortedArrays(call.core, call.function);
  if (names.empty()) names = call.function.params;
  std::vector<ArrayRef> arrays;
  for (core::ValueId name : names) {
    if (!call.core.type(name).isScalar()) arrays.push_back(call.arguments.arrays.at(name));
  }
  return arrays;
}

class RadixSort {
 public:
  RadixSort(Program& program, Builder& host, const KernelCall& call, std::vector<ArrayRef> from)
      : program_(program), host_(host), call_(call), from_(std::move(from)) {
    shape_ = shapeFor(call.variants, wordsOf(from_[0].type));
  }

  // To the results of the call.
  TemplateResult run() {
    open();
    // Places are numbers of 32 bits.
    Operand fits = host_.prim(Op::kLt, ScalarType::kI64, {pass_.width, i64(int64_t{1} << 32)});
    host_.ifThenElse(
        fits, [&] { sort(); },
        [&] { host_.fail(diag::Code::engine_unsupported, call_.function.span, {}); });
    return {{}, supported_};
  }

  // By keys of up to `most`, to the memory of `from` or to `buffers()`.
  std::vector<ArrayRef> runUpTo(const Operand& most) {
    open();
    openTables();
    for (const ArrayRef& array : from_) {
      BufferId other = allocate("sorted", array.type, pass_.width);
      turn(array, array.buffer, other, array.buffer);
    }
    Operand passes = i64(1);
    for (int64_t bits = shape_.bits; bits < prim::byteSize(from_[0].type) * 8;
         bits += shape_.bits) {
      Operand longer = host_.prim(Op::kGe, ScalarType::kI64, {most, i64(int64_t{1} << bits)});
      Operand one = host_.let("pass", ScalarType::kI64, Select{longer, i64(1), i64(0)});
      passes = host_.add(passes, one);
    }
    runPasses(passes);
    return pass_.from;
  }
  const std::vector<BufferId>& buffers() const { return buffers_; }

 private:
  void open() {
    call_.variants.say(call_.function.name + ": radix sort by " + std::to_string(shape_.bits) +
                       " bits, ranks by " + (shape_.lanes > 0 ? "lanes" : "counters"));
    pass_.width = from_[0].shape[0];
    // Several calls of one function have kernels of their own.
    pass_.name = call_.function.name + "_" + std::to_string(program_.functions.size());
  }
  void openTables() {
    pass_.tiles = divideUp(host_, pass_.width, i64(shape_.tile()));
    pass_.counts = allocate("counts", ScalarType::kU32, host_.mul(pass_.tiles, i64(shape_.bins())));
    pass_.totals = allocate("totals", ScalarType::kU32, i64(shape_.bins()));
  }

  void sort() {
    openTables();
    int64_t passes = prim::byteSize(from_[0].type) * 8 / shape_.bits;
    openBuffers(passes % 2 == 0);
    runPasses(i64(passes));
    for (BufferId buffer : buffers_) host_.append(Free{buffer});
  }

  void runPasses(const Operand& passes) {
    host_.forLoop("digit", i64(0), passes, [&](const Operand& digit) {
      Operand bit = host_.mul(digit, i64(shape_.bits));
      pass_.shift =
          host_.let("shift", ScalarType::kU32,
                    Convert{prim::ConvertKind::kValue, ScalarType::kI64, ScalarType::kU32, bit});
      count();
      sum();
      emitSortTile(program_, host_, call_, shape_, pass_);
      for (size_t k = 0; k < after_.size(); k++) {
        host_.append(Rebind{pass_.from[k].buffer, pass_.to[k].buffer});
        host_.append(Swap{pass_.to[k].buffer, after_[k]});
      }
    });
  }

  BufferId allocate(const std::string& name, ScalarType type, const Operand& count) {
    buffers_.push_back(host_.alloc(name, type, Space::kDevice, count));
    return buffers_.back();
  }

  // The last pass ends in the results: with an even number of them the first one goes elsewhere.
  void openBuffers(bool is_even) {
    for (size_t k = 0; k < from_.size(); k++) {
      ArrayRef start = isWhole(from_[k]) ? from_[k] : copied(from_[k]);
      const ArrayRef& end = call_.results[k];
      BufferId other = allocate("sorted", end.type, pass_.width);
      turn(end, start.buffer, is_even ? other : end.buffer, is_even ? end.buffer : other);
    }
  }
  // An array's memory: at first, after one pass, after two.
  void turn(const ArrayRef& array, BufferId first, BufferId second, BufferId third) {
    // A copy: buffers are added.
    const std::string name = program_.buffers[array.buffer].name;
    ArrayRef from = array, to = array;
    from.buffer = host_.buffer(name, array.type, Space::kDevice);
    to.buffer = host_.buffer(name, array.type, Space::kDevice);
    after_.push_back(host_.buffer(name, array.type, Space::kDevice));
    host_.append(Rebind{from.buffer, first});
    host_.append(Rebind{to.buffer, second});
    host_.append(Rebind{after_.back(), third});
    pass_.from.push_back(from);
    pass_.to.push_back(to);
  }

  // What is no array in memory, or not from its first element on.
  ArrayRef copied(const ArrayRef& array) {
    BufferId buffer = allocate("start", array.type, pass_.width);
    ArrayRef copy = denseArray(host_, buffer, i64(0), array.type, {pass_.width});
    KernelScope scope(program_, host_, call_, kernelName("copy"));
    Grid grid = forEachCell(scope, {pass_.width}, [&](const Operands& at, const Place&) {
      Operand value = loadElement(scope.code(), scope.array(array), at);
      storeElement(scope.code(), scope.array(copy), at, value);
    });
    scope.launch(grid.workgroup, grid.groups);
    return copy;
  }
  std::string kernelName(const std::string& what) {
    return pass_.name + "_" + what + std::to_string(copies_++);
  }

  void count() {
    KernelScope scope(program_, host_, call_, pass_.name + "_count");
    Builder& code = scope.code();
    Operand lid = scope.localId(), tile = scope.groupId();
    BufferId bins = scope.shared("bins", ScalarType::kU32, shape_.bins());
    Operand is_bin = code.prim(Op::kLt, ScalarType::kI64, {lid, i64(shape_.bins())});
    code.ifThenElse(is_bin, [&] { code.store(bins, lid, u32(0)); });
    ArrayRef keys = scope.array(pass_.from[0]);
    Operand first = code.add(code.mul(tile, i64(shape_.tile())), lid);
    Operand width = scope.scalar(pass_.width);
    Operand last = code.sub(width, i64(1));
    Operands exist, found;
    for (int64_t k = 0; k < shape_.per; k++) {
      Operand i = code.add(first, i64(k * shape_.group));
      exist.push_back(code.prim(Op::kLt, ScalarType::kI64, {i, width}));
      found.push_back(loadElement(code, keys, {code.min(i, last)}));
    }
    code.append(Barrier{});
    for (size_t k = 0; k < found.size(); k++) {
      Operand digit = digitOf(scope, shape_, pass_, toWords(code, keys.type, found[k]));
      Operand bin =
          code.let("bin", ScalarType::kI64,
                   Convert{prim::ConvertKind::kValue, ScalarType::kU32, ScalarType::kI64, digit});
      code.ifThenElse(exist[k], [&] { code.append(Atomic{AtomicOp::kAdd, bins, bin, u32(1)}); });
    }
    code.append(Barrier{});
    code.ifThenElse(is_bin, [&] {
      Operand row = code.mul(lid, scope.scalar(pass_.tiles));
      code.store(scope.buffer(pass_.counts), code.add(row, tile), code.load(bins, lid));
    });
    const int workgroup[3] = {static_cast<int>(shape_.group), 1, 1};
    scope.launch(workgroup, {pass_.tiles, i64(1), i64(1)});
  }

  int64_t summing() const { return std::min(kMostSumming, call_.variants.most_invocations); }

  // One digit: counts := the sums of those before, totals[digit] := the sum of all.
  void sum() {
    KernelScope scope(program_, host_, call_, pass_.name + "_sum");
    Builder& code = scope.code();
    Operand lid = scope.localId(), digit = scope.groupId();
    Operand tiles = scope.scalar(pass_.tiles);
    Operand row = code.mul(digit, tiles);
    Operand each = divideUp(code, tiles, i64(summing()));
    Operand first = code.min(code.mul(lid, each), tiles);
    Operand end = code.min(code.add(first, each), tiles);
    BufferId counts = scope.buffer(pass_.counts);
    VarId own = code.declare("own", ScalarType::kU32, u32(0));
    auto add = [&](const Operand& a, const Operand& b) {
      return code.prim(Op::kAdd, ScalarType::kU32, {a, b});
    };
    code.forLoop("tile", first, end, [&](const Operand& tile) {
      code.assign(own, add(own, code.load(counts, code.add(row, tile))));
    });
    BufferId shared = scope.shared("sums", ScalarType::kU32, summing());
    Operand before = sumBefore(scope, shared, summing(), own);
    VarId running = code.declare("running", ScalarType::kU32, before);
    code.forLoop("tile", first, end, [&](const Operand& tile) {
      Operand at = code.add(row, tile);
      Operand count = code.load(counts, at);
      code.store(counts, at, running);
      code.assign(running, add(running, count));
    });
    Operand is_last = code.prim(Op::kEq, ScalarType::kI64, {lid, i64(summing() - 1)});
    code.ifThenElse(is_last,
                    [&] { code.store(scope.buffer(pass_.totals), digit, Operand(running)); });
    const int workgroup[3] = {static_cast<int>(summing()), 1, 1};
    scope.launch(workgroup, {i64(shape_.bins()), i64(1), i64(1)});
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  std::vector<ArrayRef> from_;  // of the call
  SortShape shape_;
  SortPass pass_;
  std::vector<BufferId> after_;  // where the pass after the next one goes to
  std::vector<BufferId> buffers_;
  int copies_ = 0;
  bool supported_ = true;
};

}  // namespace

TemplateResult emitSort(Program& program, Builder& host, const KernelCall& call) {
  return RadixSort(program, host, call, arraysOf(call)).run();
}

std::vector<ArrayRef> sortArrays(Program& program, Builder& host, const KernelCall& call,
                                 const std::vector<ArrayRef>& arrays, const Operand& most,
                                 std::vector<BufferId>& buffers) {
  RadixSort sort(program, host, call, arrays);
  std::vector<ArrayRef> sorted = sort.runUpTo(most);
  buffers.insert(buffers.end(), sort.buffers().begin(), sort.buffers().end());
  return sorted;
}

}  // namespace halo::gpu
