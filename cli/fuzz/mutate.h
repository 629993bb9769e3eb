// Mutations of written programs: people's programs have shapes that no generator makes, and a small
// change leads to code that has not run before.
#pragma once

#include <cstdint>
#include <string>

namespace halo::fuzz {

// The program with one or two changes, the same ones for the same seed. Its test blocks stay:
// engines agree on their inputs, while expected outputs hold no longer. The type checker may reject
// the result.
//   map f xs             ->  (map (\v' -> v') (map f xs))
//   xs[i + 1]            ->  xs[i - 1], xs[i + 33]
//   entry main (x: t) =  ->  def main_inner (x: t) =, with
//                            entry main (x: t) = map (\k' -> main_inner x) (iota 17)
std::string mutate(const std::string& text, uint64_t seed);

}  // namespace halo::fuzz
