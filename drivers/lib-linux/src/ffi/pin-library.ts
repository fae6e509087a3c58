import { readFileSync } from 'node:fs';
import type { Koffi } from './native.js';

const RTLD_NOW = 2;
const RTLD_NODELETE = 0x1000;

/**
 * Keeps the FFI library's code in memory for as long as the process lives. Node unloads it with the last thread that
 * loaded it, which may be a worker; what that worker still watched would then be closed by code that is gone.
 */
export function pinLibrary(koffi: Koffi): void {
  const [path] = /\S+koffi\S*\.node$/m.exec(readFileSync('/proc/self/maps', 'utf8')) ?? [];
  if (path === undefined) return;
  const dlopen = koffi.load(null).func('void *dlopen(const char *path, int flags)');
  dlopen(path, RTLD_NOW | RTLD_NODELETE);
}
