#!/usr/bin/env node
// The pool's size is fixed when the first file is read, before any ES module runs. A hung disk blocks one thread for
// each file that is written; with the default of four, reads from healthy disks would soon block as well.
process.env.UV_THREADPOOL_SIZE ??= '64';
const { isCurrent } = require('./bundle.js');

const useBundle = process.env.GANTRY_BUNDLE !== 'off' && isCurrent();
require('node:module').enableCompileCache?.(); // since Node 22.1
import(useBundle ? '../bundle/dist/gantryd.js' : '../dist/main.js');
