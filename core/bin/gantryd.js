#!/usr/bin/env node
// The pool's size is fixed when the first file is read, before any ES module runs. A hung disk blocks one thread for
// each file that is written; with the default of four, reads from healthy disks would soon block as well.
process.env.UV_THREADPOOL_SIZE ??= '64';
const { isCurrent, load } = require('./bundle.js');
const { limitRegExpBacktracking } = require('./limit-regexp-backtracking.js');

limitRegExpBacktracking();
if (process.env.GANTRY_BUNDLE !== 'off' && isCurrent()) load();
else import('../dist/main.js');
