import nodeModule, { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { coreModules } from './core-modules.js';
import { initialize, resolve, type Supply } from './resolve-hook.js';

/** Set when packages outside the engine are loaded, to where those of the engine are. Inherited by threads that are started later. */
const environmentKey = 'gantry.supply-core';

/** Since Node 22.15: hooks that run in the thread itself. Typed here because the types follow the oldest Node. */
interface WithSynchronousHooks {
  registerHooks?(hooks: { resolve: typeof resolve }): void;
}

let isSupplied = false;

/**
 * Has every package that is imported from now on get the core that this process runs, from the bundle or not, instead
 * of a copy of its own: it needs none, and classes that it decorates are known to the kernel. Costs a thread where Node
 * has no synchronous hooks, so only daemons with packages outside the engine call it.
 * @param directory from which the engine's packages are found, for packages that import service points of theirs.
 */
export function supplyCore(directory?: string): void {
  if (isSupplied) return;
  isSupplied = true;
  const engine = directory === undefined ? undefined : pathToFileURL(path.join(directory, 'noop.js')).href;
  supplyHere({ modules: coreModules, engine });
  setEnvironmentData(environmentKey, { engine });
}

function supplyHere(supply: Supply): void {
  const { registerHooks } = nodeModule as WithSynchronousHooks;
  if (registerHooks !== undefined) {
    initialize(supply);
    registerHooks({ resolve });
  } else {
    nodeModule.register(new URL('./resolve-hook.js', import.meta.url), { data: supply });
  }
}

/**
 * Imports a module of a package in any thread; in a worker thread, the core is supplied as in the daemon. What a CommonJS
 * module compiled from an ES module exports is returned as it is, not as the default export that `import` makes of it.
 */
export async function importModule(url: string): Promise<Record<string, unknown>> {
  const supplied = getEnvironmentData(environmentKey) as unknown as Pick<Supply, 'engine'> | undefined;
  if (supplied !== undefined && !isSupplied) {
    isSupplied = true;
    supplyHere({ modules: coreModules, ...supplied });
  }
  if (!url.endsWith('.cjs')) return import(url);
  const exported = createRequire(url)(fileURLToPath(url)) as Record<string, unknown>;
  return exported.__esModule === true ? exported : { default: exported, ...exported };
}
