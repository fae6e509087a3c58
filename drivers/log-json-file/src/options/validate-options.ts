import { rotationOf, rotationOptions } from '@gantry/lib-log/files';
import { attributeOptions, checkOptions, type LogOptions } from '@gantry/lib-log/options';
import type { JsonFileConfig } from '../config.js';

const own = [...rotationOptions, ...attributeOptions];

/** Checks `LogConfig.JsonFileConfig`. @throws EngineError `invalid-argument` naming the option and the value. */
export function validateOptions(options: LogOptions, config: JsonFileConfig): void {
  checkOptions(options, 'json-file', own);
  rotationOf(options, config);
}
