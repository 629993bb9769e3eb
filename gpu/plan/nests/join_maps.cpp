// From the first statement down. A nest that has taken in its producer makes its own data then, and
// may be taken in by its consumer. The joint nest stands where the consumer stood.
#include "gpu/plan/nests/join_maps.h"

#include <algorithm>
#include <unordered_set>

#include "gpu/plan/nests/distribute.h"
#include "gpu/plan/nests/kinds.h"
#include "gpu/plan/nests/nest.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"

namespace halo::gpu {

using namespace core;

namespace {

class Joiner {
 public:
  Joiner(Program& program, Body& body, const Variants& variants)
      : program_(program), body_(body), variants_(variants) {}

  void run() {
    for (Stm& stm : body_.stms) {
      if (!isControl(stm.expr)) continue;
      forEachBody(stm.expr, [&](Body& inner) { Joiner(program_, inner, variants_).run(); });
    }
    for (size_t c = 1; c < body_.stms.size(); ++c) {
      while (joinsAt(c)) c--;
    }
  }

 private:
  // Whether the consumer at c took its producer in; it then stands one place further up.
  bool joinsAt(size_t c) {
    const auto* consumer = std::get_if<Screma>(&body_.stms[c].expr);
    if (consumer == nullptr || !isMap(*consumer) || consumer->inputs.empty()) return false;
    for (size_t p = c; p-- > 0;) {
      const std::vector<ValueId>& made = body_.stms[p].results;
      const bool gives = std::any_of(made.begin(), made.end(), [&](ValueId value) {
        return std::find(consumer->inputs.begin(), consumer->inputs.end(), value) !=
               consumer->inputs.end();
      });
      if (!gives) continue;
      if (!mayJoin(p, c)) return false;
      join(p, c);
      return true;
    }
    return false;
  }

  bool mayJoin(size_t p, size_t c) {
    const auto* producer = std::get_if<Screma>(&body_.stms[p].expr);
    const auto& consumer = std::get<Screma>(body_.stms[c].expr);
    if (producer == nullptr || !isMap(*producer) || producer->width != consumer.width) return false;
    if (producer->flattening != consumer.flattening) return false;
    if (!hasOwnData(program_, *producer) || !takesElementsOnly(p, consumer)) return false;
    if (!hasParallelWork(program_, producer->map, variants_) &&
        !hasParallelWork(program_, consumer.map, variants_)) {
      return false;
    }
    const std::unordered_set<ValueId> reads = freeValues(program_, body_.stms[p]);
    for (size_t k = p + 1; k < body_.stms.size(); ++k) {
      if (k == c) continue;
      if (uses(freeValues(program_, body_.stms[k]), p)) return false;
      if (k > c) continue;
      for (ValueId array : consumed(program_, body_.stms[k])) {
        if (reads.contains(array)) return false;
      }
      if (mayNotEnd(body_.stms[k])) return false;
    }
    return std::none_of(body_.results.begin(), body_.results.end(), [&](const Operand& result) {
      return !result.isConstant() && isMadeBy(result.value, p);
    });
  }
  bool isMadeBy(ValueId value, size_t p) const {
    const std::vector<ValueId>& made = body_.stms[p].results;
    return std::find(made.begin(), made.end(), value) != made.end();
  }
  bool uses(const std::unordered_set<ValueId>& values, size_t p) const {
    return std::any_of(values.begin(), values.end(),
                       [&](ValueId value) { return isMadeBy(value, p); });
  }
  // As inputs of the node, and its other inputs are the cell's own: not rows of other arrays.
  bool takesElementsOnly(size_t p, const Screma& consumer) const {
    if (uses(freeValues(program_, consumer.map), p)) return false;
    for (size_t i = 0; i < consumer.inputs.size(); ++i) {
      const bool is_scalar = program_.type(consumer.map.params[i]).isScalar();
      if (!is_scalar && !isMadeBy(consumer.inputs[i], p)) return false;
    }
    return true;
  }

  void join(size_t p, size_t c) {
    const Screma producer = std::get<Screma>(body_.stms[p].expr);
    const Screma consumer = std::get<Screma>(body_.stms[c].expr);
    Screma joint = producer;
    joint.map.body.results = consumer.map.body.results;
    Substitution elements;
    for (size_t i = 0; i < consumer.inputs.size(); ++i) {
      const std::vector<ValueId>& made = body_.stms[p].results;
      auto from = std::find(made.begin(), made.end(), consumer.inputs[i]);
      if (from == made.end()) {
        joint.inputs.push_back(consumer.inputs[i]);
        joint.map.params.push_back(consumer.map.params[i]);
        continue;
      }
      elements[consumer.map.params[i]] =
          producer.map.body.results[static_cast<size_t>(from - made.begin())];
    }
    std::vector<Stm>& stms = joint.map.body.stms;
    stms.insert(stms.end(), consumer.map.body.stms.begin(), consumer.map.body.stms.end());
    Expr expr = std::move(joint);
    substitute(program_, expr, elements);
    body_.stms[c].expr = std::move(expr);
    body_.stms.erase(body_.stms.begin() + static_cast<long>(p));
  }

  Program& program_;
  Body& body_;
  const Variants& variants_;
};

}  // namespace

bool hasOwnData(const Program& program, const Screma& map) {
  return std::all_of(map.map.params.begin(), map.map.params.end(),
                     [&](ValueId param) { return program.type(param).isScalar(); });
}

void joinMaps(Program& program, Body& body, const Variants& variants) {
  Joiner(program, body, variants).run();
}

}  // namespace halo::gpu
