#!/usr/bin/env node
// The pool's size is fixed when the first file is read, before any ES module runs. A hung disk blocks one thread for
// each file that is written; with the default of four, reads from healthy disks would soon block as well.
process.env.UV_THREADPOOL_SIZE ??= '64';
const { limitRegExpBacktracking } = require('@gantry/core/limit-regexp-backtracking');
const { isUsed, keepCode, load } = require('./bundle.js');

/** An ordinary user can do as little as print the usage without namespaces in which the user is root. */
function isForLauncher(args) {
  const isRoot = process.getuid() === 0 || process.env.GANTRY_ROOTLESS !== undefined;
  return !isRoot && !args.some((argument) => ['--help', '-h', '--version', '--validate'].includes(argument));
}

/** Commands that look at the host as it is, or change it. */
const hostCommands = ['doctor', 'install', 'support', 'uninstall'];

function start() {
  if (!isUsed()) return import('../dist/main.js');
  keepCode();
  return load('gantryd');
}

limitRegExpBacktracking();
const args = process.argv.slice(2);
if (!isForLauncher(args)) start();
else {
  import('@gantry/lib-rootless').then(({ launch, useOwnPaths }) => {
    // docs/adr/0023: the launcher runs this program again, in namespaces of the user.
    if (!hostCommands.includes(args[0])) return launch(__filename, args);
    useOwnPaths(args);
    start();
  });
}
