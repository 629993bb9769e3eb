// The page: a worker with the interpreter, the inputs of its session, and the elements.
// A worker that is stopped is replaced by a new one, which enters the same again.
"use strict";

const at = (id) => document.getElementById(id);

// ---- the worker

class Interpreter {
  async start() {
    this.module ??= Interpreter.compile();
    const source = `var _scriptDir = "";\nvar HaloModule = ${HaloModule};\n(${haloWorker})();`;
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.waiting = new Map();
    this.worker.onmessage = ({ data }) => this.receive(data);
    await this.send({ kind: "start", module: await this.module });
  }

  static async compile() {
    const packed = Uint8Array.from(atob(HALO_WASM), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
  }

  send(message) {
    const id = (this.count = (this.count ?? 0) + 1);
    const promise = new Promise((resolve) => this.waiting.set(id, resolve));
    this.worker.postMessage({ id, ...message });
    return promise;
  }

  receive({ id, answer, died }) {
    const resolve = this.waiting.get(id);
    this.waiting.delete(id);
    if (died === undefined) return resolve(answer);
    const text = /stack/i.test(died)
      ? "recursion is deeper than the stack of the browser [H7010]" : died;
    this.restart();
    resolve({ ok: false, text: "", errors: `error: ${text}\n`, pictures: [] });
  }

  // Questions in flight are answered; earlier inputs are entered again.
  restart() {
    this.worker.terminate();
    for (const resolve of this.waiting.values()) {
      resolve({ ok: false, text: "", errors: "stopped\n", pictures: [] });
    }
    this.ready = this.start().then(async () => {
      for (const message of this.entered ?? []) await this.send(message);
    });
  }

  async ask(message) {
    await this.ready;
    const answer = await this.send(message);
    if (message.kind === "load") this.entered = [];
    const changes = message.kind === "load" || message.kind === "enter";
    if (changes && answer.ok) this.entered.push(message);
    return answer;
  }
}

const interpreter = new Interpreter();
interpreter.entered = [];
interpreter.ready = interpreter.start();

// ---- output

function say(text, kind) {
  if (!text) return;
  const span = document.createElement("span");
  span.className = kind;
  span.textContent = text;
  at("output").append(span);
  at("output").scrollTop = at("output").scrollHeight;
}

function draw({ width, height, frames, bytes }) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  at("output").append(canvas);
  const context = canvas.getContext("2d");
  const size = 4 * width * height;
  let frame = 0;
  const show = () => {
    const part = new Uint8ClampedArray(bytes.buffer, bytes.byteOffset + size * frame, size);
    context.putImageData(new ImageData(part, width, height), 0, 0);
    frame = (frame + 1) % frames;
    if (frames > 1 && canvas.isConnected) setTimeout(show, 40);
  };
  show();
}

function show(answer) {
  say(answer.text, "text");
  answer.pictures.forEach(draw);
  say(answer.errors, "errors");
}

// ---- the buttons

let loaded = null;  // the text that the session has

async function busy(work) {
  at("stop").disabled = false;
  at("state").textContent = "running";
  const begin = performance.now();
  const answer = await work();
  at("stop").disabled = true;
  at("state").textContent = `${((performance.now() - begin) / 1000).toFixed(2)} s`;
  return answer;
}

// Lines `-- > e` are entered into a session with the program, as `halo literate` does; else the
// entry is called.
async function run() {
  const program = at("program").value;
  at("output").replaceChildren();
  const lines = program.split("\n").filter((line) => line.startsWith("-- > "));
  if (lines.length === 0) {
    const words = at("arguments").value;
    const answer = await busy(() => interpreter.ask({ kind: "run", program, words }));
    show(answer);
    return answer;
  }
  let answer = await load(program);
  for (const line of lines) {
    if (!answer.ok) break;
    answer = await enter(line.slice(5).replace(/;\s*$/, ""));
  }
  return answer;
}

async function load(program) {
  const answer = await busy(() => interpreter.ask({ kind: "load", program }));
  loaded = answer.ok ? program : null;
  if (!answer.ok) show(answer);
  return answer;
}

async function enter(text) {
  say(`> ${text}\n`, "input");
  const answer = await busy(() => interpreter.ask({ kind: "enter", text }));
  show(answer);
  return answer;
}

async function enterLine() {
  const text = at("line").value;
  at("line").value = "";
  const program = at("program").value;
  if (program !== loaded && !(await load(program)).ok) return;
  await enter(text);
}

async function format() {
  const program = at("program").value;
  const answer = await interpreter.ask({ kind: "format", program });
  if (answer.ok) at("program").value = answer.text;
  show({ ...answer, text: "" });
}

// ---- links: the program and its arguments, deflated, behind the `#`

async function through(stream, bytes) {
  const response = new Response(new Blob([bytes]).stream().pipeThrough(stream));
  return new Uint8Array(await response.arrayBuffer());
}

async function linkOf(program, words) {
  const text = new TextEncoder().encode(JSON.stringify([program, words]));
  const packed = await through(new CompressionStream("deflate-raw"), text);
  const code = btoa(String.fromCharCode(...packed)).replace(/\+/g, "-").replace(/\//g, "_");
  return `${location.href.split("#")[0]}#${code.replace(/=+$/, "")}`;
}

async function fromLink(code) {
  try {
    const text = atob(code.replace(/-/g, "+").replace(/_/g, "/"));
    const packed = Uint8Array.from(text, (c) => c.charCodeAt(0));
    const bytes = await through(new DecompressionStream("deflate-raw"), packed);
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    say("error: this link is damaged\n", "errors");
    return null;
  }
}

async function link() {
  const address = await linkOf(at("program").value, at("arguments").value);
  history.replaceState(null, "", address);
  await navigator.clipboard?.writeText(address).catch(() => {});
  at("state").textContent = "the address holds the program";
}

// ---- start

function choose(name) {
  at("program").value = HALO_EXAMPLES[name].program;
  at("arguments").value = HALO_EXAMPLES[name].arguments;
  at("output").replaceChildren();
}

async function begin() {
  for (const name of Object.keys(HALO_EXAMPLES)) at("examples").append(new Option(name, name));
  at("examples").onchange = () => choose(at("examples").value);
  at("run").onclick = run;
  at("stop").onclick = () => interpreter.restart();
  at("format").onclick = format;
  at("link").onclick = link;
  at("line").onkeydown = (event) => event.key === "Enter" && enterLine();
  at("program").onkeydown = (event) => {
    if (event.key === "Enter" && event.ctrlKey) run();
    if (event.key !== "Tab") return;
    event.preventDefault();
    at("program").setRangeText("  ", at("program").selectionStart, at("program").selectionEnd, "end");
  };
  const given = location.hash.length > 1 ? await fromLink(location.hash.slice(1)) : null;
  if (given) {
    [at("program").value, at("arguments").value] = given;
  } else {
    choose(Object.keys(HALO_EXAMPLES)[0]);
  }
  await interpreter.ready;
  at("state").textContent = "ready";
}

const isReady = begin();
