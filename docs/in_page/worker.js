// Python in a worker, started in a frame that may reach nothing (page.js says how). It is no module: Chromium
// starts none in such a frame.
//
// It is sent {files, lock} and a port; on that port it hears {id, question} and says {ready}, {tell},
// {printed}, {id, answer} and {broken}.

const LINES = 400; // of what a game prints; a loop that prints would bury the page

self.onmessage = ({ data, ports: [port] }) => {
  start(data, port).catch((error) => port.postMessage({ broken: String(error?.message ?? error) }));
};

async function start({ files, lock }, port) {
  // Pyodide takes a worker that can import scripts for one that cannot import modules.
  self.importScripts = () => { throw new Error("there is no network here"); };
  const module = (name) => import(URL.createObjectURL(new Blob([files[name]], { type: "text/javascript" })));
  // What Pyodide would fetch is here already; nothing else can be had.
  self.fetch = async (address) => {
    const name = String(address).split("/").at(-1);
    if (!files[name]) throw new Error(`there is no network here: ${address}`);
    return new Response(files[name], { headers: { "content-type": name.endsWith(".wasm") ? "application/wasm" : "" } });
  };
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([module("pyodide.mjs"), module("pyodide.asm.mjs")]);
  let printed = 0;
  const print = (line) => {
    printed += 1;
    if (printed < LINES) port.postMessage({ printed: line.slice(0, 2000) });
    else if (printed === LINES) port.postMessage({ printed: "... and more" });
  };
  const nowhere = "https://files.invalid/";
  const python = await loadPyodide({
    indexURL: nowhere, packageBaseUrl: nowhere, createPyodideModule, lockFileContents: lock, stdout: print, stderr: print,
    env: { PYTHONDONTWRITEBYTECODE: "1" }, // two texts of one second and one length would share it
  });
  const places = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(files["packages.zip"], "zip", { extractDir: places });
  const driver = python.pyimport("tabletop_in_page");
  const tell = (words) => port.postMessage({ tell: words });
  port.onmessage = ({ data: { id, question } }) => {
    printed = 0;
    try {
      port.postMessage({ id, answer: JSON.parse(driver.answer(JSON.stringify(question), tell)) });
    } catch (error) {
      // Only where Python itself has ended: out of memory, or of its stack.
      port.postMessage({ broken: String(error?.message ?? error).split("\n").slice(-2).join(" ") });
    }
  };
  port.postMessage({ ready: true });
}
