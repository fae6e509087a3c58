import { isUsed, load } from '../../bin/bundle.js';

type Modules = typeof import('./engine-code.js');

/** The code of engines, and with it where the packages are that it was bundled with. */
export interface EngineCode extends Modules {
  /** The URLs to import instead of the packages' own entries, by name. */
  readonly bundle?: ReadonlyMap<string, string>;
}

/**
 * Loads what an engine is made of as the daemon does: docs/adr/0012. Packages that the program has imported itself belong to
 * the modules of the core that they import.
 */
export async function loadEngineCode({ hasImports }: { readonly hasImports: boolean }): Promise<EngineCode> {
  if (!hasImports && isUsed()) return load('engine') as EngineCode;
  return import('./engine-code.js');
}
