export { defaultConfigDirectory, readDefaultConfig } from '../default-config.js';
export { type KernelConfig, readConfigFile } from '../kernel/config.js';
export { Kernel, type KernelOptions } from '../kernel/kernel.js';
export { describeSchema, parseConfig } from '../kernel/schema.js';
export type { UnitStatus } from '../kernel/unit-statuses.js';
export { version } from '../version.js';
export * from './plugin.js';
