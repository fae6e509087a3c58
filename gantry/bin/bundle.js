const { existsSync, readFileSync, statSync } = require('node:fs');
const nodeModule = require('node:module');
const { join } = require('node:path');
const { recordCode, useRecordedCode } = require('./code-cache.js');

const root = join(__dirname, '../..');

/** Where the bundled daemon is: docs/adr/0012. */
const directory = join(__dirname, '../bundle/dist');

/** Native addons, which find their binaries beside themselves: the bundle loads them from where they are installed. */
const addons = ['koffi', 'lmdb'];

/** Where V8's code for it is. Beside it, not in a directory that others can write: the code is run unseen. */
const codeDirectory = join(directory, 'code');

/**
 * Whether there is a bundle that was made from the compiler's and npm's output as it is now. A published one has no list of
 * these: neither it nor they change.
 */
function isCurrent() {
  let inputs;
  try {
    inputs = JSON.parse(readFileSync(join(directory, 'inputs.json'), 'utf8'));
  } catch {
    return existsSync(join(directory, 'gantryd.cjs'));
  }
  return inputs.every(([file, size, mtimeMs]) => {
    const found = statSync(join(root, file), { throwIfNoEntry: false });
    return found !== undefined && found.size === size && found.mtimeMs === mtimeMs;
  });
}

/** Runs the daemon of the bundle. With `GANTRY_BUNDLE=record`, V8's code for what it has run is kept when it exits. */
function load() {
  if (nodeModule.enableCompileCache !== undefined)
    nodeModule.enableCompileCache(codeDirectory); // since Node 22.1
  else if (process.env.GANTRY_BUNDLE === 'record') recordCode(directory, codeDirectory);
  else useRecordedCode(directory, codeDirectory);
  require(join(directory, 'gantryd.cjs'));
}

module.exports = { addons, directory, isCurrent, load, root };
