-- Game of life, generic in its cells: booleans and sums.
-- tolerance: exact
-- ==
-- input { [[0i32,1i32,0i32],[0i32,1i32,0i32],[0i32,1i32,0i32]] 3i32 }
-- output { [[0i32, 0i32, 0i32], [0i32, 0i32, 0i32], [0i32, 0i32, 0i32]] [[0i32, 0i32, 0i32], [0i32, 0i32, 0i32], [0i32, 0i32, 0i32]] }
module type rules = {type cell val value : cell -> i32 val of : bool -> cell val next : cell -> i32 -> cell}
module conway : rules = {type cell = bool def value (b: cell) = i32.bool b def of (b: bool) = b def next (c: cell) (n: i32) = n == 3 || (c && n == 2)}
module colour : rules = {type cell = #dead i8 | #alive def value (c: cell) = match c case #alive -> 1i32 case #dead _ -> 0 def of (b: bool) : cell = if b then #alive else #dead 0 def next (c: cell) (n: i32) : cell = match (c, n) case (_, 3) -> #alive case (#alive, 2) -> #alive case (#alive, _) -> #dead 1 case (#dead k, _) -> #dead (k + 1)}

module game (R: rules) = {
  def step [n] [m] (b: [n][m]R.cell) : [n][m]R.cell =
    let v = map (map R.value) b
    let at i j = v[(i + n) % n, (j + m) % m]
    in tabulate_2d n m (\i j -> R.next b[i, j] (at (i - 1) (j - 1) + at (i - 1) j + at (i - 1) (j + 1) + at i (j - 1) + at i (j + 1) + at (i + 1) (j - 1) + at (i + 1) j + at (i + 1) (j + 1)))

  def run (k: i32) (b: [][]i32) = map (map R.value) (iterate k step (map (map (\x -> R.of (x != 0))) b))
}

module g1 = game conway
module g2 = game colour
entry main (b: [][]i32) (k: i32) = (g1.run k b, g2.run k b)
