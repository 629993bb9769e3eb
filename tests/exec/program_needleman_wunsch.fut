-- Needleman-Wunsch in blocks along the diagonals, as in Rodinia: scatters in loops, blocks cut out of a flat matrix.
def B0 : i64 = 8
def fInd (B: i64) (y: i32) (x: i32) : i32 = y * (i32.i64 B + 1) + x
def max3 (x: i32, y: i32, z: i32) = if x < y then if y < z then z else y else if x < z then z else x

def mkVal [l2] [l] (B: i64) (y: i32) (x: i32) (pen: i32) (inp_l: [l2]i32) (ref_l: [l]i32) : i32 =
  #[unsafe]
  max3 ( ((inp_l[fInd B (y - 1) (x - 1)])) + (ref_l[(y - 1) * i32.i64 B + (x - 1)])
       , ((inp_l[fInd B y (x - 1)])) - pen
       , ((inp_l[fInd B (y - 1) x])) - pen
       )

def intraBlockPar' [lensq]
                   (B: i64)
                   (len: i64)
                   (penalty: i32)
                   (inputsets: [lensq]i32)
                   (reference2: [lensq]i32)
                   (b_y: i64)
                   (b_x: i64) : [B][B]i32 =
  let ref_l = map (\i -> #[unsafe] reference2[(b_y * B + 1 + i / B) * len + b_x * B + 1 + i % B]) (iota (B * B))
  let inp_l0 = map (\i -> #[unsafe] inputsets[(b_y * B + i / (B + 1)) * len + b_x * B + i % (B + 1)]) (iota ((B + 1) * (B + 1)))
  let inp_l =
    loop inp_l = copy inp_l0
    for m < i32.i64 B do
      let inds_vals =
        map (\tx ->
               if tx > m
               then (-1, 0)
               else let ind_x = tx + 1
                    let ind_y = m - tx + 1
                    in (i64.i32 (fInd B ind_y ind_x), mkVal B ind_y ind_x penalty inp_l ref_l))
            (map i32.i64 (iota B))
      let (inds, vals) = unzip inds_vals
      in scatter inp_l inds vals
  let inp_l =
    loop inp_l for m < i32.i64 B - 1 do
      let m = i32.i64 B - 2 - m
      let (inds, vals) =
        unzip (tabulate B (\tx ->
                             let tx = i32.i64 tx
                             in if tx > m
                                then (-1, 0)
                                else let ind_x = tx + i32.i64 B - m
                                     let ind_y = i32.i64 B - tx
                                     in ((i64.i32 (fInd B ind_y ind_x), mkVal B ind_y ind_x penalty inp_l ref_l))))
      in scatter inp_l inds vals
  let B1 = B + 1
  let inp_l2 = unflatten (inp_l :> [B1 * B1]i32)
  in (inp_l2[1:B + 1, 1:B + 1] :> [B][B]i32)

def updateBlocks [q] [lensq]
                 (B: i64)
                 (len: i64)
                 (blk: i64)
                 (mk_b_y: (i64 -> i64))
                 (mk_b_x: (i64 -> i64))
                 (block_inp: [q][B][B]i32)
                 (inputsets: *[lensq]i32) =
  let (inds, vals) =
    unzip (tabulate_3d q B B (\bx ty tx ->
                                let b_y = mk_b_y bx
                                let b_x = mk_b_x bx
                                let v = #[unsafe] block_inp[bx, ty, tx]
                                let i = (B * b_y + 1 + ty) * len + (B * b_x + tx + 1)
                                in (i, v))
           |> flatten_3d)
  in scatter inputsets inds vals

def main [lensq] (penalty: i32) (inputsets: *[lensq]i32) (reference: *[lensq]i32) : *[lensq]i32 =
  let len = f32.i64 lensq |> f32.sqrt |> i64.f32
  let worksize = len - 1
  let B = i64.min worksize B0
  let B2 = B * B
  let worksize = len - 1
  let block_width = (worksize / B)
  let inputsets =
    loop (inputsets) for blk < block_width do
      let blk = blk + 1
      let block_inp =
        tabulate blk (\b_x -> let b_y = blk - 1 - b_x in intraBlockPar' B len penalty inputsets reference b_y b_x)
      in updateBlocks B len blk (\bx -> (blk - 1 - bx)) (\bx -> bx) block_inp inputsets
  in loop (inputsets) for blk < block_width - 1 do
       let blk = block_width - 1 - blk
       let block_inp =
         tabulate blk (\b_x' ->
                         let b_x = b_x' + block_width - blk
                         let b_y = block_width + block_width - blk - b_x - 1 + (blk - block_width) + 0 * b_x
                         let b_y = block_width - 1 - b_x' in intraBlockPar' B len penalty inputsets reference b_y b_x)
       in updateBlocks B len blk (\bx -> block_width - 1 - bx) (\bx -> (bx + block_width - blk)) block_inp inputsets

-- ==
-- input { 10 [0, -10, -20, -30, -40, -50, -60, -70, -80, -90, -100, -110, -120, -130, -140, -150, -160, -10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -70, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -90, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -110, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -120, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -130, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -140, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -150, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -160, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] [0, -2, 4, -1, 11, 10, 11, 8, 2, -1, 11, -4, 8, 9, -4, 10, 4, 3, -1, 6, -4, -4, -4, -4, 8, 2, 9, -4, 3, 10, 11, 3, 7, 3, 3, 10, 5, -4, 9, -1, 1, 5, -1, 6, 9, 2, 5, 5, 11, 8, -3, 11, 3, 8, 9, 1, 7, 7, -2, 10, -1, 1, 8, 7, 11, -4, 11, -3, 5, 8, 1, 1, 3, -4, 2, 3, 8, 7, 7, 10, 4, -4, 8, 0, 2, 9, -3, 11, 7, 2, 9, 11, 7, 9, 7, -4, 6, 10, -4, 3, 1, 1, -2, 4, -3, -2, -2, -4, 10, -4, 4, 3, 4, -1, 1, 7, 5, -2, 1, 1, 4, 1, 4, 5, 10, 6, 11, 11, -1, -4, 5, 8, 6, 9, 2, 4, -1, 4, 2, 9, -4, 3, -4, 8, 0, -3, 1, 10, 9, 3, 10, 3, -4, 8, 6, 9, -3, 5, 0, 2, -3, 5, -2, -2, 5, 5, 1, 9, 4, 0, -4, -3, 2, 10, 1, -3, 8, 2, 7, -1, 2, 9, 2, 11, -1, 8, 5, 11, -4, 6, 8, 5, -4, 1, 2, 6, 0, 6, 9, 2, 4, -1, 8, 7, 11, 3, -2, -3, -2, 0, 1, 1, 2, 4, 6, 4, 7, 6, 6, -1, 5, 3, 11, 0, -1, 6, -3, 9, -2, 8, 0, 0, 6, -1, 8, -2, 3, -2, 4, 7, 5, -1, 10, 4, -1, -3, 5, -4, -4, -2, 9, -1, -3, 2, 3, 9, 1, -1, 10, 1, 3, 1, -1, 9, 8, 5, 4, 11, 6, -1, 2, 6, -3, -4, -4, 5, 6, 10, 8, 6, 8, -2, -2, 6, 10, -1, 4, 2, 11] }
-- output { [0, -10, -20, -30, -40, -50, -60, -70, -80, -90, -100, -110, -120, -130, -140, -150, -160, -10, -1, -4, -14, -24, -34, -44, -52, -62, -71, -81, -91, -100, -109, -119, -129, -139, -20, 0, 4, -6, -5, -15, -25, -35, -45, -55, -62, -72, -82, -92, -98, -108, -118, -30, -10, 8, 13, 3, 2, -8, -18, -25, -35, -45, -54, -64, -71, -81, -87, -97, -40, -20, -2, 9, 16, 6, 4, -5, -10, -18, -28, -35, -45, -55, -63, -73, -83, -50, -30, -9, 5, 11, 25, 17, 11, 4, -3, -13, -22, -25, -35, -45, -55, -65, -60, -40, -19, -5, 3, 15, 35, 25, 15, 7, 1, -9, -19, -18, -28, -38, -48, -70, -50, -29, -15, 0, 13, 25, 46, 36, 26, 16, 6, -1, -11, -9, -19, -29, -80, -60, -39, -20, -10, 3, 15, 36, 46, 36, 27, 26, 16, 6, -1, -6, -16, -90, -70, -49, -30, -15, -7, 5, 26, 41, 44, 34, 32, 31, 21, 15, 5, -5, -100, -80, -59, -39, -25, -17, 1, 16, 33, 40, 46, 43, 34, 42, 32, 23, 13, -110, -90, -69, -49, -34, -27, -9, 6, 23, 33, 46, 55, 45, 38, 41, 40, 30, -120, -100, -79, -59, -44, -34, -19, -4, 13, 27, 39, 50, 62, 52, 44, 40, 45, -130, -109, -89, -69, -53, -44, -25, -14, 4, 17, 29, 45, 52, 70, 60, 50, 40, -140, -119, -99, -79, -59, -49, -35, -24, -6, 7, 19, 35, 54, 60, 67, 62, 53, -150, -129, -109, -89, -69, -56, -45, -34, -15, 2, 12, 25, 46, 60, 59, 69, 68, -160, -139, -119, -99, -79, -59, -48, -39, -25, -8, 2, 18, 36, 50, 64, 61, 80] }
