#!/usr/bin/env node
// The pool's size is fixed when the first file is read, before any ES module runs. A hung disk blocks one thread for
// each file that is written; with the default of four, reads from healthy disks would soon block as well.
process.env.UV_THREADPOOL_SIZE ??= '64';
const { readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '../..');
const bundle = join(__dirname, '../bundle/dist');

/** The bundle is used while the compiler's and npm's output is what it was made from (docs/adr/0012). */
function isCurrent() {
  let inputs;
  try {
    inputs = JSON.parse(readFileSync(join(bundle, 'inputs.json'), 'utf8'));
  } catch {
    return false;
  }
  return inputs.every(([file, size, mtimeMs]) => {
    const found = statSync(join(root, file), { throwIfNoEntry: false });
    return found !== undefined && found.size === size && found.mtimeMs === mtimeMs;
  });
}

const useBundle = process.env.GANTRY_BUNDLE !== 'off' && isCurrent();
require('node:module').enableCompileCache?.(); // since Node 22.1
import(useBundle ? '../bundle/dist/gantryd.js' : '../dist/main.js');
