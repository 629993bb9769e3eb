/* A program outside of the tree, as its author would write it: C99, halo.h alone. Each function is
 * one promise of the header. usage: user FOLDER BACKEND; the folder has index.fut
 * and hotspot.fut. */
#define _POSIX_C_SOURCE 200809L
#include <halo/halo.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

static const char *backend = "cpu";
static int failures = 0;

#define EXPECT(condition)                                                    \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      failures++;                                                            \
    }                                                                        \
  } while (0)

static halo_context *make_context(void) {
  halo_options options;
  halo_context *context = NULL;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.backend = backend;
  if (halo_context_new(&options, &context, NULL) != HALO_OK) exit(1);
  return context;
}

static halo_program *load(halo_context *context, const char *text) {
  halo_program *program = NULL;
  halo_error *error = NULL;
  if (halo_load_text(context, "text.fut", text, strlen(text), &program, &error) != HALO_OK) {
    fputs(halo_error_text(error), stderr);
    exit(1);
  }
  return program;
}

static halo_value *i64(halo_context *context, int64_t number) {
  halo_value *value = NULL;
  EXPECT(halo_scalar(context, HALO_I64, &number, &value, NULL) == HALO_OK);
  return value;
}

static void matrices(void) {
  halo_context *context = make_context();
  halo_program *program =
      load(context, "entry mul [n][m][k] (a: [n][m]f32) (b: [m][k]f32): [n][k]f32 =\n"
                    "  map (\\row -> map (\\col -> f32.sum (map2 (*) row col)) (transpose b)) a\n");
  float a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {1, 0, 0, 1, 1, 1};
  int64_t shape_a[2] = {2, 3}, shape_b[2] = {3, 2};
  halo_value *in[2], *out[1];
  const void *data = NULL;
  size_t entry = 7;
  EXPECT(halo_entries(program) == 1 && halo_find_entry(program, "mul", &entry) && entry == 0);
  EXPECT(!halo_find_entry(program, "none", &entry));
  EXPECT(halo_inputs(program, 0) == 2 && halo_outputs(program, 0) == 1);
  EXPECT(strcmp(halo_input_name(program, 0, 0), "a") == 0);
  EXPECT(halo_type_rank(halo_input_type(program, 0, 0)) == 2);
  EXPECT(halo_type_scalar(halo_output_type(program, 0, 0)) == HALO_F32);
  EXPECT(halo_array_copy(context, HALO_F32, 2, shape_a, NULL, a, &in[0], NULL) == HALO_OK);
  EXPECT(halo_array_copy(context, HALO_F32, 2, shape_b, NULL, b, &in[1], NULL) == HALO_OK);
  EXPECT(halo_prepare(program, 0, NULL) == HALO_OK);
  EXPECT(halo_call(program, 0, in, 2, out, 1, NULL) == HALO_OK);
  halo_program_free(program);
  halo_context_free(context); /* the values live on */
  EXPECT(halo_data(out[0], &data, NULL) == HALO_OK);
  EXPECT(halo_shape(out[0])[0] == 2 && halo_shape(out[0])[1] == 2);
  EXPECT(((const float *)data)[0] == 4 && ((const float *)data)[3] == 11);
  halo_release(in[0]);
  halo_release(in[1]);
  halo_release(out[0]);
}

/* An example with two planes of numbers: pixels of its own test. */
static void chip(const char *folder) {
  halo_context *context = make_context();
  halo_program *program = NULL;
  char path[4096];
  int32_t steps = 2;
  float density[8] = {0, 0.5f, 0, 0, 0, 1, 0.25f, 0};
  int64_t shape[2] = {2, 4};
  halo_value *in[2], *out[1];
  const void *data = NULL;
  size_t picture = 0;
  snprintf(path, sizeof path, "%s/hotspot.fut", folder);
  EXPECT(halo_load_file(context, path, &program, NULL) == HALO_OK);
  EXPECT(halo_find_entry(program, "picture", &picture));
  EXPECT(halo_scalar(context, HALO_I32, &steps, &in[0], NULL) == HALO_OK);
  EXPECT(halo_array_copy(context, HALO_F32, 2, shape, NULL, density, &in[1], NULL) == HALO_OK);
  EXPECT(halo_call(program, picture, in, 2, out, 1, NULL) == HALO_OK);
  EXPECT(halo_data(out[0], &data, NULL) == HALO_OK && halo_shape(out[0])[1] == 4);
  EXPECT(((const uint32_t *)data)[1] == 4290591059u && ((const uint32_t *)data)[5] == 4294770596u);
  halo_release(in[0]);
  halo_release(in[1]);
  halo_release(out[0]);
  halo_program_free(program);
  halo_context_free(context);
}

