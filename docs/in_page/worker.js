// Python in a worker. A frame without network access starts it (see page.js). It is not a module, because Chromium
// does not start module workers in such a frame.
//
// The worker receives {files, lock} and a port. On the port it receives {id, question} and sends {ready}, {tell},
// {printed}, {id, answer} and {broken}.

const LINES = 400; // maximum number of lines that a game may print, so that a loop does not flood the page

self.onmessage = ({ data, ports: [port] }) => {
  start(data, port).catch((error) => port.postMessage({ broken: String(error?.message ?? error) }));
};

async function start({ files, lock }, port) {
  // Pyodide assumes that a worker with importScripts cannot import modules, so replace it.
  self.importScripts = () => { throw new Error("there is no network here"); };
  const module = (name) => import(URL.createObjectURL(new Blob([files[name]], { type: "text/javascript" })));
  // All files that Pyodide fetches are here already. There is no network.
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
    env: { PYTHONDONTWRITEBYTECODE: "1" }, // two texts with the same second and length would share a .pyc file
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
      // Python itself has ended, for example because it ran out of memory or stack.
      port.postMessage({ broken: String(error?.message ?? error).split("\n").slice(-2).join(" ") });
    }
  };
  port.postMessage({ ready: true });
}
