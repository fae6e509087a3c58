import { setFlagsFromString } from 'node:v8';

/**
 * Clients and build files bring patterns: filters of names, files to leave out. Some take for ever when they are matched
 * by going back and trying again, and nobody else is served meanwhile. With this, V8 gives up going back after a while
 * and goes on with an engine whose time is linear to the text.
 */
export const boundExpressions = (): void =>
  setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');
