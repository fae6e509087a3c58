import type { FilePath } from './files.js';

/** A path for a system call: the FFI library terminates strings with NUL, bytes need their own. */
export const terminated = (path: FilePath): string | Uint8Array =>
  typeof path === 'string' ? path : Buffer.concat([path, end]);

const end = Buffer.alloc(1);

/** A path for a message. */
export const shown = (path: FilePath): string => (typeof path === 'string' ? path : Buffer.from(path).toString());
