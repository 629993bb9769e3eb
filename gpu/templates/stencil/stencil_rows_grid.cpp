// The first dimension of the grid covers rows, the others the axes before.
#include "gpu/templates/stencil/stencil_rows_grid.h"

namespace halo::gpu {

using namespace imp;
using prim::Op;

RowsGrid::RowsGrid(KernelScope& scope, const RowsShape& shape, size_t rank)
    : scope_(scope), host_(scope.host()), code_(scope.code()), shape_(shape), rank_(rank) {}

// Invocations beyond the end do the last cells once more: no test, and the same bits.
Operand RowsGrid::atMost(const Operand& first, const Operand& origin, const Operand& size,
                         int64_t own) {
  Operand last = code_.add(origin, code_.sub(size, i64(own)));
  return code_.max(code_.min(code_.add(origin, first), last), i64(0));
}

void RowsGrid::findFirst(size_t axis, const Operand& number) {
  int64_t own = across(axis);
  first_[axis] = atMost(code_.mul(number, i64(own)), origin_[axis], size_[axis], own);
}

// Where rows may begin anywhere, the invocation's first one decides: pieces of it begin where
// memory's sectors do.
Operand RowsGrid::atAlignment(const Operand& column, const Operands& extents) {
  Operand row = first_[0];
  for (size_t axis = 1; axis + 1 < rank_; ++axis) {
    row = code_.add(code_.mul(row, extents[axis]), first_[axis]);
  }
  Operand at = code_.add(code_.mul(row, extents.back()), origin_.back());
  Operand behind = code_.prim(Op::kAnd, ScalarType::kI64, {at, i64(shape_.sector - 1)});
  return code_.sub(column, behind);
}

void RowsGrid::enter(const Box& box) {
  first_.resize(rank_);
  for (size_t axis = 0; axis < rank_; ++axis) {
    origin_.push_back(scope_.scalar(box.origin[axis]));
    size_.push_back(scope_.scalar(box.size[axis]));
  }
}

Operand RowsGrid::groupsAcross(const Operand& columns) {
  return groupsFor(host_, columns, shape_.lanes * shape_.columns * shape_.blocks);
}

Operand RowsGrid::groupsAlong(size_t axis, const Operand& size) {
  if (axis + 2 == rank_) return groupsFor(host_, size, shape_.height * across(axis));
  return groupsFor(host_, size, shape_.rows);
}

Operands RowsGrid::over(const Box& box) {
  enter(box);
  if (shape_.ends == RegisterTileSchedule::Ends::kCells && shape_.slab == 0) return withRest(box);
  Operand columns = groupsAcross(box.size.back());
  Operand first = groupsAlong(0, box.size[0]);
  if (rank_ == 2) {
    findFirst(0, scope_.globalId(1));
    return {columns, first, i64(1)};
  }
  Operand lines = groupsAlong(1, box.size[1]);
  if (shape_.slab > 0) return inSlabs(box, {columns, lines, first});
  findFirst(0, scope_.globalId(2));
  findFirst(1, scope_.globalId(1));
  return {columns, lines, first};
}

// Where a few lanes are left of a row, workgroups behind the others, along the second dimension, do
// them for many rows:
//
//   lanes of a row   [workgroup][workgroup] rest     the rest of rows r, r + 1, .. is done by the
//                    [workgroup][workgroup] rest     first lanes, the next, .. of a workgroup
Operands RowsGrid::withRest(const Box& box) {
  size_t axis = rank_ - 2;
  Rest rest = restOf(box.size.back());
  Operand usual = groupsAlong(axis, box.size[axis]);
  Operand blocks = divideUp(host_, box.size[axis], i64(across(axis)));
  Operand at_once = host_.mul(rest.rows, i64(shape_.height));
  Operand groups = divideUp(host_, divideUp(host_, blocks, at_once), rest.groups);
  Operand behind = host_.let("behind", ScalarType::kI64, Select{rest.is_there, groups, i64(0)});

  Operand begin = scope_.scalar(usual), rows = scope_.scalar(rest.rows);
  Operand width = scope_.scalar(rest.width), across = scope_.scalar(rest.groups);
  Operand group = scope_.groupId(1), lane = scope_.localId(), row = localRow();
  Operand is_rest = code_.prim(Op::kLe, ScalarType::kI64, {begin, group});
  Operand number = code_.add(code_.mul(code_.sub(group, begin), across), scope_.groupId());
  Operand of_width = code_.prim(Op::kMachineDiv, ScalarType::kI64, {lane, width});
  Operand in_width = code_.sub(lane, code_.mul(of_width, width));
  Operand rest_lane = code_.add(code_.mul(across, i64(shape_.lanes)), in_width);
  Operand rest_row = code_.mul(code_.add(code_.mul(number, i64(shape_.height)), row), rows);
  rest_row = code_.add(rest_row, of_width);
  Operand own_lane = code_.add(code_.mul(scope_.groupId(), i64(shape_.lanes)), lane);
  auto choose = [&](const Operand& of_rest, const Operand& own) {
    return code_.let("chosen", ScalarType::kI64, Select{is_rest, of_rest, own});
  };
  lane_ = choose(rest_lane, own_lane);
  findFirst(axis, choose(rest_row, scope_.globalId(1)));
  if (rank_ == 2) return {rest.groups, host_.add(usual, behind), i64(1)};
  findFirst(0, scope_.globalId(2));
  return {rest.groups, host_.add(usual, behind), groupsAlong(0, box.size[0])};
}

// The number of workgroups in a row, and its rest.
RowsGrid::Rest RowsGrid::restOf(const Operand& columns) {
  Operand lanes = divideUp(host_, columns, i64(shape_.columns));
  Operand whole = host_.prim(Op::kMachineDiv, ScalarType::kI64, {lanes, i64(shape_.lanes)});
  Operand left = host_.sub(lanes, host_.mul(whole, i64(shape_.lanes)));
  auto holds = [&](int64_t least, const Operand& value) {
    return host_.prim(Op::kLe, ScalarType::kI64, {i64(least), value});
  };
  auto select = [&](const Operand& condition, const Operand& then, const Operand& otherwise) {
    return host_.let("rest", ScalarType::kI64, Select{condition, then, otherwise});
  };
  Operand some = host_.prim(Op::kAnd, ScalarType::kBool, {holds(1, left), holds(1, whole)});
  Operand few = host_.prim(Op::kLe, ScalarType::kI64, {left, i64(shape_.rest_lanes)});
  Rest rest;
  rest.is_there = host_.prim(Op::kAnd, ScalarType::kBool, {some, few});
  rest.groups = select(rest.is_there, whole, groupsAcross(columns));
  rest.width = i64(shape_.rest_lanes);
  for (int64_t width = shape_.rest_lanes / 2; width >= 1; width /= 2) {
    rest.width = select(holds(width + 1, left), rest.width, i64(width));
  }
  rest.rows = host_.prim(Op::kMachineDiv, ScalarType::kI64, {i64(shape_.lanes), rest.width});
  return rest;
}

// The first axis runs faster than slabs of the second do. Lines that a slab has loaded stay in the
// cache until its neighbours along the first axis want them.
Operands RowsGrid::inSlabs(const Box& box, const Operands& groups) {
  Operand cells = host_.mul(box.size[1], box.size[2]);
  Operand is_large = host_.prim(Op::kLe, ScalarType::kI64, {i64(shape_.slab_cells), cells});
  Operand slab = host_.let("slab", ScalarType::kI64, Select{is_large, i64(shape_.slab), groups[1]});
  slab = host_.min(groups[1], slab);
  Operand within = scope_.scalar(slab);
  Operand group = scope_.groupId(1);
  Operand of_slab = code_.prim(Op::kMachineRem, ScalarType::kI64, {group, within});
  findFirst(0, code_.prim(Op::kMachineDiv, ScalarType::kI64, {group, within}));
  Operand line_group = code_.add(code_.mul(scope_.groupId(2), within), of_slab);
  Operand line = code_.add(code_.mul(line_group, i64(shape_.height)), localRow());
  findFirst(1, line);
  return {groups[0], host_.mul(groups[2], slab), divideUp(host_, groups[1], slab)};
}

// The number of this invocation along the second dimension of the workgroup.
Operand RowsGrid::localRow() {
  Operand id = scope_.globalId(1);
  return code_.sub(id, code_.mul(scope_.groupId(1), i64(shape_.height)));
}

Operands RowsGrid::over(const std::vector<Box>& boxes) {
  Operand total = i64(0), group = scope_.groupId(1), begin = i64(0), columns = i64(0);
  std::vector<Operands> counts;
  Operands begins;
  for (const Box& box : boxes) {
    begins.push_back(total);
    Operand first = groupsAlong(0, box.size[0]);
    counts.push_back({first});
    if (rank_ == 3) {
      Operand lines = groupsAlong(1, box.size[1]);
      counts.back().push_back(lines);
      first = host_.mul(first, lines);
    }
    total = host_.add(total, first);
    if (!(columns == box.size.back())) columns = host_.max(columns, box.size.back());
  }
  enter(boxes[0]);
  Operand lines = rank_ == 3 ? scope_.scalar(counts[0][1]) : i64(1);
  for (size_t b = 1; b < boxes.size(); ++b) {
    Operand start = scope_.scalar(begins[b]);
    Operand behind = code_.prim(Op::kLe, ScalarType::kI64, {start, group});
    auto choose = [&](Operand& chosen, const Operand& host) {
      Operand other = scope_.scalar(host);
      if (!(chosen == other)) {
        chosen = code_.let("chosen", ScalarType::kI64, Select{behind, other, chosen});
      }
    };
    choose(begin, begins[b]);
    if (rank_ == 3) choose(lines, counts[b][1]);
    for (size_t axis = 0; axis < rank_; ++axis) {
      choose(origin_[axis], boxes[b].origin[axis]);
      choose(size_[axis], boxes[b].size[axis]);
    }
  }
  Operand number = code_.sub(group, begin);
  if (rank_ == 2) {
    findFirst(0, code_.add(code_.mul(number, i64(shape_.height)), localRow()));
  } else {
    Operand of_line = code_.prim(Op::kMachineRem, ScalarType::kI64, {number, lines});
    findFirst(0, code_.prim(Op::kMachineDiv, ScalarType::kI64, {number, lines}));
    findFirst(1, code_.add(code_.mul(of_line, i64(shape_.height)), localRow()));
  }
  return {groupsAcross(columns), total, i64(1)};
}

Operand RowsGrid::firstColumn(int64_t block, const Operands& extents) {
  Operand lane = scope_.localId(), group = scope_.groupId();
  Operand piece = code_.add(code_.mul(group, i64(shape_.blocks)), i64(block));
  Operand column = lane_ ? *lane_ : code_.add(code_.mul(piece, i64(shape_.lanes)), lane);
  Operand first = atMost(code_.mul(column, i64(shape_.columns)), origin_[rank_ - 1],
                         size_[rank_ - 1], shape_.columns);
  return shape_.isUnaligned() ? atAlignment(first, extents) : first;
}

}  // namespace halo::gpu