static int given_back = 0;
static void give_back(void *user) {
  given_back++;
  free(user);
}

static void memory(void) {
  char *odd;
  halo_context *context = make_context();
  halo_program *program = load(context, "entry same (xs: []i32): []i32 = map (+ 0) xs\n"
                                        "entry sum [n][m] (xs: [n][m]i32): i32 = i32.sum (flatten xs)\n");
  int64_t shape[1] = {1000}, plane[2] = {2, 3}, columns[2] = {4, 8}, back[1] = {-4};
  size_t bytes = 1000 * sizeof(int32_t);
  int32_t *mine = malloc(bytes + 64);
  int32_t table[6] = {1, 4, 2, 5, 3, 6};
  halo_value *in[1], *out[1], *other;
  halo_statistics stats;
  const void *data;
  int32_t total = 0;
  int i;
  void *fill;
  for (i = 0; i < 1000; i++) mine[i] = i;
  stats.size = sizeof stats;
  EXPECT(halo_array_borrow(context, HALO_I32, 1, shape, NULL, mine, bytes + 64, give_back, mine,
                           &in[0], NULL) == HALO_OK);
  EXPECT(halo_data(in[0], &data, NULL) == HALO_OK && data == (const void *)mine);
  EXPECT(halo_call(program, 0, in, 1, out, 1, NULL) == HALO_OK);
  halo_stats(context, &stats);
  EXPECT(stats.copied_bytes == 0 && given_back == 0);
  EXPECT(halo_compare(in[0], out[0], 0) == NULL);
  halo_release(in[0]);
  halo_release(out[0]); /* which may share the memory */
  EXPECT(given_back == 1);
  /* By columns, and from the back: copied as it is read. */
  EXPECT(halo_array_copy(context, HALO_I32, 2, plane, columns, table, &in[0], NULL) == HALO_OK);
  EXPECT(halo_data(in[0], &data, NULL) == HALO_OK && ((const int32_t *)data)[1] == 2);
  EXPECT(halo_call(program, 1, in, 1, out, 1, NULL) == HALO_OK);
  EXPECT(halo_read(out[0], &total, sizeof total, NULL) == HALO_OK && total == 21);
  EXPECT(halo_read(out[0], &total, 8, NULL) == HALO_USAGE);
  halo_release(in[0]);
  halo_release(out[0]);
  shape[0] = 6;
  EXPECT(halo_array_copy(context, HALO_I32, 1, shape, back, table + 5, &in[0], NULL) == HALO_OK);
  EXPECT(halo_data(in[0], &data, NULL) == HALO_OK && ((const int32_t *)data)[0] == 6);
  halo_release(in[0]);
  /* Not aligned: copied, and given back at once. */
  odd = malloc(100);
  EXPECT(halo_array_borrow(context, HALO_I32, 1, shape, NULL, odd + 1, 25, NULL, NULL, &in[0],
                           NULL) == HALO_OK);
  halo_release(in[0]);
  free(odd);
  EXPECT(halo_array_uninit(context, HALO_I32, 1, shape, &fill, &in[0], NULL) == HALO_OK);
  memcpy(fill, table, sizeof table);
  EXPECT(halo_place(program, 0, in, 1, &other, NULL) == HALO_OK);
  EXPECT(halo_call(program, 0, &other, 1, out, 1, NULL) == HALO_OK);
  EXPECT(halo_compare(in[0], out[0], 0) == NULL);
  halo_release(in[0]);
  halo_release(other);
  halo_release(out[0]);
  shape[0] = 0;
  EXPECT(halo_array_copy(context, HALO_I32, 1, shape, NULL, NULL, &in[0], NULL) == HALO_OK);
  EXPECT(halo_call(program, 0, in, 1, out, 1, NULL) == HALO_OK && halo_shape(out[0])[0] == 0);
  EXPECT(halo_data(out[0], &data, NULL) == HALO_OK && data != NULL);
  halo_release(in[0]);
  halo_release(out[0]);
  EXPECT(halo_array_copy(context, HALO_I32, 1, NULL, NULL, table, &in[0], NULL) == HALO_USAGE);
  EXPECT(halo_array_uninit(context, HALO_I32, 1, NULL, &fill, &in[0], NULL) == HALO_USAGE);
  EXPECT(halo_array_borrow(context, HALO_I32, 1, NULL, NULL, table, 4, NULL, NULL, &in[0], NULL) ==
         HALO_USAGE);
  halo_program_free(program);
  halo_context_free(context);
}

