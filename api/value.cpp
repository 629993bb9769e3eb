// Values: making them, looking at them. Elements fetched from a device, or made dense, are kept
// next to the value for its lifetime.
#include <cstring>

#include "api/objects.h"
#include "cli/repl/show.h"

namespace halo::api {
namespace {

using value::Value;

bool isOnHost(const Value& value) {
  for (const Value& leaf : value::flatten(value)) {
    if (leaf.array() != nullptr && !leaf.array()->onHost()) return false;
  }
  return true;
}

// The same on the host and dense; the caller holds the value's lock.
diag::Result<const Value*> hostOf(halo_value& value) {
  if (!value.host) {
    auto host = value::toHost(value.value);
    if (!host) return diag::Failure(host.error());
    value.host = std::move(*host);
  }
  return &*value.host;
}

halo_status bytesOf(halo_value& value, const void** data, size_t* size, halo_error** error) {
  const std::lock_guard lock(value.mutex);
  auto host = hostOf(value);
  if (!host) return fail(error, host.error());
  if (const prim::Scalar* scalar = (*host)->scalar()) {
    *data = &scalar->bits;  // little-endian: the value's own bytes come first
    *size = static_cast<size_t>(prim::byteSize(scalar->type));
    return HALO_OK;
  }
  const value::Array* array = (*host)->array();
  if (array == nullptr) return misuse(error, "only scalars and arrays have bytes: take a field");
  static constexpr uint64_t kNothing = 0;
  *size = static_cast<size_t>(array->elements() * prim::byteSize(array->type()));
  *data = *size == 0 ? static_cast<const void*>(&kNothing) : array->data();
  return HALO_OK;
}

// Of a single sum: found out once.
void readSum(halo_value& value) {
  if (!value.constructor.empty()) return;
  auto host = hostOf(value);
  const value::Sum* sum = host ? (*host)->sum() : nullptr;
  if (sum == nullptr || sum->rank > 0) return;
  value.constructor = sum->form->constructors[sum->constructor()];
  value.payload = sum->payload();
}

repl::Layout layoutOf(const Value& value) {
  repl::Layout layout;
  if (const value::Record* record = value.record()) {
    for (const Value& field : record->fields) layout.fields.push_back(layoutOf(field));
  }
  return layout;
}

halo_status group(halo_context* context, value::Record record, halo_value** out) {
  *out = newValue(context->state, Value(std::move(record)));
  return HALO_OK;
}

// In memory of its own; a device's always is.
diag::Result<value::Array> ownArray(const value::Array& array) {
  if (!array.onHost()) return array;
  auto dense = value::toDense(array);
  if (!dense) return dense;
  auto copy = value::makeArray(dense->type(), dense->shape());
  if (!copy) return copy;
  const int64_t bytes = dense->elements() * prim::byteSize(dense->type());
  if (bytes > 0) std::memcpy(copy->data(), dense->data(), static_cast<size_t>(bytes));
  return copy;
}

char* textOf(const std::string& text) {
  auto* copy = new char[text.size() + 1];
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

}  // namespace

halo_value* newValue(const ContextRef& context, Value value) {
  auto* made = new halo_value;
  made->context = context;
  made->value = std::move(value);
  return made;
}

}  // namespace halo::api

using namespace halo::api;
namespace value = halo::value;

extern "C" {

halo_status halo_scalar(halo_context* context, halo_scalar_type type, const void* bytes,
                        halo_value** out, halo_error** error) {
  return guarded(error, {{"context", context}, {"bytes", bytes}, {"out", out}}, [&] {
    if (type < HALO_I8 || type > HALO_BOOL) return misuse(error, "this is no scalar type");
    value::Scalar scalar{static_cast<halo::prim::ScalarType>(type), 0};
    std::memcpy(&scalar.bits, bytes, halo_scalar_size(type));
    if (type == HALO_BOOL) scalar.bits = scalar.bits != 0 ? 1 : 0;
    *out = newValue(context->state, scalar);
    return HALO_OK;
  });
}

halo_status halo_tuple(halo_context* context, halo_value* const* fields, size_t count,
                       halo_value** out, halo_error** error) {
  return guarded(error, {{"context", context}, {"out", out}}, [&] {
    const halo_status status = neededAll("fields", fields, count, error);
    if (status != HALO_OK) return status;
    std::vector<value::Value> values;
    for (size_t i = 0; i < count; ++i) values.push_back(fields[i]->value);
    *out = newValue(context->state, value::makeTuple(std::move(values)));
    return HALO_OK;
  });
}

halo_status halo_record(halo_context* context, const char* const* names, halo_value* const* fields,
                        size_t count, halo_value** out, halo_error** error) {
  return guarded(error, {{"context", context}, {"out", out}}, [&] {
    const halo_status status = neededAll("fields", fields, count, error);
    if (status != HALO_OK) return status;
    std::map<std::string, const value::Value*> sorted;
    for (size_t i = 0; i < count; ++i) {
      if (names == nullptr || names[i] == nullptr) return misuse(error, "a field has no name");
    }
    for (size_t i = 0; i < count; ++i) sorted[names[i]] = &fields[i]->value;
    if (sorted.size() != count) return misuse(error, "two fields of a record have one name");
    value::Record record;
    for (const auto& [name, field] : sorted) {
      record.names.push_back(name);
      record.fields.push_back(*field);
    }
    return group(context, std::move(record), out);
  });
}

halo_status halo_copy(halo_value* value, halo_value** out, halo_error** error) {
  return guarded(error, {{"value", value}, {"out", out}}, [&] {
    auto copy = value::withArrays(value->value, ownArray);
    if (!copy) return fail(error, copy.error());
    *out = newValue(value->context, std::move(*copy));
    return HALO_OK;
  });
}

halo_status halo_data(halo_value* value, const void** data, halo_error** error) {
  return guarded(error, {{"value", value}, {"data", data}}, [&] {
    size_t size = 0;
    return bytesOf(*value, data, &size, error);
  });
}

halo_status halo_read(halo_value* value, void* to, size_t bytes, halo_error** error) {
  return guarded(error, {{"value", value}, {"to", to}}, [&] {
    const void* data = nullptr;
    size_t size = 0;
    const halo_status status = bytesOf(*value, &data, &size, error);
    if (status != HALO_OK) return status;
    if (size != bytes) {
      return misuse(error, "the value has " + std::to_string(size) + " bytes, there is room for " +
                               std::to_string(bytes));
    }
    std::memcpy(to, data, size);
    return HALO_OK;
  });
}

bool halo_on_host(const halo_value* value) { return isInUse(value) && isOnHost(value->value); }

const halo_type* halo_type_of(halo_value* value) {
  if (!isInUse(value)) return nullptr;
  const std::lock_guard lock(value->mutex);
  if (value->type == nullptr) value->type = std::make_unique<halo_type>(typeOf(value->value));
  return value->type.get();
}

const int64_t* halo_shape(const halo_value* value) {
  if (!isInUse(value)) return nullptr;
  const value::Array* array = value->value.array();
  return array == nullptr ? nullptr : array->shape().data();
}

size_t halo_fields(const halo_value* value) {
  if (!isInUse(value)) return 0;
  if (const value::Record* record = value->value.record()) return record->fields.size();
  if (value->value.sum() == nullptr) return 0;
  auto& sum = const_cast<halo_value&>(*value);  // a finding is no part of the value
  const std::lock_guard lock(sum.mutex);
  readSum(sum);
  return sum.payload.size();
}

halo_value* halo_field(halo_value* value, size_t i) {
  if (i >= halo_fields(value)) return nullptr;
  const value::Record* record = value->value.record();
  return orNothing([&] {
    return newValue(value->context, record != nullptr ? record->fields[i] : value->payload[i]);
  });
}

const char* halo_constructor(halo_value* value) {
  if (!isInUse(value)) return nullptr;
  const std::lock_guard lock(value->mutex);
  readSum(*value);
  return value->constructor.empty() ? nullptr : value->constructor.c_str();
}

halo_value* halo_retain(halo_value* value) {
  if (!isInUse(value)) return nullptr;
  value->references.fetch_add(1, std::memory_order_relaxed);
  return value;
}

void halo_release(halo_value* value) {
  if (!isInUse(value) || value->references.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
  delete value;
}

char* halo_value_text(halo_value* value, size_t limit) {
  if (!isInUse(value)) return nullptr;
  return orNothing([&] {
    halo::repl::ShowOptions options;
    options.limit = static_cast<int64_t>(limit / 8 + 1);
    auto text = halo::repl::show(value->value, layoutOf(value->value), options);
    return textOf(text ? *text : text.error().message);
  });
}

char* halo_compare(halo_value* wanted, halo_value* found, double tolerance) {
  return orNothing([&]() -> char* {
    if (!isInUse(wanted) || !isInUse(found)) return textOf("a handle that is not in use");
    auto want = value::toHost(wanted->value);
    auto got = value::toHost(found->value);
    if (!want || !got) return textOf((want ? got : want).error().message);
    value::Tolerance allowed;
    if (tolerance > 0) allowed = {value::Tolerance::Kind::kRelative, tolerance};
    const auto difference = value::firstDifference(*want, *got, allowed);
    return difference ? textOf(*difference) : nullptr;
  });
}

void halo_text_free(char* text) { delete[] text; }

}  // extern "C"
