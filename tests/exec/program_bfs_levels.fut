-- Breadth-first search level by level, as in Rodinia: filters inside a loop, scatters of flags.
def step [n] [e]
         (cost: *[n]i32)
         (nodes_start_index: [n]i32)
         (nodes_n_edges: [n]i32)
         (edges_dest: [e]i32)
         (graph_visited: [n]bool)
         (graph_mask: *[n]bool)
         (updating_indices: [n]i32) : (*[n]i32, *[n]bool, *[]i32) =

  -- calculate maximal number of edges for a node
  let e_max = reduce i32.max 0 nodes_n_edges
  let active_indices =
    filter (\i -> graph_mask[i]) (indices graph_mask)
  let n_indices = length active_indices
  let graph_mask' =
    scatter graph_mask active_indices (map (const false) active_indices)
  let flat_len = i64.i32 e_max * n_indices
  let (changes, costs) =
    unzip (map (\ii ->
                  let row = ii / i64.i32 e_max
                  let col = ii % i64.i32 e_max
                  let n = active_indices[row]
                  in if i32.i64 col < nodes_n_edges[n]
                     then let n' = edges_dest[i64.i32 nodes_start_index[n] + col]
                          in if !graph_visited[n']
                             then (i64.i32 n', cost[n] + 1)
                             else (-1, -1)
                     else (-1, -1))
               (iota flat_len))
  let cost' = scatter cost changes costs
  let updating_indices' = map i32.i64 (filter (!= (-1)) changes)
  in (cost', graph_mask', updating_indices')

def common_main [n] [e]
                (nodes_start_index: [n]i32)
                (nodes_n_edges: [n]i32)
                (edges_dest: [e]i32) : [n]i32 =
  let source = 0
  let (graph_mask, gm, cost) =
    unzip3
    <| map (\i ->
              if i == source
              then (true, true, 0)
              else (false, false, -1))
           (iota n)
  let (cost, _, _, _, _) =
    loop (cost, graph_mask, graph_visited, updating_indices, continue) =
           (cost, graph_mask, gm, replicate n (-1), true)
    while continue do
      let (cost', graph_mask', updating_indices) =
        step (copy cost)
             nodes_start_index
             nodes_n_edges
             edges_dest
             graph_visited
             (copy graph_mask)
             updating_indices
      let [q] (updating_indices: [q]i32) = updating_indices
      let graph_mask'' = scatter graph_mask' (map i64.i32 updating_indices) (replicate q true)
      let graph_visited' = scatter (copy graph_visited) (map i64.i32 updating_indices) (replicate q true)
      let tmp_arr = map (\_ -> 1i32) updating_indices
      let n_indices = reduce (+) 0 tmp_arr
      in (cost', graph_mask'', graph_visited', updating_indices ++ replicate (n - length updating_indices) (-1) :> [n]i32, n_indices > 0)
  in cost

def main = common_main

-- ==
-- input { [0,2,4,5,7] [2,2,1,2,1] [1,2, 2,3, 4, 4,0, 0] }
-- output { [0,1,1,2,2] }
