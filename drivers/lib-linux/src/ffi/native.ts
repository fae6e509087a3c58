import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import type * as koffiModule from 'koffi';
import { pinLibrary } from './pin-library.js';
import { keepLittle } from './spare-memory.js';

export type Koffi = typeof koffiModule;
export type NativeFunction = koffiModule.KoffiFunc<(...values: unknown[]) => unknown>;

let loaded: Koffi | undefined;
const libraries = new Map<string | null, koffiModule.LibraryHandle>();

/**
 * The FFI library. It is loaded at the first call that needs it: importing a module of this package costs nothing, and
 * a program that only wants a type or a parser never pays for it.
 */
export function koffi(): Koffi {
  if (loaded === undefined) {
    loaded = createRequire(import.meta.url)('koffi') as Koffi;
    // A queue of calls, not of threads; its default of 256 would make a burst of container starts fail.
    loaded.config({ ...loaded.config(), max_async_calls: 4096 });
    if (isMainThread) keepLittle(loaded);
    else pinLibrary(loaded);
  }
  return loaded;
}

/** A shared library; null is what the process itself was linked with, that is the C library. */
export function library(name: string | null): koffiModule.LibraryHandle {
  let handle = libraries.get(name);
  if (handle === undefined) {
    handle = koffi().load(name);
    libraries.set(name, handle);
  }
  return handle;
}

/** Runs once, at the first call. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
