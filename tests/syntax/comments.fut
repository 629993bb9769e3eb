#!/usr/bin/env halo
-- The first line is skipped, comments end with their line, `-- |` documents.
-- ==
-- input { 1 } output { 3 }

-- | Adds one.
-- In two lines.
#[inline]
def f (x: i32) = -- here
  x + 1 --and here

-- | Attributes are accepted everywhere.
entry main (#[unused] x: i32) = #[inline] f (#[unsafe] f x) -- at the end
