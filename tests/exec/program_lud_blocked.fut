-- LU decomposition in blocks, as in Rodinia: slices of slices updated in place.
def block_size : i64 = 4
def dotprod [n] (a: [n]f32) (b: [n]f32) : f32 = map2 (*) a b |> f32.sum

def lud_diagonal [b] (a: [b][b]f32) : *[b][b]f32 =
  map1 (\mat ->
          let mat = copy mat
          in loop (mat: *[b][b]f32) for i < b - 1 do
               let col =
                 map (\j ->
                        if j > i
                        then #[unsafe]
                             (mat[j, i] - (dotprod mat[j, :i] mat[:i, i]))
                             / mat[i, i]
                        else mat[j, i])
                     (iota b)
               let mat[:, i] = col
               let row =
                 map (\j ->
                        if j > i
                        then mat[i + 1, j] - (dotprod mat[:i + 1, j] mat[i + 1, :i + 1])
                        else mat[i + 1, j])
                     (iota b)
               let mat[i + 1] = row
               in mat)
       (opaque (replicate 1 a))
  |> head

def lud_perimeter_upper [m] [b] (diag: [b][b]f32) (a0s: [m][b][b]f32) : *[m][b][b]f32 =
  let a1s = map (\(x: [b][b]f32) : [b][b]f32 -> transpose (x)) a0s
  let a2s =
    map (\a1 : [b][b]f32 ->
           map (\row0 : [b]f32 ->
                  loop row = copy row0
                  for i < b do
                    let sum = loop sum = 0.0f32 for k < i do sum + diag[i, k] * row[k]
                    let row[i] = row[i] - sum
                    in row)
               a1)
        a1s
  in map (\x : [b][b]f32 -> transpose (x)) a2s

def lud_perimeter_lower [b] [m] (diag: [b][b]f32) (mat: [m][b][b]f32) : *[m][b][b]f32 =
  map (\blk : [b][b]f32 ->
         map (\(row0: [b]f32) : *[b]f32 ->
                loop row = copy row0
                for j < b do
                  let sum =
                    loop sum = 0.0f32
                    for k < j do
                      sum + diag[k, j] * row[k]
                  let row[j] = (row[j] - sum) / diag[j, j]
                  in row)
             blk)
      mat

def lud_internal [m] [b] (top_per: [m][b][b]f32) (lft_per: [m][b][b]f32) (mat_slice: [m][m][b][b]f32) : *[m][m][b][b]f32 =
  let top_slice = map transpose top_per
  in map (\(mat_arr: [m][b][b]f32, lft: [b][b]f32) : [m][b][b]f32 ->
            map (\(mat_blk, top) ->
                   map (\(mat_row: [b]f32, lft_row: [b]f32) : [b]f32 ->
                          map (\(mat_el, top_row) ->
                                 let prods = map2 (*) lft_row top_row
                                 let sum = f32.sum prods
                                 in mat_el - sum)
                              (zip (mat_row) top))
                       (zip (mat_blk) lft))
                (zip (mat_arr) (top_slice)))
         (zip (mat_slice) (lft_per))

def block_size' = block_size

def main [m] (mat: [m][m]f32) : [m][m]f32 =
  let num_blocks = (m + block_size - 1) / block_size
  let n = block_size * num_blocks
  let padding = n - m
  let mat =
    if true
    then (map (\i -> map (\j -> if i < m && j < m then mat[i, j] else if i == j then 1 else 0) (iota n)) (iota n))
    else mat :> [n][n]f32
  let matb = map (\i_b -> map (\j_b -> map (\i -> map (\j -> #[unsafe] mat[i_b * block_size + i, j_b * block_size + j]) (iota (block_size))) (iota (block_size))) (iota (num_blocks))) (iota (num_blocks))
  let matb =
    loop (matb) for step < num_blocks - 1 do
      let diag = lud_diagonal (matb[step, step])
      let row_slice = matb[step, step + 1:num_blocks]
      let col_slice = matb[step + 1:num_blocks, step]
      let rest = num_blocks - step - 1
      let top_per = lud_perimeter_upper diag (row_slice :> [rest][block_size][block_size]f32)
      let lft_per = lud_perimeter_lower diag (col_slice :> [rest][block_size][block_size]f32)
      let inner = matb[step + 1:num_blocks, step + 1:num_blocks] :> [rest][rest][block_size][block_size]f32
      let internal = lud_internal top_per lft_per inner
      let matb[step, step] = diag
      let matb[step, step + 1:num_blocks] = top_per
      let matb[step + 1:num_blocks, step] = lft_per
      let matb[step + 1:num_blocks, step + 1:num_blocks] = internal
      in matb
  let last_step = num_blocks - 1
  let matb[last_step, last_step] = lud_diagonal (matb[last_step, last_step])
  let ret_padded =
    map (\i_b -> map (\j_b -> map (\i -> map (\j -> matb[i_b, j_b, i, j]) (iota block_size)) (iota block_size)) (iota num_blocks)) (iota num_blocks)
    |> map (transpose)
    |> map (map flatten)
    |> flatten
  in (take m (map (take m) ret_padded)) :> [m][m]f32

-- ==
-- input { [[4f32,3f32,2f32,1f32,1f32],[3f32,5f32,3f32,2f32,1f32],[2f32,3f32,6f32,3f32,0f32],[1f32,2f32,3f32,7f32,1f32],[1f32,1f32,0f32,1f32,9f32]] }
