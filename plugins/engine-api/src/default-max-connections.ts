import { readFileSync } from 'node:fs';

/** The limit where nothing limits the descriptors. */
const most = 65_536;

/**
 * Half of the files the process may have open: clients alone never keep containers from being started. Called at
 * start, so it may block.
 */
export function defaultMaxConnections(read = () => readFileSync('/proc/self/limits', 'utf8')): number {
  const [, soft] = /^Max open files +(\d+)/m.exec(read()) ?? [];
  return soft === undefined ? most : Math.min(Math.floor(Number(soft) / 2), most);
}
