// The worker's side: it owns the interpreter. The page makes it from the text of this function, so
// that it works for a page that was opened as a file, too.
"use strict";

function haloWorker() {
  let halo = null;

  const started = (module) => HaloModule({
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance));
      return {};
    },
  });

  // The pictures of an answer with their bytes: red, green, blue, opacity.
  function withBytes(answer) {
    for (const picture of answer.pictures) {
      const size = 4 * picture.width * picture.height * picture.frames;
      picture.bytes = halo.HEAPU8.slice(picture.at, picture.at + size);
    }
    return answer;
  }

  function ask(name, ...words) {
    const text = halo.ccall("halo_" + name, "string", words.map(() => "string"), words);
    return withBytes(JSON.parse(text));
  }

  const answers = {
    run: ({ program, words }) => {
      halo.FS.writeFile("program.fut", program);
      return ask("run", "program.fut", words);
    },
    load: ({ program }) => {
      halo.FS.writeFile("program.fut", program);
      return ask("enter", ":load program.fut");
    },
    enter: ({ text }) => ask("enter", text),
    format: ({ program }) => ask("format", program),
  };

  onmessage = async ({ data }) => {
    try {
      if (data.kind === "start") {
        halo = await started(data.module);
        postMessage({ id: data.id, answer: { ok: true } });
      } else {
        postMessage({ id: data.id, answer: answers[data.kind](data) });
      }
    } catch (error) {  // memory or the stack of the browser ran out: this instance is of no more use
      postMessage({ id: data.id, died: String(error) });
    }
  };
}