static void structures(void) {
  halo_context *context = make_context();
  halo_program *program =
      load(context, "type shape = #circle f32 | #box {w: f32, h: f32}\n"
                    "entry area (s: shape): f32 =\n"
                    "  match s case #circle r -> r * r case #box b -> b.w * b.h\n"
                    "entry turn (s: {w: f32, h: f32}): ({w: f32, h: f32}, shape) =\n"
                    "  ({w = s.h, h = s.w}, #box s)\n");
  const char *names[2] = {"w", "h"};
  float w = 3, h = 4, area = 0;
  halo_value *fields[2], *in[1], *out[2], *part, *deep;
  char *text;
  size_t turn = 0, of = 0;
  EXPECT(halo_find_entry(program, "turn", &turn) && halo_find_entry(program, "area", &of));
  EXPECT(halo_type_kind(halo_input_type(program, turn, 0)) == HALO_RECORD);
  EXPECT(strcmp(halo_type_field_name(halo_input_type(program, turn, 0), 0), "h") == 0);
  EXPECT(halo_type_kind(halo_input_type(program, of, 0)) == HALO_SUM);
  EXPECT(halo_scalar(context, HALO_F32, &w, &fields[0], NULL) == HALO_OK);
  EXPECT(halo_scalar(context, HALO_F32, &h, &fields[1], NULL) == HALO_OK);
  EXPECT(halo_record(context, names, fields, 2, &in[0], NULL) == HALO_OK);
  EXPECT(halo_outputs(program, turn) == 2);
  EXPECT(halo_call(program, turn, in, 1, out, 2, NULL) == HALO_OK);
  text = halo_value_text(out[0], 1000);
  EXPECT(strcmp(text, "{h = 3.0, w = 4.0}") == 0);
  halo_text_free(text);
  EXPECT(strcmp(halo_constructor(out[1]), "box") == 0 && halo_fields(out[1]) == 1);
  part = halo_field(out[1], 0);
  deep = halo_field(part, 1);
  EXPECT(halo_read(deep, &area, sizeof area, NULL) == HALO_OK && area == 3);
  EXPECT(halo_field(part, 2) == NULL);
  halo_release(deep);
  halo_release(part);
  halo_release(in[0]);
  in[0] = out[1]; /* a sum goes in as it came out */
  halo_release(out[0]);
  EXPECT(halo_call(program, of, in, 1, out, 1, NULL) == HALO_OK);
  EXPECT(halo_read(out[0], &area, sizeof area, NULL) == HALO_OK && area == 12);
  halo_release(in[0]);
  halo_release(out[0]);
  EXPECT(halo_read_inputs(program, of, "#circle 5", 9, in, 1, NULL) == HALO_OK);
  EXPECT(halo_call(program, of, in, 1, out, 1, NULL) == HALO_OK);
  EXPECT(halo_read(out[0], &area, sizeof area, NULL) == HALO_OK && area == 25);
  halo_release(in[0]);
  halo_release(out[0]);
  halo_release(fields[0]);
  halo_release(fields[1]);
  halo_program_free(program);
  halo_context_free(context);
}

