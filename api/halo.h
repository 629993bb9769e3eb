/* libhalo: programs of Halo and Futhark called from other programs.
 *
 * A context runs programs; a program is loaded from a file or a text and has entries; an entry
 * takes values and gives values. Values are immutable and counted; they stay where they were made,
 * on a GPU too, until their bytes are asked for.
 *
 * Any thread may use any object. Calls on one context wait for each other, calls on several run
 * concurrently. The library installs no signal handler, prints nothing, changes neither locale nor
 * floating-point state, opens no device before it is asked to, and stays after `dlclose`. A failing
 * call returns a status and, where the caller passes a place for it, an error that the caller
 * frees. In a forked child, programs and calls of a parent's context answer HALO_USAGE (values on
 * the host may be made and read), as does a call that gets NULL for the place of its result, or as
 * a handle NULL, one of another kind or a freed one (unless a new handle has its address). A call
 * without a status answers 0, false or NULL then, and where a number is out of range. Two kinds of
 * calls want handles in use: halo_cancel and halo_session_cancel, which a signal handler may make,
 * and those on a halo_type, which lives as long as its program or value. */
#ifndef HALO_HALO_H
#define HALO_HALO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HALO_ABI 0
#if defined(__GNUC__)
#define HALO_API __attribute__((visibility("default")))
#else
#define HALO_API
#endif

typedef enum {
  HALO_OK = 0,
  HALO_RUNTIME = 1,     /* the call failed as the program can: an index, a division */
  HALO_REJECTED = 2,    /* the program is wrong */
  HALO_UNSUPPORTED = 3, /* this engine cannot run it, or there is no such device */
  HALO_USAGE = 64,      /* arguments, files and options of the caller */
  HALO_INTERNAL = 70    /* a fault of Halo */
} halo_status;          /* the exit status of the command */

/* In C++ an enumeration with a type of its own has all numbers of that type: whatever a caller
 * passes is a value, and is refused. */
