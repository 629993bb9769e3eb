-- A type parameter may stand for a type that hides sizes, and `type t` for one of a module that
-- does.
-- ==
-- input { [3, 1, 2] [0i64, 2i64] }
-- output { 5i32 2i64 3i64 }

module type keys = {
  type~ ctx
  val get : ctx -> i64 -> i32
}

module type table = {
  type ctx
  type table 'ctx [n]
  val make [n] : ctx -> [n]i64 -> table ctx [n]
  val total [n] : table ctx [n] -> i32
}

module mk_table (K: keys) : table with ctx = K.ctx = {
  type~ ctx = K.ctx
  type table 'ctx [n] = {ctx: ctx, at: [n]i64}
  def make [n] (ctx: ctx) (at: [n]i64) : table ctx [n] = {ctx, at}
  def total [n] (t: table ctx [n]) : i32 = i32.sum (map (K.get t.ctx) t.at)
}

module mk_pair (K: {type~ ctx}) = {
  type ctx = K.ctx
  def pair (c: ctx) (d: ctx) = (c, d)
}

module rows = {
  type~ ctx = ?[l].[l]i32
  def get (xs: ctx) (i: i64) = xs[i]
}

module mk_user (K: keys) = {
  module table = mk_table K
  def total (c: table.ctx) (at: []i64) = table.total (table.make c at)
}

module user = mk_user rows
module pair = mk_pair rows

def main (xs: []i32) (at: []i64) =
  let (c, d) = pair.pair xs (map i32.i64 at)
  in (user.total xs at, length d, length c)
