import { setFlagsFromString } from 'node:v8';

/**
 * Patterns of clients and build files, such as filters of names, may take exponential time with a backtracking engine and
 * block the daemon meanwhile. With this, V8 switches to an engine of linear time after excessive backtracking.
 */
export const limitRegExpBacktracking = (): void =>
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