/* Prints the error of index.fut for the caller to compare with the command's. */
static void errors(const char *folder) {
  halo_context *context = make_context();
  halo_program *program = NULL;
  halo_error *error = NULL;
  halo_diagnostic first;
  halo_value *in[2], *out[1];
  char path[4096];
  int32_t xs[3] = {1, 2, 3};
  int64_t shape[1] = {3};
  double wrong = 1;
  snprintf(path, sizeof path, "%s/index.fut", folder);
  first.size = sizeof first;
  EXPECT(halo_load_file(context, path, &program, NULL) == HALO_OK);
  in[0] = i64(context, 5);
  EXPECT(halo_array_copy(context, HALO_I32, 1, shape, NULL, xs, &in[1], NULL) == HALO_OK);
  EXPECT(halo_call(program, 0, in, 2, out, 1, &error) == HALO_RUNTIME);
  printf("%s", halo_error_text(error));
  EXPECT(halo_error_count(error) == 1 && halo_error_at(error, 0, &first));
  EXPECT(strcmp(first.code, "H7001") == 0 && strcmp(first.file, path) == 0 && first.line == 1 &&
         first.column == 33 && first.end_column == 38);
  EXPECT(!halo_error_at(error, 1, &first));
  EXPECT(strstr(halo_error_json(error), "\"code\": \"H7001\"") != NULL);
  halo_error_free(error);
  EXPECT(halo_call(program, 0, in, 1, out, 1, NULL) == HALO_USAGE);
  EXPECT(halo_call(program, 0, in, 2, out, 0, NULL) == HALO_USAGE);
  EXPECT(halo_call(program, 3, in, 2, out, 1, NULL) == HALO_USAGE);
  halo_release(in[0]);
  EXPECT(halo_scalar(context, HALO_F64, &wrong, &in[0], NULL) == HALO_OK);
  EXPECT(halo_call(program, 0, in, 2, out, 1, &error) == HALO_USAGE);
  EXPECT(strstr(halo_error_text(error), "[H8004]") != NULL);
  halo_error_free(error);
  halo_release(in[0]);
  halo_release(in[1]);
  halo_program_free(program);
  EXPECT(halo_load_file(context, "/none.fut", &program, &error) == HALO_USAGE);
  halo_error_free(error);
  EXPECT(halo_load_text(context, "a.fut", "def x = y", 9, &program, &error) == HALO_REJECTED);
  EXPECT(strstr(halo_error_text(error), "unknown name `y`") != NULL);
  halo_error_free(error);
  halo_context_free(context);
}

/* A third of 1, and half of a denormal number. */
static void fractions(float found[2]) {
  halo_context *context = make_context();
  halo_program *program =
      load(context, "entry f (x: f32) (y: f32) (z: f32) = (x / y, z * 0.5)\n");
  float x = 1, y = 3, small = 1e-40f;
  halo_value *in[3], *out[2];
  int i;
  EXPECT(halo_scalar(context, HALO_F32, &x, &in[0], NULL) == HALO_OK);
  EXPECT(halo_scalar(context, HALO_F32, &y, &in[1], NULL) == HALO_OK);
  EXPECT(halo_scalar(context, HALO_F32, &small, &in[2], NULL) == HALO_OK);
  EXPECT(halo_call(program, 0, in, 3, out, 2, NULL) == HALO_OK);
  for (i = 0; i < 2; i++) {
    EXPECT(halo_read(out[i], &found[i], sizeof found[i], NULL) == HALO_OK);
    halo_release(out[i]);
  }
  for (i = 0; i < 3; i++) halo_release(in[i]);
  halo_program_free(program);
  halo_context_free(context);
}

/* Handlers of signals, the locale and the floating-point state stay the caller's; the last does not
 * change results. */
