import { run } from './run.js';

/** What systemctl prints. Throws when it fails. */
export const systemctl = (...args: readonly string[]): string => run('systemctl', ...args);
