const { existsSync, readFileSync, statSync } = require('node:fs');
const nodeModule = require('node:module');
const { join } = require('node:path');
const { recordCode, useRecordedCode } = require('./code-cache.js');

const root = join(__dirname, '../..');

/** Where the bundle is: docs/adr/0012. */
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

const isUsed = () => process.env.GANTRY_BUNDLE !== 'off' && isCurrent();

/**
 * Has V8's code for the bundle kept, by Node since 22.1: of all modules that are loaded from now on, so a program that has an
 * engine within it does without. On older versions it is kept at exit with `GANTRY_BUNDLE=record`.
 */
function keepCode() {
  if (nodeModule.enableCompileCache !== undefined) nodeModule.enableCompileCache(codeDirectory);
  else if (process.env.GANTRY_BUNDLE === 'record') recordCode(directory, codeDirectory);
}

/** Loads an entry of the bundle, and returns what it exports. */
function load(entry) {
  if (nodeModule.enableCompileCache === undefined && process.env.GANTRY_BUNDLE !== 'record') {
    useRecordedCode(directory, codeDirectory);
  }
  return require(join(directory, `${entry}.cjs`));
}

module.exports = { addons, directory, isCurrent, isUsed, keepCode, load, root };