static void manners(void) {
  struct sigaction before[32], after;
  char *locale = strdup(setlocale(LC_ALL, NULL));
  float usual[2], odd[2];
  int number;
  for (number = 1; number < 32; number++) sigaction(number, NULL, &before[number]);
  fractions(usual);
#ifdef __SSE__
  {
    const unsigned was = _mm_getcsr(), downwards_without_denormals = 0x1f80 | 0x2000 | 0x8040;
    _mm_setcsr(downwards_without_denormals);
    fractions(odd);
    EXPECT(_mm_getcsr() == downwards_without_denormals);
    _mm_setcsr(was);
    EXPECT(memcmp(usual, odd, sizeof usual) == 0);
  }
#else
  (void)odd;
#endif
  EXPECT(usual[0] == 1.0f / 3 && usual[1] > 0);
  for (number = 1; number < 32; number++) {
    sigaction(number, NULL, &after);
    EXPECT(after.sa_handler == before[number].sa_handler);
  }
  EXPECT(strcmp(setlocale(LC_ALL, NULL), locale) == 0);
  free(locale);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double cancelled_at;
static void *cancel_soon(void *context) {
  struct timespec pause = {0, 300000000};
  nanosleep(&pause, NULL);
  cancelled_at = seconds();
  halo_cancel(context);
  return NULL;
}

static void cancelled(void) {
  halo_context *context = make_context();
  halo_program *program =
      load(context, "entry endless (n: i64): i64 = loop x = n while x >= 0 do (x + 1) % 1000\n");
  halo_value *in[1], *out[1];
  halo_error *error = NULL;
  pthread_t thread;
  double ended_at;
  in[0] = i64(context, 1);
  EXPECT(halo_prepare(program, 0, NULL) == HALO_OK);
  pthread_create(&thread, NULL, cancel_soon, context);
  EXPECT(halo_call(program, 0, in, 1, out, 1, &error) == HALO_RUNTIME);
  ended_at = seconds();
  pthread_join(thread, NULL);
  EXPECT(ended_at - cancelled_at < 30.0); /* it ends; 0.1 on an idle machine */
  EXPECT(strstr(halo_error_text(error), "[H7011]") != NULL);
  halo_error_free(error);
  halo_release(in[0]);
  halo_program_free(program);
  halo_context_free(context);
}

/* The first call compiles: what cancels it then ends it, too. */
static void cancelled_while_compiling(void) {
  enum { LINES = 400, LINE = 40 };
  halo_context *context = make_context();
  char *text = malloc((LINES + 4) * LINE), *end = text;
  halo_program *program;
  halo_value *in[1], *out[1];
  pthread_t thread;
  int i;
  end += sprintf(end, "entry endless (n: i64): i64 =\n  loop x = n while x >= 0 do\n");
  for (i = 0; i < LINES; i++) {
    end += sprintf(end, "    let x = (x * %d + n) %% %d\n", i + 3, 1000 + i);
  }
  sprintf(end, "    in x\n");
  program = load(context, text);
  free(text);
  in[0] = i64(context, 1);
  pthread_create(&thread, NULL, cancel_soon, context);
  EXPECT(halo_call(program, 0, in, 1, out, 1, NULL) == HALO_RUNTIME);
  pthread_join(thread, NULL);
  halo_release(in[0]);
  halo_program_free(program);
  halo_context_free(context);
}

struct job {
  halo_context *context;
  halo_program *program;
  int number;
};

static void *call_often(void *argument) {
  struct job *job = argument;
  int i;
  for (i = 0; i < 200; i++) {
    int64_t found = 0;
    halo_value *in = i64(job->context, job->number), *out = NULL;
    EXPECT(halo_call(job->program, 0, &in, 1, &out, 1, NULL) == HALO_OK);
    EXPECT(halo_read(out, &found, sizeof found, NULL) == HALO_OK);
    EXPECT(found == (int64_t)job->number * (job->number - 1) / 2);
    halo_release(in);
    halo_release(out);
  }
  return NULL;
}

static void threads(int contexts) {
  const char *text = "entry sum (n: i64): i64 = i64.sum (iota n)\n";
  halo_context *context[8];
  halo_program *program[8];
  pthread_t thread[8];
  struct job jobs[8];
  int i;
  for (i = 0; i < contexts; i++) {
    context[i] = make_context();
    program[i] = load(context[i], text);
  }
  for (i = 0; i < 8; i++) {
    jobs[i].context = context[i % contexts];
    jobs[i].program = program[i % contexts];
    jobs[i].number = 100 * i + 1;
    pthread_create(&thread[i], NULL, call_often, &jobs[i]);
  }
  for (i = 0; i < 8; i++) pthread_join(thread[i], NULL);
  for (i = 0; i < contexts; i++) {
    halo_program_free(program[i]);
    halo_context_free(context[i]);
  }
}

static long resident(void) {
  long pages = 0, total = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (fscanf(file, "%ld %ld", &total, &pages) != 2) pages = 0;
  fclose(file);
  return pages * 4; /* kB */
}

static void level(void) {
  halo_context *context = make_context();
  long before = 0;
  int i;
  for (i = 0; i < 300; i++) {
    halo_program *program = load(context, "entry f (x: i64): i64 = x + 1\n");
    halo_value *in = i64(context, i), *out = NULL;
    EXPECT(halo_call(program, 0, &in, 1, &out, 1, NULL) == HALO_OK);
    halo_release(in);
    halo_release(out);
    halo_program_free(program);
    if (i == 100) before = resident();
  }
  EXPECT(resident() - before < 16 * 1024);
  halo_context_free(context);
}

static void forked(void) {
  halo_context *context = make_context();
  halo_program *program = load(context, "entry f (x: i64): i64 = x + 1\n");
  halo_value *in = i64(context, 1), *out = NULL;
  int status = 0;
  pid_t child = fork();
  if (child == 0) _exit((int)halo_call(program, 0, &in, 1, &out, 1, NULL));
  waitpid(child, &status, 0);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == HALO_USAGE);
  EXPECT(halo_call(program, 0, &in, 1, &out, 1, NULL) == HALO_OK);
  halo_release(in);
  halo_release(out);
  halo_program_free(program);
  halo_context_free(context);
}

