const { readFileSync, statSync } = require('node:fs');
const { join, sep } = require('node:path');
const { pathToFileURL } = require('node:url');
const { setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');
const { explainStacks } = require('./stacks.cjs');

// The daemon and each of its threads in one file, as scripts/bundle makes them: docs/adr/0012. This runs before all
// else, in the daemon and in threads, and is plain JavaScript for that.
const root = join(__dirname, '../..');
const directory = join(__dirname, 'dist');

// V8 doubles the space that new objects are made in until it has 32 MiB, a third of all that the daemon needs, and gives
// none of it back before a long rest. Most of what a request makes is gone with its answer: so the space stays as small
// as it begins, and is cleared more often, which takes less each time.
setFlagsFromString('--semi-space-growth-factor=1');

/** Whether there is a bundle that was made here, of the modules as they are now, by a Node like this one. */
function isCurrent() {
  let index;
  try {
    index = JSON.parse(readFileSync(join(directory, 'index.json'), 'utf8'));
  } catch {
    return false;
  }
  if (index.root !== root || index.node !== process.version || index.architecture !== process.arch) return false;
  return index.inputs.every(([file, size, changed]) => {
    const found = statSync(`${root}${sep}${file}`, { throwIfNoEntry: false });
    return found !== undefined && found.size === size && found.mtimeMs === changed;
  });
}

/** A bundle as a script, with the code that V8 made of it before, and what runs it and returns its exports. */
function compile(name, from = directory) {
  const filename = join(directory, `${name}.cjs`); // the code knows it
  const text = readFileSync(join(from, `${name}.cjs`), 'latin1');
  const script = new Script(text, { filename, cachedData: codeOf(join(from, name)) });
  const run = () => {
    const module = { exports: {} };
    script.runInThisContext()(module, require, pathToFileURL(`${root}${sep}`).href, (address) => import(address));
    return module.exports;
  };
  return { script, run };
}

function codeOf(path) {
  try {
    return readFileSync(`${path}.code`);
  } catch {
    return undefined; // V8 compiles it
  }
}

let leave = () => undefined;

/** Runs a bundle. @returns what its entry exports. */
function load(name) {
  leave = explainStacks(directory, root);
  return compile(name).run();
}

module.exports = { compile, directory, isCurrent, leave: () => leave(), load, root };
