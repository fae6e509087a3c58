#!/usr/bin/env node
// As for gantryd: the pool's size is fixed when the first file is read.
process.env.UV_THREADPOOL_SIZE ??= '64';
const { limitRegExpBacktracking } = require('@gantry/core/limit-regexp-backtracking');
const { keepCode } = require('./bundle.js');

limitRegExpBacktracking();
keepCode();
const args = process.argv.slice(2);
const isRoot = process.getuid() === 0 || process.env.GANTRY_ROOTLESS !== undefined;
const runsContainer = args[0] === 'run' && !args.includes('--help');
if (isRoot || !runsContainer) import('../dist/gantry-main.js');
else {
  import('@gantry/lib-rootless').then(({ launch }) => {
    // docs/adr/0023: the launcher runs this program again, in namespaces of the user that are not those of a daemon.
    process.env.GANTRY_ARGUMENTS = JSON.stringify(args);
    process.env.GANTRY_EXEC_ROOT ??= `${process.env.XDG_RUNTIME_DIR}/gantry-run`;
    return launch(__filename, [], { name: 'gantry' });
  });
}
