#!/usr/bin/env node
// The core alone. The package `gantry` has the daemon with everything that an engine usually consists of.
// The pool's size is fixed when the first file is read, before any ES module runs. A hung disk blocks one thread for
// each file that is written; with the default of four, reads from healthy disks would soon block as well.
process.env.UV_THREADPOOL_SIZE ??= '64';
const { limitRegExpBacktracking } = require('./limit-regexp-backtracking.js');

limitRegExpBacktracking();
import('../dist/main.js');
