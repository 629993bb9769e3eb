// match(variant, handlers...): std::visit with a readable complaint. A node kind that no handler
// takes fails the static_assert below, with the node's name, instead of 85 lines of templates.
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

namespace halo::base {

template <typename... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <typename... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

// The generic fall-through; allowed in default traversals only, so that it can be searched for.
template <typename Handler>
struct Otherwise {
  Handler handler;
  template <typename Node>
  decltype(auto) operator()(Node&& node) const {
    return handler(std::forward<Node>(node));
  }
};
template <typename Handler>
Otherwise<Handler> otherwise(Handler handler) {
  return {std::move(handler)};
}

template <typename Node, typename Handlers>
inline constexpr bool kHandlesThisNode = std::is_invocable_v<Handlers&, Node>;

// std::visit of one variant of at most 64 alternatives, as a switch over its index. std::visit
// makes a function and a table entry of each alternative, which takes g++ six times as long to
// compile. `Alternatives` is the std::variant that Variant is or derives from.
template <typename Alternatives, typename Variant, typename Handler>
decltype(auto) visitBySwitch(Variant&& variant, Handler&& handler) {
  constexpr std::size_t kCount = std::variant_size_v<Alternatives>;
  static_assert(kCount <= 64, "visitBySwitch: more cases are needed");
  using Base = std::conditional_t<std::is_const_v<std::remove_reference_t<Variant>>,
                                  const Alternatives, Alternatives>;
  Base& alternatives = variant;
#define HALO_CASE(i)                                  \
  case i:                                             \
    if constexpr (i < kCount) {                       \
      return handler(*std::get_if<i>(&alternatives)); \
    } else {                                          \
      break;                                          \
    }
#define HALO_FOUR_CASES(i) HALO_CASE(i) HALO_CASE(i + 1) HALO_CASE(i + 2) HALO_CASE(i + 3)
#define HALO_16_CASES(i) \
  HALO_FOUR_CASES(i) HALO_FOUR_CASES(i + 4) HALO_FOUR_CASES(i + 8) HALO_FOUR_CASES(i + 12)
  switch (alternatives.index()) {
    HALO_16_CASES(0) HALO_16_CASES(16) HALO_16_CASES(32) HALO_16_CASES(48)
    // Cases from `kCount` on are never reached: an index is below `kCount` unless the variant lost
    // its value to an exception.
  }
#undef HALO_16_CASES
#undef HALO_FOUR_CASES
#undef HALO_CASE
  __builtin_unreachable();
}

template <typename... Nodes>
std::variant<Nodes...> alternativesOf(const std::variant<Nodes...>*);  // declared only

template <typename Variant>
using AlternativesOf =
    decltype(alternativesOf(static_cast<std::remove_cvref_t<Variant>*>(nullptr)));

template <typename Variant, typename... Handlers>
decltype(auto) match(Variant&& variant, Handlers&&... handlers) {
  Overloaded<std::decay_t<Handlers>...> all{std::forward<Handlers>(handlers)...};
  using Plain = std::remove_reference_t<Variant>;
  []<typename... Nodes>(const std::variant<Nodes...>*) {
    static_assert(
        (kHandlesThisNode<std::conditional_t<std::is_const_v<Plain>, const Nodes&, Nodes&>,
                          decltype(all)> &&
         ...),
        "match: some node kind has no handler");
  }(static_cast<const std::remove_cv_t<Plain>*>(nullptr));
  return visitBySwitch<AlternativesOf<Variant>>(variant, all);
}

}  // namespace halo::base
