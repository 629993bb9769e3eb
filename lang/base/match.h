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
  return std::visit(all, std::forward<Variant>(variant));
}

}  // namespace halo::base
