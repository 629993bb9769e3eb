-- Attributes are accepted on expressions, declarations, patterns and specs; unknown ones are ignored.
-- ==
-- input { [1, 2] } output { [3, 4] 3 }
module type t = { #[a] val f : i32 -> i32  #[b(c, 1)] type u }
#[noinline] local #[inline] def f (#[g] x: i32) = #[unsafe] #[h(i, j(2, 3))] x + 2
#[k] module m = { #[l] def c = 3i32 }
#[opaque] entry main (xs: []i32) = (#[sequential] map (\(#[n] x) -> #[o] f x) xs, 0 + #[p] m.c)
