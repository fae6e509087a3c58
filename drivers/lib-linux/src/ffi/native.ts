import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import type * as koffiModule from 'koffi';
import { pinLibrary } from './pin-library.js';

export type Koffi = typeof koffiModule;
export type NativeFunction = koffiModule.KoffiFunc<(...values: unknown[]) => unknown>;

/** The length of a queue; with the default of 256 a burst of container starts would fail. */
const asyncCalls = 4096;

let loaded: Koffi | undefined;
const libraries = new Map<string | null, koffiModule.LibraryHandle>();

/** The FFI library, loaded at the first call that needs it: importing a module of this package does not load it. */
export function koffi(): Koffi {
  if (loaded === undefined) {
    loaded = createRequire(import.meta.url)('koffi') as Koffi;
    const config = loaded.config();
    // Set once in a process, which may have a second copy of this module.
    if (config.max_async_calls !== asyncCalls) loaded.config({ ...config, max_async_calls: asyncCalls });
    if (!isMainThread) pinLibrary(loaded);
  }
  return loaded;
}

/** A shared library; null: what the process is linked with, which includes the C library. */
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
