-- Simulated annealing of an assignment: a swap is accepted by its gain and a random number.
-- tolerance: exact
-- ==
-- input { 9i64 40i32 }
-- output { [8i64, 3i64, 5i64, 4i64, 1i64, 0i64, 7i64, 6i64, 2i64] 642i32 33i32 }
def next (s: u32) : u32 = let s = s ^ (s << 13) let s = s ^ (s >> 17) in s ^ (s << 5)

def cost [n] (flow: [n][n]i32) (dist: [n][n]i32) (p: [n]i64) : i32 =
  i32.sum (flatten (tabulate_2d n n (\i j -> flow[i, j] * dist[p[i], p[j]])))

entry main (n: i64) (steps: i32) : ([n]i64, i32, i32) =
  let flow = tabulate_2d n n (\i j -> i32.i64 ((i * 3 + j * 5 + i * j) % 10))
  let dist = tabulate_2d n n (\i j -> i32.i64 (i64.abs (i / 4 - j / 4) + i64.abs (i % 4 - j % 4)))
  let start = iota n
  let (p, c, _, taken) =
    loop (p, c, seed, taken) = (start, cost flow dist start, 88172645u32, 0i32)
    for t < steps do
      let s1 = next seed
      let s2 = next s1
      let s3 = next s2
      let a = i64.u32 s1 % n
      let b = i64.u32 s2 % n
      let q = tabulate n (\i -> if i == a then p[b] else if i == b then p[a] else p[i])
      let cq = cost flow dist q
      let temperature = 50 * (1 - f32.i32 t / f32.i32 steps) + 0.01
      let accept = cq <= c || f32.u32 (s3 >> 8) / 16777216 < f32.exp (f32.i32 (c - cq) / temperature)
      in if accept then (q, cq, s3, taken + 1) else (p, c, s3, taken)
  in (p, c, taken)
