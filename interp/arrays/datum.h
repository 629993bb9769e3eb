// Run-time values of the interpreter. A Datum is 16 bytes: a scalar unboxed, or a counted reference
// to an immutable object (array, record, sum, closure, run-time type). Immutable has one exception:
// an array with no other reference may be updated in place (array.h, makeUnique).
//
// While something is differentiated a scalar may be *active*: a reference to an Active, beside it
// the bits of its value. Code that asks for bits only (conditions, indices, sizes) sees no
// difference.
//
// The counts are not atomic: one call runs on one thread.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lang/base/check.h"
#include "lang/prim/prim.h"

namespace halo::interp {

using prim::Scalar;
using prim::ScalarType;

class Object {
 public:
  enum class Kind : uint8_t { kArray, kRecord, kSum, kClosure, kType, kActive };
  explicit Object(Kind kind) : kind_(kind) {}
  Object(const Object& other) : kind_(other.kind_) {}  // a copy starts without references
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;
  Kind kind() const { return kind_; }

 private:
  friend class Datum;
  Kind kind_;
  uint64_t references_ = 0;
};

struct Active;

class Datum {
 public:
  Datum() = default;  // also a frame slot before it is bound: bytes that are all zero
  explicit Datum(Object* object) : word_(reinterpret_cast<uintptr_t>(object)) {
    ++object->references_;
  }
  Datum(const Datum& other) : word_(other.word_), bits_(other.bits_) { retain(); }
  Datum(Datum&& other) noexcept : word_(other.word_), bits_(other.bits_) { other.word_ = 0; }
  Datum& operator=(const Datum& other) {
    Datum copy(other);
    swap(copy);
    return *this;
  }
  Datum& operator=(Datum&& other) noexcept {
    Datum taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~Datum() { release(); }

  static Datum scalar(ScalarType type, uint64_t bits) {
    Datum datum;
    datum.word_ = static_cast<uintptr_t>(type);
    datum.bits_ = bits;
    return datum;
  }
  static Datum scalar(Scalar value) { return scalar(value.type, value.bits); }
  static Datum ofI64(int64_t value) {
    return scalar(ScalarType::kI64, static_cast<uint64_t>(value));
  }
  static Datum active(Active* object);

  bool isScalar() const { return word_ < kFirstPointer || (word_ & kActiveBit) != 0; }
  // Null: not active.
  const Active* active() const;
  ScalarType type() const;  // of a scalar
  uint64_t bits() const { return bits_; }
  int64_t asI64() const { return static_cast<int64_t>(bits_); }
  Scalar asScalar() const { return {type(), bits_}; }

  Object& object() const { return *reinterpret_cast<Object*>(word_ & ~kActiveBit); }
  // The object as T, or null if it is none.
  template <typename T>
  T* asIf() const {
    return !isScalar() && object().kind() == T::kKind ? static_cast<T*>(&object()) : nullptr;
  }
  template <typename T>
  T& as() const {
    T* wanted = asIf<T>();
    HALO_CHECK(wanted != nullptr, "another kind of value was expected");
    return *wanted;
  }
  bool isOnlyReference() const { return object().references_ == 1; }

  void setScalar(ScalarType type, uint64_t bits) {
    release();
    word_ = static_cast<uintptr_t>(type);
    bits_ = bits;
  }
  void reset() {
    release();
    word_ = 0;
  }

 private:
  static constexpr uintptr_t kFirstPointer = 64;  // below: a ScalarType; no object lives there
  static constexpr uintptr_t kActiveBit = 1;      // objects begin at even addresses

  void retain() {
    if (word_ >= kFirstPointer) ++object().references_;
  }
  void release() {
    if (word_ >= kFirstPointer && --object().references_ == 0) delete &object();
  }
  void swap(Datum& other) noexcept {
    std::swap(word_, other.word_);
    std::swap(bits_, other.bits_);
  }

  uintptr_t word_ = 0;
  uint64_t bits_ = 0;
};

// A scalar that varies with an argument of an open derivative operator (active.h).
struct Active : Object {
  static constexpr Kind kKind = Kind::kActive;
  Active(uint32_t at, Datum value)
      : Object(kKind), type(value.type()), level(at), primal(std::move(value)) {}
  ScalarType type;
  uint32_t level;     // of the operator that made it active; inner operators have higher ones
  uint32_t node = 0;  // reverse: its place on the level's tape
  Datum primal;       // the value one level down: plain, or active at a lower level
  Datum tangent;      // forward: likewise
};

inline Datum Datum::active(Active* object) {
  Datum datum(object);
  datum.word_ |= kActiveBit;
  datum.bits_ = object->primal.bits_;
  return datum;
}
inline const Active* Datum::active() const {
  const bool is_active = word_ >= kFirstPointer && (word_ & kActiveBit) != 0;
  return is_active ? static_cast<const Active*>(&object()) : nullptr;
}
inline ScalarType Datum::type() const {
  return word_ < kFirstPointer ? static_cast<ScalarType>(word_) : active()->type;
}

// A tuple or record; the fields in the order of the type (tuples by position, records by name).
struct Record : Object {
  static constexpr Kind kKind = Kind::kRecord;
  explicit Record(std::vector<Datum> items) : Object(kKind), fields(std::move(items)) {}
  std::vector<Datum> fields;
};
inline Datum makeRecord(std::vector<Datum> fields) { return Datum(new Record(std::move(fields))); }

// `#foo 1 xs`. It knows its whole type, because an array of sums needs room for every constructor.
struct Sum : Object {
  static constexpr Kind kKind = Kind::kSum;
  Sum(Datum sum_type, size_t which, std::vector<Datum> items)
      : Object(kKind), type(std::move(sum_type)), constructor(which), payload(std::move(items)) {}
  Datum type;  // a RuntimeType
  size_t constructor;
  std::vector<Datum> payload;
};
inline Datum makeSum(Datum type, size_t constructor, std::vector<Datum> payload) {
  return Datum(new Sum(std::move(type), constructor, std::move(payload)));
}

// A type at run time: its sizes are numbers. Only needed where no value shows the shape, that is
// for the elements of an empty array and constructors that a sum is not. Functions are opaque.
struct RuntimeType : Object {
  static constexpr Kind kKind = Kind::kType;
  enum class Form { kScalar, kArray, kRecord, kSum, kFunction };
  explicit RuntimeType(Form f) : Object(kKind), form(f) {}
  Form form;
  ScalarType scalar = ScalarType::kI64;
  int64_t size = 0;            // kArray
  std::vector<Datum> parts;    // kArray: the element type; kRecord: the fields' types; kSum: all
                               // payloads' types, one constructor after the other
  std::vector<size_t> starts;  // kSum: where in `parts` each constructor begins, and the end
  const std::vector<std::string>* names = nullptr;  // of fields or constructors

  size_t constructors() const { return starts.size() - 1; }
};

}  // namespace halo::interp
