export { type KernelConfig, readConfigFile } from '../kernel/configuration/kernel-config.js';
export { describeSchema, parseConfig } from '../kernel/configuration/schema.js';
export { Kernel, type KernelOptions } from '../kernel/kernel.js';
export { serializeError } from '../kernel/logging/serialize-error.js';
export type { UnitStatus } from '../kernel/units/unit-statuses.js';
export { version } from '../version.js';
export * from './plugin.js';
