// The interpreter of the page under node, for tests:
//   node node.js PAGE run FILE [WORDS]     as `halo run`; pictures as a line with a sum
//   node node.js PAGE test FILE..          test blocks, one line for each file
//   node node.js PAGE enter TEXT
"use strict";

const crypto = require("crypto");
const fs = require("fs");
const path = require("path");
const zlib = require("zlib");

async function start(page) {
  const text = fs.readFileSync(path.join(page, "halo-wasm.js"), "utf8");
  const wasmBinary = zlib.gunzipSync(Buffer.from(text.match(/"(.*)"/)[1], "base64"));
  return require(path.join(page, "halo-web.js"))({ wasmBinary });
}

function main(halo, [command, ...words]) {
  const ask = (name, ...rest) =>
    JSON.parse(halo.ccall("halo_" + name, "string", rest.map(() => "string"), rest));
  // The folder of a file, under its own path; of the project's files, the project, for imports.
  const project = path.resolve(__dirname, "..");
  const mounted = new Set();
  const mount = (file) => {
    const own = path.dirname(path.resolve(file));
    const folder = (own + path.sep).startsWith(project + path.sep) ? project : own;
    if (!mounted.has(folder)) {
      if (!halo.FS.analyzePath(folder).exists) halo.FS.mkdirTree(folder);
      halo.FS.mount(halo.FS.filesystems.NODEFS, { root: folder }, folder);
      mounted.add(folder);
    }
    return path.resolve(file);
  };
  const show = (answer) => {
    process.stdout.write(answer.text);
    for (const { width, height, frames, at } of answer.pictures) {
      const bytes = halo.HEAPU8.slice(at, at + 4 * width * height * frames);
      const sum = crypto.createHash("sha256").update(bytes).digest("hex");
      console.log(`picture ${width}x${height} ${frames} ${sum}`);
    }
    process.stderr.write(answer.errors);
    return answer.ok;
  };
  if (command === "run") return show(ask("run", mount(words[0]), words[1] ?? ""));
  if (command === "enter") return show(ask("enter", words[0]));
  let ok = true;
  for (const file of words) {
    process.stdout.write(`${file}: `);
    ok = show(ask("test", mount(file))) && ok;
  }
  return ok;
}

start(path.resolve(process.argv[2])).then((halo) => {
  try {
    process.exitCode = main(halo, process.argv.slice(3)) ? 0 : 1;
  } catch (died) {
    if (!(died instanceof RangeError)) throw died;
    process.stderr.write("error: recursion is deeper than the stack of JavaScript [H7010]\n");
    process.exitCode = 1;
  }
});
