// The fields of a plain struct, in order and without a list: a field that is added is never
// forgotten. Counted by the number of initialisers that the aggregate takes, bound by structured
// bindings (as Boost.PFR does; Polukhin, 2016). Structs with C arrays need an overload.
#pragma once

#include <cstddef>
#include <type_traits>

namespace halo::base {

namespace detail {

struct AnyValue {
  template <typename T>
  operator T() const;  // NOLINT: never defined
};

template <typename T, typename... Values>
constexpr size_t countFields() {
  if constexpr (requires { T{Values{}..., AnyValue{}}; }) {
    return countFields<T, Values..., AnyValue>();
  } else {
    return sizeof...(Values);
  }
}

}  // namespace detail

// visit(field): of a struct with at most 24 fields; const if the struct is.
template <typename T, typename Visit>
void forEachField(T& value, Visit&& visit) {
  static_assert(std::is_aggregate_v<T>, "its fields need an overload of forEachField");
  constexpr size_t kCount = detail::countFields<std::remove_const_t<T>>();
  static_assert(kCount <= 24, "too many fields");
  auto each = [&](auto&... fields) { (visit(fields), ...); };
  if constexpr (kCount == 1) {
    auto& [a] = value;
    each(a);
  }
  if constexpr (kCount == 2) {
    auto& [a, b] = value;
    each(a, b);
  }
  if constexpr (kCount == 3) {
    auto& [a, b, c] = value;
    each(a, b, c);
  }
  if constexpr (kCount == 4) {
    auto& [a, b, c, d] = value;
    each(a, b, c, d);
  }
  if constexpr (kCount == 5) {
    auto& [a, b, c, d, e] = value;
    each(a, b, c, d, e);
  }
  if constexpr (kCount == 6) {
    auto& [a, b, c, d, e, f] = value;
    each(a, b, c, d, e, f);
  }
  if constexpr (kCount == 7) {
    auto& [a, b, c, d, e, f, g] = value;
    each(a, b, c, d, e, f, g);
  }
  if constexpr (kCount == 8) {
    auto& [a, b, c, d, e, f, g, h] = value;
    each(a, b, c, d, e, f, g, h);
  }
  if constexpr (kCount == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = value;
    each(a, b, c, d, e, f, g, h, i);
  }
  if constexpr (kCount == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = value;
    each(a, b, c, d, e, f, g, h, i, j);
  }
  if constexpr (kCount == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
    each(a, b, c, d, e, f, g, h, i, j, k);
  }
  if constexpr (kCount == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
    each(a, b, c, d, e, f, g, h, i, j, k, l);
  }
  if constexpr (kCount == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
    each(a, b, c, d, e, f, g, h, i, j, k, l, m);
  }
  if constexpr (kCount == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value;
    each(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  }
  if constexpr (kCount == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
    each(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  }
  if constexpr (kCount == 16) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
    each(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  }
  if constexpr (kCount == 17) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = value;
    each(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q);
  }
  if constexpr (kCount == 18) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = value;
    each(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r);
  }
  if constexpr (kCount == 19) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s] = value;
    each(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s);
  }
  if constexpr (kCount == 20) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = value;
    each(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
  }
  if constexpr (kCount == 21) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u] = value;
    each(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u);
  }
  if constexpr (kCount == 22) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v] = value;
    each(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v);
  }
  if constexpr (kCount == 23) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w] = value;
    each(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w);
  }
  if constexpr (kCount == 24) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x] = value;
    each(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x);
  }
}

}  // namespace halo::base
