#include "gpu/plan/nodes/read_maps.h"

#include <algorithm>

#include "gpu/plan/nests/element_code.h"
#include "gpu/plan/nests/kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/bounds/speculate.h"

namespace halo::gpu {

using namespace core;

namespace {

constexpr size_t kMaxReadCode = 4;  // statements that readers do again

class ReadMap {
 public:
  ReadMap(Program& program, Body& body, size_t maker)
      : program_(program),
        body_(body),
        maker_(maker),
        array_(body.stms[maker].results[0]),
        made_(std::get<Screma>(body.stms[maker].expr)) {}

  bool isPossible() {
    return isCheap() && isStill() && useCounts(program_, body_)[array_] == readers();
  }

  void run() {
    body_.stms.erase(body_.stms.begin() + static_cast<std::ptrdiff_t>(maker_));
    for (size_t c = maker_; c < body_.stms.size(); ++c) {
      Stm& stm = body_.stms[c];
      if (auto* node = std::get_if<Screma>(&stm.expr)) takeElements(node->inputs, node->map);
      if (auto* node = std::get_if<Scatter>(&stm.expr)) takeElements(node->inputs, node->map);
      visitBodies(stm.expr, [&](Body& code) { indexInputs(code); });
    }
  }

 private:
  int bytesOf(ValueId array) const { return prim::byteSize(program_.type(array).scalar); }

  // Short total code on lines that have no more bytes than the array.
  bool isCheap() const {
    if (body_.stms[maker_].results.size() != 1 || !made_.reductions.empty() ||
        !made_.scans.empty() || made_.inputs.empty()) {
      return false;
    }
    int bytes = 0;
    for (const ValueId input : made_.inputs) bytes += bytesOf(input);
    const std::vector<Stm>& code = made_.map.body.stms;
    const bool are_lines =
        program_.type(array_).shape.size() == 1 &&
        std::all_of(made_.inputs.begin(), made_.inputs.end(),
                    [&](ValueId input) { return program_.type(input).shape.size() == 1; });
    return are_lines && bytes <= bytesOf(array_) && codeSize(made_.map.body) <= kMaxReadCode &&
           std::all_of(code.begin(), code.end(),
                       [](const Stm& stm) { return passes::isTotalScalar(stm.expr); });
  }

  // The map's inputs are there up to the last reader.
  bool isStill() const {
    return std::none_of(body_.stms.begin() + static_cast<std::ptrdiff_t>(maker_), body_.stms.end(),
                        [&](const Stm& stm) {
                          const std::vector<ValueId> gone = consumed(program_, stm);
                          return std::any_of(gone.begin(), gone.end(), [&](ValueId array) {
                            return std::count(made_.inputs.begin(), made_.inputs.end(), array) > 0;
                          });
                        });
  }

  // Uses that run() replaces.
  int readers() const {
    int count = 0;
    const auto inputs = [&](const std::vector<ValueId>& of) {
      count += static_cast<int>(std::count(of.begin(), of.end(), array_));
    };
    for (const Stm& stm : body_.stms) {
      if (const auto* node = std::get_if<Screma>(&stm.expr)) inputs(node->inputs);
      if (const auto* node = std::get_if<Scatter>(&stm.expr)) inputs(node->inputs);
      visitBodies(stm.expr, [&](const Body& code) {
        visitStms(code, [&](const Stm& inner) {
          const auto* index = std::get_if<Index>(&inner.expr);
          count += index != nullptr && index->array == array_ ? 1 : 0;
        });
      });
    }
    return count;
  }

  // The map's inputs in place of the array, its code in front of the node's.
  void takeElements(std::vector<ValueId>& inputs, Lambda& map) {
    for (size_t k = 0; k < inputs.size();) {
      if (inputs[k] != array_) {
        ++k;
        continue;
      }
      const Lambda own = freshCopy(program_, made_.map);
      const auto at = static_cast<std::ptrdiff_t>(k);
      substitute(program_, map.body, {{map.params[k], own.body.results[0]}});
      replaceAt(inputs, at, made_.inputs);
      replaceAt(map.params, at, own.params);
      map.body.stms.insert(map.body.stms.begin(), own.body.stms.begin(), own.body.stms.end());
      k += made_.inputs.size();
    }
  }
  static void replaceAt(std::vector<ValueId>& values, std::ptrdiff_t at,
                        const std::vector<ValueId>& with) {
    values.erase(values.begin() + at);
    values.insert(values.begin() + at, with.begin(), with.end());
  }

  void indexInputs(Body& body) {
    for (size_t i = 0; i < body.stms.size(); ++i) {
      visitBodies(body.stms[i].expr, [&](Body& inner) { indexInputs(inner); });
      const auto* index = std::get_if<Index>(&body.stms[i].expr);
      if (index == nullptr || index->array != array_) continue;
      const Stm read = body.stms[i];
      const Lambda own = freshCopy(program_, made_.map);
      substitute(program_, body, {{read.results[0], own.body.results[0]}});
      std::vector<Stm> stms;
      for (size_t k = 0; k < made_.inputs.size(); ++k) {
        stms.push_back(read);
        stms.back().results = {own.params[k]};
        std::get<Index>(stms.back().expr).array = made_.inputs[k];
      }
      stms.insert(stms.end(), own.body.stms.begin(), own.body.stms.end());
      const auto at = body.stms.begin() + static_cast<std::ptrdiff_t>(i);
      body.stms.insert(body.stms.erase(at), stms.begin(), stms.end());
      i += stms.size() - 1;
    }
  }

  Program& program_;
  Body& body_;
  size_t maker_;
  ValueId array_;
  const Screma made_;
};

}  // namespace

bool readThrough(Program& program, Body& body, ValueId array) {
  const std::optional<size_t> maker = makerOf(body.stms, Operand(array));
  if (!maker || !std::holds_alternative<Screma>(body.stms[*maker].expr)) return false;
  ReadMap map(program, body, *maker);
  if (!map.isPossible()) return false;
  map.run();
  return true;
}

std::vector<ValueId> indexedBy(const Lambda& lambda) {
  std::vector<ValueId> arrays;
  visitStms(lambda.body, [&](const Stm& stm) {
    if (const auto* index = std::get_if<Index>(&stm.expr)) arrays.push_back(index->array);
  });
  return arrays;
}

}  // namespace halo::gpu
