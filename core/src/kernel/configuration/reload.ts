import type { KernelConfig } from './kernel-config.js';

/** What a reload came to. */
export interface Reloaded {
  /** Units that work by their new sections. */
  readonly applied: readonly string[];
  /** Units and top-level keys whose change counts from the next start. */
  readonly waiting: readonly string[];
}

/** Keys that only a start takes in. */
export const startKeys = ['dataRoot', 'execRoot', 'usernsRemap', 'packages', 'extraPackages', 'defaults'] as const;

/** What holds after a reload: what was taken over is new, the rest is as it was, so that a later reload finds it changed. */
export function withApplied(old: KernelConfig, next: KernelConfig, applied: ReadonlySet<string>): KernelConfig {
  const { logLevel, startTimeoutSeconds, stopTimeoutSeconds } = next;
  return {
    ...old,
    logLevel,
    startTimeoutSeconds,
    stopTimeoutSeconds,
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
