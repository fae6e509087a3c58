export { inject, injectable } from '../kernel/injection/decorators.js';
export type { PackageContainer } from '../kernel/injection/package-container.js';
export { type Class, Config, StopSignal, type Token } from '../kernel/injection/tokens.js';