static atomic_int asking;

static void *ask_often(void *context) {
  halo_statistics statistics;
  while (asking) halo_stats(context, &statistics);
  return NULL;
}

/* Other threads are inside the library at the moment of the fork: the child finds no lock taken. */
static void forked_among_threads(void) {
  halo_context *context = make_context();
  pthread_t threads[3];
  asking = 1;
  for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, ask_often, context);
  for (int i = 0; i < 20; i++) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
      halo_value *value = NULL;
      int64_t one = 1;
      alarm(20); /* a lock that nobody opens ends the child by a signal */
      _exit((int)halo_scalar(context, HALO_I64, &one, &value, NULL));
    }
    waitpid(child, &status, 0);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == HALO_OK);
  }
  asking = 0;
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  halo_context_free(context);
}

static void old_caller(void) {
  halo_options options;
  halo_context *context = NULL;
  halo_error *error = NULL;
  memset(&options, 0x5a, sizeof options); /* what an older header does not have is not read */
  options.size = offsetof(halo_options, device);
  options.backend = "interp";
  EXPECT(halo_context_new(&options, &context, NULL) == HALO_OK);
  halo_context_free(context);
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.backend = "cuda";
  EXPECT(halo_context_new(&options, &context, &error) == HALO_USAGE);
  EXPECT(strstr(halo_error_text(error), "unknown backend `cuda`") != NULL);
  halo_error_free(error);
  EXPECT(halo_abi() == HALO_ABI);
}

/* NULL or no handle in use where a handle or a place for a result belongs is told by its name. */
#define EXPECT_USAGE(call, text)                                                                   \
  do {                                                                                             \
    halo_error *error = NULL;                                                                      \
    EXPECT((call) == HALO_USAGE);                                                                  \
    EXPECT(error != NULL && strstr(halo_error_text(error), text) != NULL);                         \
    halo_error_free(error);                                                                        \
  } while (0)
#define EXPECT_NULL(call, name) EXPECT_USAGE(call, "`" name "` is NULL")
#define EXPECT_FREED(call, name) EXPECT_USAGE(call, "`" name "` is no handle in use")

