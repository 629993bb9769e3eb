-- Sobol numbers and a Brownian bridge, as in FinPar's OptionPricing: scans and reductions over arrays, nested maps of loops.
-- ==
-- tags { not_smooth }

module type MODEL_INPUT = {type model val get : model -> i32}
def grayCode (x: i32) : i32 = (x >> 1) ^ x
def testBit (n: i32, ind: i32) : bool = let t = (1 << ind) in (n & t) == t

def xorInds [num_bits] (n: i32) (dir_vs: [num_bits]i32) : i32 =
  let reldv_vals =
    map2 (\dv i ->
            if testBit (grayCode n, i)
            then dv
            else 0)
         dir_vs
         (map i32.i64 (iota num_bits))
  in reduce (^) 0 reldv_vals

def sobolIndI [m] [num_bits] (dir_vs: [m][num_bits]i32, n: i32) : [m]i32 = map (xorInds n) dir_vs

def index_of_least_significant_0 (num_bits: i32, n: i32) : i32 =
  let (goon, k) = (true, 0i32)
  let (_, k, _) =
    loop ((goon, k, n)) for i < num_bits do
      if goon
      then if (n & 1) == 1
           then (true, i + 1, n >> 1)
           else (false, k, n)
      else (false, k, n)
  in k

def sobolRecI [m] [num_bits] (sob_dir_vs: [m][num_bits]i32, prev: [m]i32, x: i32) : [m]i32 =
  let bit = index_of_least_significant_0 (i32.i64 num_bits, x)
  in map2 (\vct prev -> vct[bit] ^ prev) sob_dir_vs prev

def recM [m] [num_bits] (sob_dirs: [m][num_bits]i32, i: i32) : [m]i32 =
  let bit = index_of_least_significant_0 (i32.i64 num_bits, i)
  in map (\row -> row[bit]) sob_dirs

def sobolChunk [m] [num_bits] (dir_vs: [m][num_bits]i32) (n: i32) (chunk: i64) : [chunk][m]f32 =
  let sob_fact = 1.0 / f32.i32 (1 << i32.i64 num_bits)
  let sob_beg = sobolIndI (dir_vs, n + 1)
  let contrbs =
    map (\k ->
           let sob = i32.i64 k + n
           in if k == 0 then sob_beg else recM (dir_vs, sob))
        (iota chunk)
  let vct_ints = scan (map2 (^)) (replicate m 0i32) contrbs
  in map (map (\x -> f32.i32 x * sob_fact)) vct_ints

def small_case (q: f32) : f32 =
  q * (((((((2509.0809287301226727f32 * 0.18062 * 0.18 + 33430.575583588128105) * 0.18 + 67265.770927008700853) * 0.180625))))) / 3

def intermediate (r: f32) = let r = r - 1.6 in ((r * 2.0 + 1.4) * r + 0.2) / ((r * 0.1 + 0.4) * r + 1)
def tail_f (r: f32) = let r = r - 5 in r * 0.3 + 6.65

def ugaussianEl (p: f32) : f32 =
  let dp = p - 0.5
  in if f32.abs dp <= 0.425
     then small_case dp
     else let pp = if dp < 0.0 then dp + 0.5 else 0.5 - dp
          let r = f32.sqrt (-f32.log pp)
          let x = if r <= 5.0 then intermediate r else tail_f r
          in if dp < 0.0 then 0.0 - x else x

def ugaussian = map ugaussianEl

def brownianBridgeDates [num_dates]
                        (bb_inds: [3][num_dates]i32)
                        (bb_data: [3][num_dates]f32)
                        (gauss: [num_dates]f32) : [num_dates]f32 =
  let bi = bb_inds[0]
  let li = bb_inds[1]
  let ri = bb_inds[2]
  let sd = bb_data[0]
  let lw = bb_data[1]
  let rw = bb_data[2]
  let bbrow = replicate num_dates 0.0f32
  let bbrow[bi[0] - 1] = sd[0] * gauss[0]
  let bbrow =
    loop (bbrow) for i < i32.i64 num_dates - 1 do
      let j = li[i + 1] - 1
      let k = ri[i + 1] - 1
      let l = bi[i + 1] - 1
      let wk = bbrow[k]
      let zi = gauss[i + 1]
      let tmp = rw[i + 1] * wk + sd[i + 1] * zi
      let bbrow[l] =
        if j == -1
        then tmp
        else tmp + lw[i + 1] * bbrow[j]
      in bbrow
  in loop (bbrow) for ii < num_dates - 1 do
       let i = num_dates - (ii + 1)
       let bbrow[i] = bbrow[i] - bbrow[i - 1]
       in bbrow

