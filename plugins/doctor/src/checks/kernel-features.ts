import type { KernelFacts } from '../host/host-facts.js';

/** Something that the kernel is built with, or loads as a module. */
export interface Feature {
  /** Without `CONFIG_`. */
  readonly option: string;
  /** As it is when loaded; absent for what is never a module. */
  readonly module?: string;
}

/** `unknown`: neither the kernel nor its package says. `uninstalled`: a module whose file is not there. */
type Presence = 'built in' | 'module' | 'uninstalled' | 'missing' | 'unknown';

function presenceOf({ option, module }: Feature, kernel: KernelFacts): Presence {
  const { installedModules, loadedModules, options } = kernel;
  if (module !== undefined && loadedModules.has(module)) return 'module';
  const isInstalled = module !== undefined && installedModules?.has(module) === true;
  if (options === undefined) return isInstalled ? 'module' : 'unknown';
  const built = options.get(option);
  if (built === undefined) return 'missing';
  if (built === 'y') return 'built in';
  return isInstalled ? 'module' : 'uninstalled';
}

/** The features that are there for certain, are not, or of which it is unknown, by name. */
export function sortFeatures(features: readonly Feature[], kernel: KernelFacts) {
  const named = (...wanted: readonly Presence[]): readonly string[] =>
    features
      .filter((feature) => wanted.includes(presenceOf(feature, kernel)))
      .map(({ module, option }) => module ?? option);
  return { present: named('built in', 'module'), missing: named('missing', 'uninstalled'), unknown: named('unknown') };
}
