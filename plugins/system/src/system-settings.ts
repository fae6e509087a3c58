import { Config, inject, injectable } from '@gantry/core/driver';
import type { SystemConfig } from './config.js';

/** The current configuration of the plugin: a reload replaces it. */
@injectable()
export class SystemSettings {
  constructor(@inject(Config) public current: SystemConfig) {}
}
