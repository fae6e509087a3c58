#!/usr/bin/env node
// A disk that hangs holds a thread of Node's pool for each file that is written, and four are soon gone: then nothing
// can be read any more, not even from other disks. The pool is made with the first file a module is read from, so this
// must be said before, which only a CommonJS module can.
process.env.UV_THREADPOOL_SIZE ??= '64';
const bundle = require('../bundle/load.cjs');

async function start() {
  const argv = process.argv.slice(2);
  const program = bundle.isCurrent() && process.env.GANTRY_BUNDLE !== 'off' ? bundle.load('gantryd') : undefined;
  if (await program?.serves(argv)) return program.gantryd(argv);
  // A package that is not in the bundle finds the engine's modules, and those must be the ones that run.
  bundle.leave();
  return import('../dist/main.js');
}

start();