#ifdef __cplusplus
typedef enum : int {
#else
typedef enum {
#endif
  HALO_I8,
  HALO_I16,
  HALO_I32,
  HALO_I64,
  HALO_U8,
  HALO_U16,
  HALO_U32,
  HALO_U64,
  HALO_F16,
  HALO_F32,
  HALO_F64,
  HALO_BOOL /* one byte, 0 or 1 */
} halo_scalar_type;

typedef enum {
  HALO_SCALAR, /* rank 0 */
  HALO_ARRAY,  /* of scalars */
  HALO_TUPLE,
  HALO_RECORD, /* fields in alphabetical order; an array of records is a record of arrays */
  HALO_SUM     /* or an array of sums */
} halo_kind;

typedef struct halo_context halo_context;
typedef struct halo_program halo_program;
typedef struct halo_value halo_value;
typedef struct halo_error halo_error;
typedef struct halo_type halo_type;

/* Zero means the default. `size` is sizeof: fields that an older caller does not know are zero. */
typedef struct {
  size_t size;
  const char* backend;  /* interp, cpu, gpu, auto */
  const char* device;   /* part of the name of a Vulkan device */
  const char* fp;       /* default, strict, fast */
  int threads;          /* of the cpu engine */
  bool is_unsafe;       /* `#[unsafe]` drops checks */
  uint64_t host_budget; /* bytes that arrays of the whole process may take */
  void (*log)(void* user, const char* line);
  void* log_user;
} halo_options;

HALO_API uint32_t halo_abi(void); /* HALO_ABI of the library in use */
HALO_API const char* halo_version(void);
HALO_API halo_status halo_context_new(const halo_options*, halo_context**, halo_error**);
/* Programs and values of a context may be used and freed after it. */
HALO_API void halo_context_free(halo_context*);
/* From any thread or signal handler: the call in flight ends with H7011. */
HALO_API void halo_cancel(halo_context*);

/* ---- programs */

HALO_API halo_status halo_load_file(halo_context*, const char* path, halo_program**, halo_error**);
/* `name` is shown in errors; imports are relative to its folder. */
HALO_API halo_status halo_load_text(halo_context*, const char* name, const char* text, size_t bytes,
                                    halo_program**, halo_error**);
HALO_API void halo_program_free(halo_program*);
HALO_API size_t halo_entries(const halo_program*);
HALO_API const char* halo_entry_name(const halo_program*, size_t entry);
HALO_API const char* halo_entry_type(const halo_program*,
                                     size_t entry); /* as `halo repl` shows it */
HALO_API const char* halo_entry_doc(const halo_program*, size_t entry);
HALO_API bool halo_find_entry(const halo_program*, const char* name, size_t* entry);
HALO_API size_t halo_inputs(const halo_program*, size_t entry);
HALO_API size_t halo_outputs(const halo_program*, size_t entry);
/* Types belong to the program or value that they are asked of. */
HALO_API const char* halo_input_name(const halo_program*, size_t entry, size_t i); /* may be "" */
HALO_API const halo_type* halo_input_type(const halo_program*, size_t entry, size_t i);
HALO_API const halo_type* halo_output_type(const halo_program*, size_t entry, size_t i);

/* Compiles now instead of at the first call. */
HALO_API halo_status halo_prepare(halo_program*, size_t entry, halo_error**);
/* Arguments are borrowed and never overwritten; every result is a new reference. */
HALO_API halo_status halo_call(halo_program*, size_t entry, halo_value* const* in, size_t inputs,
                               halo_value** out, size_t outputs, halo_error**);
/* The same values in the memory that calls of the entry read: a call with them copies nothing. */
HALO_API halo_status halo_place(halo_program*, size_t entry, halo_value* const* in, size_t inputs,
                                halo_value** out, halo_error**);
/* Arguments from text, as `halo run` reads them. */
HALO_API halo_status halo_read_inputs(halo_program*, size_t entry, const char* text, size_t bytes,
                                      halo_value** in, size_t inputs, halo_error**);

/* ---- types */

HALO_API halo_kind halo_type_kind(const halo_type*);
HALO_API int halo_type_rank(const halo_type*);
HALO_API halo_scalar_type halo_type_scalar(const halo_type*); /* of scalars and arrays */
HALO_API const char* halo_type_text(const halo_type*);
HALO_API size_t halo_type_fields(const halo_type*); /* of tuples and records */
HALO_API const halo_type* halo_type_field(const halo_type*, size_t i);
HALO_API const char* halo_type_field_name(const halo_type*, size_t i);
/* Of sums, in alphabetical order; `rank` dimensions of an array stand around the payload. */
HALO_API size_t halo_type_constructors(const halo_type*);
HALO_API const char* halo_type_constructor(const halo_type*, size_t i);
HALO_API size_t halo_type_payloads(const halo_type*, size_t constructor);
HALO_API const halo_type* halo_type_payload(const halo_type*, size_t constructor, size_t i);
HALO_API size_t halo_scalar_size(halo_scalar_type);

/* ---- values */

HALO_API halo_status halo_scalar(halo_context*, halo_scalar_type, const void*, halo_value**,
                                 halo_error**);
/* Strides count bytes and may be negative; none: dense, the last axis first. */
HALO_API halo_status halo_array_copy(halo_context*, halo_scalar_type, int rank,
                                     const int64_t* shape, const int64_t* strides, const void*,
                                     halo_value**, halo_error**);
/* Uses the memory in place, until `release` is called with `user`: it must not change before.
 * Engines read up to 64 bytes behind an array; `readable` counts the bytes from the first element
 * on that may be read. Memory whose end would have them read an unknown page is copied, and so is
 * memory that is not dense or not aligned to its elements; `release` is called at once then. */
HALO_API halo_status halo_array_borrow(halo_context*, halo_scalar_type, int rank,
                                       const int64_t* shape, const int64_t* strides, const void*,
                                       size_t readable, void (*release)(void*), void* user,
                                       halo_value**, halo_error**);
/* Memory of Halo's own, to be filled before the value is used. */
HALO_API halo_status halo_array_uninit(halo_context*, halo_scalar_type, int rank,
                                       const int64_t* shape, void** data, halo_value**,
                                       halo_error**);
HALO_API halo_status halo_tuple(halo_context*, halo_value* const* fields, size_t, halo_value**,
                                halo_error**);
HALO_API halo_status halo_record(halo_context*, const char* const* names, halo_value* const* fields,
                                 size_t, halo_value**, halo_error**);
/* A single sum of the type, as of an input; HALO_USAGE names what the constructor takes. */
HALO_API halo_status halo_sum(halo_context*, const halo_type*, const char* constructor,
                              halo_value* const* payload, size_t, halo_value**, halo_error**);

/* The same value without memory of the caller's: what borrowed arrays held is copied. */
HALO_API halo_status halo_copy(halo_value*, halo_value**, halo_error**);

/* The dense host memory of a scalar or array; fetched once and kept as long as the value. */
HALO_API halo_status halo_data(halo_value*, const void**, halo_error**);
HALO_API halo_status halo_read(halo_value*, void* to, size_t bytes, halo_error**);
HALO_API bool halo_on_host(const halo_value*);
HALO_API const halo_type* halo_type_of(halo_value*);
HALO_API const int64_t* halo_shape(const halo_value*); /* of arrays; rank numbers */
HALO_API size_t halo_fields(const halo_value*);        /* of tuples, records, single sums */
HALO_API halo_value* halo_field(halo_value*, size_t);  /* a new reference; of a sum its payload */
HALO_API const char* halo_constructor(halo_value*);    /* of a single sum on the host */
HALO_API halo_value* halo_retain(halo_value*);
HALO_API void halo_release(halo_value*);
/* As the session shows it, at most about `limit` bytes; free it with halo_text_free. */
HALO_API char* halo_value_text(halo_value*, size_t limit);
/* The first difference as `halo test` words it, none: equal. Tolerance 0: to the bit. */
HALO_API char* halo_compare(halo_value* wanted, halo_value* found, double tolerance);
HALO_API void halo_text_free(char*);

/* ---- errors and measurements */

typedef struct {
  size_t size; /* sizeof, set by the caller */
  const char *code, *message;
  const char* file; /* none: the diagnostic has no place, and the rest is 0 */
  uint32_t line, column, end_line, end_column; /* from 1; columns count code points */
  bool is_warning;
} halo_diagnostic;

HALO_API const char* halo_error_text(const halo_error*); /* as the command prints it */
HALO_API const char* halo_error_json(const halo_error*); /* one object a line */
HALO_API size_t halo_error_count(const halo_error*);
HALO_API bool halo_error_at(const halo_error*, size_t i, halo_diagnostic*);
HALO_API void halo_error_free(halo_error*);

typedef struct {
  size_t size;                                       /* sizeof, set by the caller */
  double compile_ms, transfer_ms, run_ms, device_ms; /* of the last call */
  uint64_t copied_bytes; /* of arrays taken from the caller, since the context began */
} halo_statistics;
HALO_API void halo_stats(halo_context*, halo_statistics*);

/* ---- a session: lines as `halo repl` takes them, from a notebook or an editor */

typedef struct halo_session halo_session;
HALO_API halo_status halo_session_new(const halo_options*, halo_session**, halo_error**);
HALO_API void halo_session_free(halo_session*);
/* Calls `write` with the answer; HALO_RUNTIME if an input failed. */
HALO_API halo_status halo_session_enter(halo_session*, const char* text, size_t bytes,
                                        void (*write)(void* user, bool is_error, const char*,
                                                      size_t),
                                        void* user);
HALO_API bool halo_session_incomplete(halo_session*, const char* text, size_t bytes);
HALO_API void halo_session_cancel(halo_session*);
/* From now on pictures of `:img` and plots are no text: `show` gets the bytes of a PNG, which is
 * animated where there are several. */
HALO_API void halo_session_show(halo_session*,
                                void (*show)(void* user, const char* mime, const char* bytes,
                                             size_t),
                                void* user);
/* From now on plots of lines are SVG: `show` gets its text, not a picture of them. */
HALO_API void halo_session_show_plots(halo_session*,
                                      void (*show)(void* user, const char* mime, const char* bytes,
                                                   size_t),
                                      void* user);
/* How far the outermost counted loop of the process's running call is, from 0 to 1; -1: unknown.
 * From any thread. */
HALO_API double halo_progress(void);
/* Calls `add` with each completion of the word before the byte `cursor`; returns where it begins.
 */
HALO_API size_t halo_session_complete(halo_session*, const char* text, size_t bytes, size_t cursor,
                                      void (*add)(void* user, const char* candidate), void* user);

#ifdef __cplusplus
}
#endif

#endif
