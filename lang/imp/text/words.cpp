// One word for each enumerator, as the parser reads it.
#include "lang/imp/text/words.h"

#include "lang/base/check.h"

namespace halo::imp {

const char* spaceName(Space space) {
  switch (space) {
    case Space::kHost:
      return "host";
    case Space::kDevice:
      return "device";
    case Space::kShared:
      return "shared";
    case Space::kPrivate:
      return "private";
    case Space::kMatrix:
      return "matrix";
  }
  HALO_UNREACHABLE("unknown space");
}

const char* builtInName(BuiltIn what) {
  switch (what) {
    case BuiltIn::kGlobalId:
      return "global_id";
    case BuiltIn::kLocalId:
      return "local_id";
    case BuiltIn::kGroupId:
      return "group_id";
    case BuiltIn::kGroupCount:
      return "group_count";
    case BuiltIn::kGroupSize:
      return "group_size";
    case BuiltIn::kLane:
      return "lane";
    case BuiltIn::kSubgroup:
      return "subgroup";
    case BuiltIn::kThreads:
      return "threads";
  }
  HALO_UNREACHABLE("unknown built-in value");
}

const char* shuffleName(ShuffleKind kind) {
  switch (kind) {
    case ShuffleKind::kUp:
      return "shuffle_up";
    case ShuffleKind::kDown:
      return "shuffle_down";
    case ShuffleKind::kXor:
      return "shuffle_xor";
    case ShuffleKind::kFrom:
      return "shuffle_from";
  }
  HALO_UNREACHABLE("shuffle");
}

const char* atomicName(AtomicOp op) {
  static const char* const kNames[] = {"add", "min", "max", "and", "or", "xor", "load", "store"};
  return kNames[static_cast<size_t>(op)];
}

const char* convertWord(prim::ConvertKind kind) {
  switch (kind) {
    case prim::ConvertKind::kValue:
      return "value";
    case prim::ConvertKind::kBits:
      return "bits";
    case prim::ConvertKind::kMachine:
      return "machine";
  }
  HALO_UNREACHABLE("unknown conversion");
}

}  // namespace halo::imp
