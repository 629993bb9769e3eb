-- Plain modules: nesting, opening, shadowing, types and operators inside.
-- ==
-- input { 3 } output { 13 17 6 }
module geometry = {
  type point = {x: i32, y: i32}
  def origin : point = {x = 0, y = 0}

  module metric = {
    def norm1 (p: point) = i32.abs p.x + i32.abs p.y
    def (<+>) (a: point) (b: point) : point = {x = a.x + b.x, y = a.y + b.y}
  }

  open metric
}

module shifted = {
  open geometry
  def origin : point = {x = 5, y = 5}
}

def main (k: i32) =
  let p = {x = k, y = 0}
  in (geometry.norm1 (shifted.origin geometry.<+> p), shifted.metric.norm1 shifted.origin + 7, k i32.* 2)
