// Radix sort, from the lowest digit to the highest. A pass for each digit (gpu.md#sorts), by the
// placement of its schedule:
//
//   onesweep       one launch: tiles look back at earlier ones. Once, in front of all passes, the
//                  digits of all keys are counted
//   counted        three: the count of each digit in each tile, sums of these, the keys' moves
//   one_workgroup  one launch for all digits
//
// Keys and values go to and fro between two buffers, of which the second is the result.
#include "gpu/templates/sort/sort.h"

#include <algorithm>

#include "gpu/plan/nodes/sort_maps.h"
#include "gpu/templates/host/versions.h"
#include "gpu/templates/sort/sort_counts.h"
#include "gpu/templates/sort/sort_look_back.h"
#include "lang/base/check.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

namespace {

class RadixSort {
 public:
  RadixSort(Program& program, Builder& host, const KernelCall& call, const SortedArrays& arrays)
      : program_(program),
        host_(host),
        call_(call),
        from_(arrays.from),
        to_(call.results),
        shape_(arrays.schedule) {
    pass_.key_type = from_[0].type;
  }
  // The arrays of the kernel.
  RadixSort(Program& program, Builder& host, const KernelCall& call)
      : program_(program), host_(host), call_(call), parts_(partsOfSort(call.core, call.function)) {
    pass_.key_type = call.core.type(parts_.keys).scalar;
    if (parts_.keeps_keys) {
      from_.push_back(keys());
      to_.push_back(call.results[0]);
    }
    const size_t first = from_.size();
    for (size_t k = 0; k < parts_.beside.size(); ++k) {
      from_.push_back(call.arguments.arrays.at(parts_.beside[k]));
      to_.push_back(call.results[first + k]);
    }
    if (first == 0) makeKeysAgain();
  }

  // To the results of the call.
  TemplateResult run() {
    open();
    auto operand = [this](Quantity which) {
      HALO_CHECK(which == Quantity::kElements, "a quantity of sorts");
      return pass_.width;
    };
    emitVersions(host_, call_, operand, [&](const Schedule& version) {
      shape_ = std::get<SortSchedule>(version);
      shape_.placement == SortSchedule::Placement::kOneWorkgroup ? sortAlone() : sort();
    });
    return {{}, supported_};
  }

  // By keys of up to `most`, to the memory of `from` or to `buffers()`.
  std::vector<ArrayRef> runUpTo(const Operand& most) {
    open();
    pass_.digits = digits();
    openTables();
    for (const ArrayRef& array : from_) {
      BufferId other = allocate("sorted", array.type, pass_.width);
      turn(array, array.buffer, other, array.buffer);
    }
    Operand passes = i64(1);
    for (int64_t bits = shape_.digit_bits; bits < prim::byteSize(from_[0].type) * 8;
         bits += shape_.digit_bits) {
      Operand longer = host_.prim(Op::kGe, ScalarType::kI64, {most, i64(int64_t{1} << bits)});
      Operand one = host_.let("pass", ScalarType::kI64, Select{longer, i64(1), i64(0)});
      passes = host_.add(passes, one);
    }
    runPasses(passes);
    return pass_.from;
  }
  const std::vector<BufferId>& buffers() const { return buffers_; }

  // By one digit; `from` has the types and the number of elements.
  Partition runOnce(
      int low,
      const std::function<Operand(KernelScope&, size_t which, const Operand& i)>& element) {
    open();
    pass_.digits = 1;
    pass_.low = low;
    pass_.element = element;
    pass_.from = from_;
    openTables();
    for (ArrayRef array : from_) {
      array.buffer = allocate("parts", array.type, pass_.width);
      pass_.to.push_back(array);
    }
    pass_.digit = i64(0);
    pass_.shift = u32(static_cast<uint32_t>(low));
    auto counted = [&] { moveCounted(); };
    auto looking_back = [&] {
      countDigits(program_, host_, call_, shape_, pass_);
      emitSortTile(program_, host_, call_, shape_, pass_);
    };
    looksBack() ? host_.ifThenElse(few_, looking_back, counted) : counted();
    return {static_cast<int>(shape_.digit_bits), pass_.to, pass_.totals};
  }

 private:
  bool looksBack() const { return shape_.placement == SortSchedule::Placement::kOnesweep; }

  // ---- keys that are made of elements (gpu/plan/nodes/sort_maps.h)

