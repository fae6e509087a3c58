/** A class that the kernel can construct. */
export type Class<T> = new (...dependencies: never[]) => T;

/** What a dependency is registered and injected by: a class inside one package, a symbol across packages. */
export type Token<T = unknown> = Class<T> | symbol;

/** Injects the package's own section of the configuration, parsed by its schema. */
export const Config = Symbol.for('gantry.config');

/** Injects an AbortSignal that aborts when the package is about to stop: no new work is started from then on. */
export const StopSignal = Symbol.for('gantry.stop-signal');
