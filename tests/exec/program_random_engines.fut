-- Random engines and distributions as parametric modules over each other.
import "lib/random_engines"
module d1 = uniform_int_distribution i32 pcg32
module d2 = uniform_real_distribution f64 xorshift128plus
module sh = shuffle_order_engine {def k = 7i64} minstd_rand
module d3 = uniform_int_distribution u8 sh

entry main (n: i64) =
  let r = pcg32.rng_from_seed [1, 2, 3]
  let rs = pcg32.split_rng n r
  let (rs, xs) = unzip (map (d1.rand (1, 100)) rs)
  let (_, ys) = unzip (map (d2.rand (0, 1)) (xorshift128plus.split_rng n (xorshift128plus.rng_from_seed [4])))
  let (_, zs) = unzip (map (d3.rand (1, 6)) (sh.split_rng n (sh.rng_from_seed [4])))
  in (xs, ys, zs, (d1.rand (0, 5) (pcg32.join_rng rs)).1)

-- ==
-- input { 10i64 }