  bool makesKeys() const { return parts_.making != nullptr && !pass_.key; }
  ArrayRef keys() {
    if (parts_.making == nullptr) return call_.arguments.arrays.at(parts_.keys);
    Operand width = operandOf(call_.arguments, parts_.making->width);
    return denseArray(host_, BufferId{}, i64(0), pass_.key_type, {width});
  }
  // The arrays that keys are made of go first.
  void makeKeysAgain() {
    const std::vector<core::ValueId>& inputs = parts_.making->inputs;
    auto isRead = [&](core::ValueId array) {
      return std::find(inputs.begin(), inputs.end(), array) != inputs.end();
    };
    std::vector<core::ValueId> order;
    for (core::ValueId array : parts_.beside) {
      if (isRead(array)) order.push_back(array);
    }
    pass_.key_arrays = order.size();
    for (core::ValueId array : parts_.beside) {
      if (!isRead(array)) order.push_back(array);
    }
    const std::vector<ArrayRef> from = from_, to = to_;
    for (size_t k = 0; k < order.size(); ++k) {
      auto at = std::find(parts_.beside.begin(), parts_.beside.end(), order[k]);
      const auto which = static_cast<size_t>(at - parts_.beside.begin());
      from_[k] = from[which], to_[k] = to[which];
    }
    pass_.key = [this, order](KernelScope& scope, const Operands& elements) {
      Operands read;
      for (core::ValueId input : parts_.making->inputs) {
        auto at = std::find(order.begin(), order.end(), input);
        read.push_back(elements[static_cast<size_t>(at - order.begin())]);
      }
      return mapped(scope, *parts_.making, read);
    };
  }
  // The result of a map of scalars.
  Operand mapped(KernelScope& scope, const core::Screma& screma, const Operands& elements) {
    Environment environment = scope.environment();
    for (size_t k = 0; k < elements.size(); ++k) {
      environment.scalars[screma.map.params[k]] = elements[k];
    }
    LoweringTarget target = scope.place(pass_.width, [] { return i64(0); });
    return lowerBody(scope.code(), call_.core, screma.map.body, environment, target).scalars[0];
  }
  // Element i of array `which`, of which the first one, of keys, is not in memory.
  Operand firstElement(KernelScope& scope, const std::vector<ArrayRef>& from, size_t which,
                       const Operand& i) {
    Builder& code = scope.code();
    if (which > 0) return loadElement(code, scope.array(from[which]), {i});
    Operands read;
    for (core::ValueId input : parts_.making->inputs) {
      read.push_back(loadElement(code, scope.environment().arrays.at(input), {i}));
    }
    return mapped(scope, *parts_.making, read);
  }
  // Arrays that begin with their buffers; the first pass is to read keys where they are made.
  std::vector<ArrayRef> sources(SortPass& pass) {
    std::vector<ArrayRef> from;
    for (size_t k = 0; k < from_.size(); ++k) {
      const bool is_made = k == 0 && makesKeys();
      from.push_back(is_made || isWhole(from_[k]) ? from_[k] : copied(from_[k]));
    }
    if (makesKeys()) {
      pass.element = [this, from](KernelScope& scope, size_t which, const Operand& i) {
        return firstElement(scope, from, which, i);
      };
    }
    return from;
  }
  void open() {
    pass_.width = from_[0].shape[0];
    // Several calls of one function have kernels of their own.
    pass_.name = call_.function.name + "_" + std::to_string(program_.functions.size());
  }
  int digits() const {
    return prim::byteSize(pass_.key_type) * 8 / static_cast<int>(shape_.digit_bits);
  }
  void openTables() {
    pass_.tiles = divideUp(host_, pass_.width, i64(shape_.tile()));
    Operand of_tiles = host_.mul(pass_.tiles, i64(shape_.bins()));
    if (!looksBack()) {
      pass_.counts = allocate("counts", ScalarType::kU32, of_tiles);
      pass_.totals = allocate("totals", ScalarType::kU32, i64(shape_.bins()));
      return;
    }
    const int64_t digits = pass_.digits;
    few_ = host_.prim(Op::kLt, ScalarType::kI64, {pass_.width, i64(shape_.lookback_below)});
    Operand all = host_.mul(of_tiles, i64(digits));
    pass_.state = allocate("state", ScalarType::kU32,
                           host_.let("count", ScalarType::kI64, Select{few_, all, i64(0)}));
    pass_.counts = allocate("counts", ScalarType::kU32,
                            host_.let("count", ScalarType::kI64, Select{few_, i64(0), of_tiles}));
    pass_.totals = allocate("totals", ScalarType::kU32, i64(digits * shape_.bins()));
    pass_.tickets = allocate("tickets", ScalarType::kU32, i64(digits));
  }

  void sort() {
    pass_.digits = digits();
    openTables();
    openBuffers(pass_.digits % 2 == 0);
    runPasses(i64(pass_.digits));
    for (BufferId buffer : buffers_) host_.append(Free{buffer});
    buffers_.clear();
  }