def brownianBridge [num_dates] [num_und]
                   (bb_inds: [3][num_dates]i32)
                   (bb_data: [3][num_dates]f32)
                   (gaussian_arr: [num_dates * num_und]f32) : [num_dates][num_und]f32 =
  let gauss2d = unflatten gaussian_arr
  let gauss2dT = transpose gauss2d
  in transpose (map (brownianBridgeDates bb_inds bb_data) gauss2dT)

def fftmp [num_und] (md_c: [num_und][num_und]f32) (zi: [num_und]f32) : [num_und]f32 =
  map (\j -> let x = f32.sum (map2 (*) (take (j + 1) zi) (take (j + 1) md_c[j])) in x) (iota num_und)

def correlateDeltas [num_und] [num_dates]
                    (md_c: [num_und][num_und]f32)
                    (zds: [num_dates][num_und]f32) : [num_dates][num_und]f32 =
  map (fftmp md_c) zds

def combineVs [num_und]
              (n_row: [num_und]f32)
              (vol_row: [num_und]f32)
              (dr_row: [num_und]f32) : [num_und]f32 =
  map2 (+) dr_row (map2 (*) n_row vol_row)

def mkPrices [num_und] [num_dates]
             (md_starts: [num_und]f32)
             (md_vols: [num_dates][num_und]f32)
             (md_drifts: [num_dates][num_und]f32)
             (noises: [num_dates][num_und]f32) : [num_dates][num_und]f32 =
  let e_rows = map (map f32.exp) (map3 combineVs noises md_vols md_drifts)
  in scan (\x y -> map2 (*) x y) (replicate num_und 1) (map (\(x: [num_und]f32) -> map2 (*) md_starts x) e_rows)

def blackScholes [num_dates] [num_und]
                 (md_c: [num_und][num_und]f32)
                 (md_vols: [num_dates][num_und]f32)
                 (md_drifts: [num_dates][num_und]f32)
                 (md_starts: [num_und]f32)
                 (bb_arr: [num_dates][num_und]f32) : [num_dates][num_und]f32 =
  let noises = correlateDeltas md_c bb_arr
  in mkPrices md_starts md_vols md_drifts noises

def main [num_bits] [num_models] [num_und] [num_dates]
         (contract_number: i32)
         (num_mc_it: i32)
         (dir_vs: [][num_bits]i32)
         (md_cs: [num_models][num_und][num_und]f32)
         (md_vols: [num_models][num_dates][num_und]f32)
         (md_drifts: [num_models][num_dates][num_und]f32)
         (md_sts: [num_models][num_und]f32)
         (bb_inds: [3][num_dates]i32)
         (bb_data: [3][num_dates]f32) : [num_models]f32 =
  let sobvctsz = num_dates * num_und
  let dir_vs = dir_vs :> [sobvctsz][num_bits]i32
  let sobol_mat = sobolChunk dir_vs 0 (i64.i32 num_mc_it)
  let gauss_mat = map ugaussian sobol_mat
  let bb_mat = map (brownianBridge bb_inds bb_data) gauss_mat
  let payoffs =
    map (\bb_row ->
           let bd_row = map4 (\a b c d -> blackScholes a b c d bb_row) md_cs md_vols md_drifts md_sts
           in map (\m -> if contract_number == 1 then f32.max 0 (m[0, 0] - 1) else reduce f32.min f32.inf (flatten m)) bd_row)
        bb_mat
  let payoff = reduce (map2 (+)) (replicate num_models 0.0) payoffs
  in map (\price -> price / f32.i32 num_mc_it) payoff

-- ==
-- input { 2 15 [[1073741824,536870912,268435456,134217728],[1073741824,805306368,402653184,134217728],[1073741824,536870912,805306368,134217728],[1073741824,536870912,268435456,939524096]]
--  [[[1f32,0f32],[0.5f32,0.7f32]]] [[[0.19f32,0.19f32],[0.19f32,0.19f32]]] [[[0.01f32,0.01f32],[0.01f32,0.01f32]]] [[3f32,4f32]]
--  [[2,1],[0,0],[0,2]] [[1f32,0.5f32],[0f32,0f32],[0f32,0.5f32]] }
