import type { KernelConfig } from './kernel-config.js';

/** What a reload came to. */
export interface Reloaded {
  /** Units of packages that the configuration has gained. */
  readonly joined: readonly string[];
  /** Drivers of which another version has taken over. */
  readonly replaced: readonly string[];
  /** Units of packages that the configuration has lost. */
  readonly left: readonly string[];
  /** Units that work by their new sections. */
  readonly applied: readonly string[];
  /** Units and top-level keys whose change counts from the next start. */
  readonly waiting: readonly string[];
}

/** Keys that only a start takes in. */
export const startKeys = ['dataRoot', 'execRoot', 'usernsRemap', 'defaults'] as const;

/** What holds after a reload: what was taken over is new, the rest is as it was, so that a later reload finds it changed. */
export function withApplied(old: KernelConfig, next: KernelConfig, applied: ReadonlySet<string>): KernelConfig {
  const { logLevel, startTimeoutSeconds, stopTimeoutSeconds, packages, extraPackages } = next;
  return {
    ...old,
    logLevel,
    startTimeoutSeconds,
    stopTimeoutSeconds,
    packages,
    extraPackages,
    drivers: sectionsOf(old.drivers, next.drivers, applied),
    plugins: sectionsOf(old.plugins, next.plugins, applied),
  };
}

type Sections = KernelConfig['drivers'];

function sectionsOf(old: Sections, next: Sections, applied: ReadonlySet<string>): Sections {
  const names = new Set([...Object.keys(old), ...Object.keys(next)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const sections = applied.has(name) ? next : old;
      return name in sections ? [[name, sections[name]]] : [];
    }),
  );
}
