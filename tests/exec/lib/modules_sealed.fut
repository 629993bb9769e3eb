-- Imported by ../modules_import_sealed.fut; alone it is wrong.
-- ==
-- tags { notest }
module counter : {type t val zero : t val up : t -> t val get : t -> i32} = {
  type t = i32
  def zero = 0i32
  def up x = x + 1
  def get x = x
}

entry unused (x: i32 -> i32) = x 1