/* An older header, with which this file is compiled as well, does not have them. */
halo_status halo_copy(halo_value *, halo_value **, halo_error **);
const char *halo_type_constructor(const halo_type *, size_t);
const halo_type *halo_type_payload(const halo_type *, size_t, size_t);

static void null_handles(void) {
  const char *text = "def main (x: i64) (y: i64) = x + y";
  halo_options options = {.size = sizeof options, .backend = "interp"};
  const int64_t number = 1, shape[] = {1};
  halo_context *context = NULL;
  halo_program *program = NULL;
  halo_value *in[2] = {NULL, NULL}, *out = NULL;
  const void *data = NULL;
  EXPECT_NULL(halo_context_new(&options, NULL, &error), "out");
  EXPECT(halo_context_new(&options, &context, NULL) == HALO_OK);
  EXPECT_NULL(halo_load_text(NULL, "name", text, strlen(text), &program, &error), "context");
  EXPECT_NULL(halo_load_text(context, "name", NULL, 3, &program, &error), "text");
  EXPECT_NULL(halo_load_file(context, NULL, &program, &error), "path");
  EXPECT(halo_load_text(context, "name", text, strlen(text), &program, NULL) == HALO_OK);
  EXPECT_NULL(halo_scalar(NULL, HALO_I64, &number, &in[0], &error), "context");
  EXPECT_NULL(halo_scalar(context, HALO_I64, NULL, &in[0], &error), "bytes");
  EXPECT(halo_scalar(context, HALO_I64, &number, &in[0], NULL) == HALO_OK);
  EXPECT_NULL(halo_array_copy(NULL, HALO_I64, 1, shape, NULL, &number, &out, &error), "context");
  EXPECT_NULL(halo_prepare(NULL, 0, &error), "program");
  EXPECT_NULL(halo_call(NULL, 0, in, 2, &out, 1, &error), "program");
  EXPECT_NULL(halo_call(program, 0, in, 2, &out, 1, &error), "in[1]");
  EXPECT_NULL(halo_call(program, 0, NULL, 2, &out, 1, &error), "in");
  EXPECT_NULL(halo_tuple(context, in, 2, &out, &error), "fields[1]");
  EXPECT_NULL(halo_data(NULL, &data, &error), "value");
  EXPECT_NULL(halo_copy(in[0], NULL, &error), "out");
  EXPECT(halo_call(NULL, 0, in, 2, &out, 1, NULL) == HALO_USAGE);
  halo_release(NULL);
  halo_release(in[0]);
  halo_program_free(NULL);
  halo_program_free(program);
  halo_context_free(NULL);
  halo_context_free(context);
}

/* The memory behind a freed handle is not looked at, as a build with -fsanitize=address tells. */
static void freed_handles(void) {
  const char *text = "def main (x: i64) (y: i64) = x + y";
  const int64_t number = 1;
  halo_context *context = make_context(), *gone;
  halo_program *program = load(context, text), *none = NULL;
  halo_value *in[2] = {i64(context, 1), i64(context, 2)}, *out = NULL, *freed[2];
  halo_error *error = NULL;
  const void *data = NULL;
  size_t entry = 0;
  EXPECT_FREED(halo_load_text((halo_context *)in[0], "a", text, strlen(text), &none, &error),
               "context"); /* of another kind */
  freed[0] = in[0];
  freed[1] = in[1];
  halo_release(in[1]);
  EXPECT_FREED(halo_call(program, 0, freed, 2, &out, 1, &error), "in[1]");
  EXPECT_FREED(halo_read(in[1], &entry, sizeof entry, &error), "value");
  EXPECT_FREED(halo_data(in[1], &data, &error), "value");
  EXPECT_FREED(halo_tuple(context, freed, 2, &out, &error), "fields[1]");
  EXPECT(halo_retain(in[1]) == NULL && halo_fields(in[1]) == 0 && halo_shape(in[1]) == NULL);
  EXPECT(halo_type_of(in[1]) == NULL && halo_value_text(in[1], 9) == NULL);
  halo_release(in[1]); /* twice: nothing happens */
  EXPECT_NULL(halo_call(program, 0, in, 2, NULL, 1, &error), "out");
  halo_program_free(program);
  halo_program_free(program);
  EXPECT_FREED(halo_prepare(program, 0, &error), "program");
  EXPECT_FREED(halo_call(program, 0, freed, 2, &out, 1, &error), "program");
  EXPECT(halo_entries(program) == 0 && !halo_find_entry(program, "main", &entry));
  EXPECT(halo_entry_name(program, 0) == NULL && halo_input_type(program, 0, 0) == NULL);
  gone = context;
  halo_context_free(context);
  halo_context_free(context);
  EXPECT_FREED(halo_scalar(gone, HALO_I64, &number, &out, &error), "context");
  EXPECT(halo_load_text(gone, "a", text, strlen(text), &none, &error) == HALO_USAGE);
  halo_error_free(error);
  EXPECT(halo_error_text(error) == NULL && halo_error_count(error) == 0);
  halo_error_free(error);
  halo_release(in[0]); /* values outlive their context */
}

