const { setFlagsFromString } = require('node:v8');

/**
 * Patterns of clients and build files, such as filters of names, may take exponential time with a backtracking engine and
 * block the daemon meanwhile. With this, V8 switches to an engine of linear time after excessive backtracking. Called
 * before anything is loaded, because V8 takes recorded code only with the flags that it was recorded with.
 */
function limitRegExpBacktracking() {
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
}

module.exports = { limitRegExpBacktracking };