  void runPasses(const Operand& passes) {
    if (looksBack()) {
      host_.ifThenElse(few_, [&] { countDigits(program_, host_, call_, shape_, pass_); });
    }
    Operand begin = i64(0);
    if (pass_.element) {  // the first pass makes keys
      const std::string name = pass_.name;
      pass_.name = name + "_first";
      runPass(begin);
      pass_.name = name;
      pass_.element = nullptr;
      begin = i64(1);
    }
    host_.forLoop("digit", begin, passes, [&](const Operand& digit) { runPass(digit); });
  }
  void runPass(const Operand& digit) {
    pass_.digit = digit;
    Operand bit = host_.mul(digit, i64(shape_.digit_bits));
    pass_.shift =
        host_.let("shift", ScalarType::kU32,
                  Convert{prim::ConvertKind::kValue, ScalarType::kI64, ScalarType::kU32, bit});
    auto counted = [&] { moveCounted(); };
    auto looking_back = [&] { emitSortTile(program_, host_, call_, shape_, pass_); };
    looksBack() ? host_.ifThenElse(few_, looking_back, counted) : counted();
    for (size_t k = 0; k < after_.size(); ++k) {
      host_.append(Rebind{pass_.from[k].buffer, pass_.to[k].buffer});
      host_.append(Swap{pass_.to[k].buffer, after_[k]});
    }
  }

  void moveCounted() {
    SortSchedule counted = shape_;
    counted.placement = SortSchedule::Placement::kCounted;
    countTiles(program_, host_, call_, counted, pass_);
    emitSortTile(program_, host_, call_, counted, pass_);
  }

  // All in the registers of one workgroup.
  void sortAlone() {
    SortPass alone = pass_;
    alone.digits = digits();
    alone.tiles = i64(1);
    alone.from = sources(alone);
    alone.to = to_;
    Operand any = host_.prim(Op::kGt, ScalarType::kI64, {pass_.width, i64(0)});
    alone.tiles = host_.let("tiles", ScalarType::kI64, Select{any, i64(1), i64(0)});
    emitSortTile(program_, host_, call_, shape_, alone);
    for (BufferId buffer : buffers_) host_.append(Free{buffer});
    buffers_.clear();
  }

  BufferId allocate(const std::string& name, ScalarType type, const Operand& count) {
    buffers_.push_back(host_.alloc(name, type, Space::kDevice, count));
    return buffers_.back();
  }

  // The last pass ends in the results: with an even number of them the first one goes elsewhere.
  void openBuffers(bool is_even) {
    const std::vector<ArrayRef> from = sources(pass_);
    for (size_t k = 0; k < from.size(); ++k) {
      const bool is_made = k == 0 && makesKeys();
      BufferId other = allocate("sorted", from[k].type, pass_.width);
      const BufferId end = to_[k].buffer;
      BufferId first = is_made ? other : from[k].buffer;
      turn(from[k], first, is_even ? other : end, is_even ? end : other);
    }
  }
  // An array's memory: at first, after one pass, after two.
  void turn(const ArrayRef& array, BufferId first, BufferId second, BufferId third) {
    // A copy: buffers are added.
    const std::string name = program_.buffers[first].name;
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

  // An array that is not in memory, or not from its first element on.
  ArrayRef copied(const ArrayRef& array) {
    BufferId buffer = allocate("start", array.type, pass_.width);
    ArrayRef copy = denseArray(host_, buffer, i64(0), array.type, {pass_.width});
    KernelScope scope(program_, host_, call_, kernelName("copy"));
    Grid grid = forEachCell(scope, {pass_.width}, [&](const Operands& at, const LoweringTarget&) {
      Operand value = loadElement(scope.code(), scope.array(array), at);
      storeElement(scope.code(), scope.array(copy), at, value);
    });
    scope.launch(grid.workgroup, grid.groups);
    return copy;
  }
  std::string kernelName(const std::string& what) {
    return pass_.name + "_" + what + std::to_string(copies_++);
  }

  Program& program_;
  Builder& host_;
  const KernelCall& call_;
  SortParts parts_;
  std::vector<ArrayRef> from_, to_;  // of the call
  SortSchedule shape_;
  Operand few_;  // host: few enough keys for looking back
  SortPass pass_;
  std::vector<BufferId> after_;  // where the pass after the next one goes to
  std::vector<BufferId> buffers_;
  int copies_ = 0;
  bool supported_ = true;
};

}  // namespace

TemplateResult emitSort(Program& program, Builder& host, const KernelCall& call) {
  return RadixSort(program, host, call).run();
}

std::vector<ArrayRef> sortArrays(Program& program, Builder& host, const KernelCall& call,
                                 const SortedArrays& arrays, const Operand& most,
                                 std::vector<BufferId>& buffers) {
  RadixSort sort(program, host, call, arrays);
  std::vector<ArrayRef> sorted = sort.runUpTo(most);
  buffers.insert(buffers.end(), sort.buffers().begin(), sort.buffers().end());
  return sorted;
}

Partition partitionElements(
    Program& program, Builder& host, const KernelCall& call, const SortedArrays& arrays, int low,
    const std::function<Operand(KernelScope&, size_t which, const Operand& i)>& element,
    std::vector<BufferId>& buffers) {
  RadixSort sort(program, host, call, arrays);
  Partition partition = sort.runOnce(low, element);
  buffers.insert(buffers.end(), sort.buffers().begin(), sort.buffers().end());
  return partition;
}

}  // namespace halo::gpu