/* What no status could tell: numbers that no entry, field or type has. */
static void numbers_out_of_range(void) {
  halo_context *context = make_context();
  halo_program *program = load(context, "def main (x: {a: i64}) = x.a");
  const halo_type *type = halo_input_type(program, 0, 0);
  EXPECT(halo_entry_name(program, 1) == NULL && halo_entry_type(program, 9) == NULL);
  EXPECT(halo_inputs(program, 1) == 0 && halo_outputs(program, 1) == 0);
  EXPECT(halo_input_type(program, 0, 1) == NULL && halo_output_type(program, 0, 1) == NULL);
  EXPECT(halo_input_name(program, 0, 1) == NULL && halo_type_fields(NULL) == 0);
  EXPECT(halo_type_field(type, 1) == NULL && halo_type_field_name(type, 1) == NULL);
  EXPECT(halo_type_payload(type, 0, 0) == NULL && halo_type_constructor(type, 0) == NULL);
  EXPECT(halo_scalar_size((halo_scalar_type)77) == 0);
  halo_program_free(program);
  halo_context_free(context);
}

static void collect(void *user, bool is_error, const char *text, size_t bytes) {
  strncat(user, is_error ? "!" : "", 2);
  strncat(user, text, bytes);
}

static void session(void) {
  halo_session *session = NULL;
  char answer[1000] = "";
  EXPECT(halo_session_new(NULL, &session, NULL) == HALO_OK);
  EXPECT(halo_session_enter(session, "def f x = x + 1i64", 18, collect, answer) == HALO_OK);
  EXPECT(halo_session_enter(session, "f 41", 4, collect, answer) == HALO_OK);
  EXPECT(strstr(answer, "i64 = 42") != NULL);
  EXPECT(halo_session_enter(session, "g 1", 3, collect, answer) == HALO_RUNTIME);
  EXPECT(strstr(answer, "!error: unknown name `g`") != NULL);
  EXPECT(halo_session_incomplete(session, "let x = ", 8));
  EXPECT(!halo_session_incomplete(session, "1 + 1", 5));
  EXPECT(halo_session_enter(session, NULL, 3, collect, answer) == HALO_USAGE);
  EXPECT(halo_session_enter(session, "1", 1, NULL, answer) == HALO_USAGE);
  halo_session_free(session);
  halo_session_free(session);
  EXPECT(halo_session_enter(session, "1", 1, collect, answer) == HALO_USAGE);
  EXPECT(!halo_session_incomplete(session, "let x = ", 8));
}

int main(int argc, char **argv) {
  if (argc > 2) backend = argv[2];
  matrices();
  chip(argv[1]);
  manners();
  memory();
  structures();
  errors(argv[1]);
  cancelled();
  cancelled_while_compiling();
  threads(1);
  threads(8);
  level();
  forked();
  forked_among_threads();
  old_caller();
  null_handles();
  freed_handles();
  numbers_out_of_range();
  session();
  return failures == 0 ? 0 : 1;
}
