-- Stencils, padding and windows (docs/language.md#stencils).

-- | The cells outside an array: its edge again, its mirror image (the edge twice), the other end, or
-- a value.
type boundary 'a = #clamp | #mirror | #wrap | #constant a

-- | Stencils, padding and sliding windows; the names are also in scope as they are.
module stencil = {
  -- | `stencil_1d offsets f invariant xs`: for every cell, `f` gets the cell of `invariant` and the
  -- neighbours of `xs` at the offsets, in their order. Positions outside are clamped to the edge.
  val stencil_1d [d] 'a 'b 'c [n] : [d]i64 -> (c -> [d]a -> b) -> [n]c -> [n]a -> *[n]b

  -- | As `stencil_1d` on two dimensions; offsets are `(row, column)`.
  val stencil_2d [d] 'a 'b 'c [n] [m] : [d](i64, i64) -> (c -> [d]a -> b) -> [n][m]c -> [n][m]a -> *[n][m]b

  -- | As `stencil_1d` on three dimensions; offsets go from the outermost axis to the innermost.
  val stencil_3d [d] 'a 'b 'c [n] [m] [k] : [d](i64, i64, i64) -> (c -> [d]a -> b) -> [n][m][k]c -> [n][m][k]a -> *[n][m][k]b

  -- | `stencil_1d` with a boundary.
  val stencil_1d_with [d] 'a 'b 'c [n] : boundary a -> [d]i64 -> (c -> [d]a -> b) -> [n]c -> [n]a -> *[n]b

  -- | `stencil_2d` with a boundary for rows and one for columns.
  val stencil_2d_with [d] 'a 'b 'c [n] [m] : (boundary a, boundary a) -> [d](i64, i64) -> (c -> [d]a -> b) -> [n][m]c -> [n][m]a -> *[n][m]b

  -- | `stencil_3d` with a boundary for each axis, outermost first.
  val stencil_3d_with [d] 'a 'b 'c [n] [m] [k] : (boundary a, boundary a, boundary a) -> [d](i64, i64, i64) -> (c -> [d]a -> b) -> [n][m][k]c -> [n][m][k]a -> *[n][m][k]b

  -- | `pad_1d l r boundary xs`: `l` cells more on the left, `r` on the right.
  val pad_1d [n] 'a : (l: i64) -> (r: i64) -> boundary a -> [n]a -> [l + n + r]a

  -- | `pad_2d t b l r boundaries xs`: cells at the top, at the bottom, on the left, on the right.
  val pad_2d [n] [m] 'a : (t: i64) -> (b: i64) -> (l: i64) -> (r: i64) -> (boundary a, boundary a) -> [n][m]a -> [t + n + b][l + m + r]a

  -- | As `pad_2d`, for three axes, outermost first: cells before and after for each.
  val pad_3d [n] [m] [k] 'a : (u: i64) -> (d: i64) -> (t: i64) -> (b: i64) -> (l: i64) -> (r: i64) -> (boundary a, boundary a, boundary a) -> [n][m][k]a -> [u + n + d][t + m + b][l + k + r]a

  -- | `slide_1d size step xs`: the windows of `size` cells that begin at multiples of `step`.
  val slide_1d [n] 'a : (size: i64) -> (step: i64) -> [n]a -> [(n - size + step) / step][size]a

  -- | `slide_2d sy py sx px xs`: windows of `sy` rows and `sx` columns; steps `py` and `px`.
  val slide_2d [n] [m] 'a : (sy: i64) -> (py: i64) -> (sx: i64) -> (px: i64) -> [n][m]a -> [(n - sy + py) / py][(m - sx + px) / px][sy][sx]a

  -- | As `slide_2d`, for three axes, outermost first: size and step for each.
  val slide_3d [n] [m] [k] 'a : (sz: i64) -> (pz: i64) -> (sy: i64) -> (py: i64) -> (sx: i64) -> (px: i64) -> [n][m][k]a -> [(n - sz + pz) / pz][(m - sy + py) / py][(k - sx + px) / px][sz][sy][sx]a
}

open stencil
