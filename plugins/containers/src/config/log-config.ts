import type { LogDriver } from '@gantry/core/contracts';
import type { DriverSet } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import type { HostConfig, LogConfig } from './schema.js';

/** LogConfig with its driver's name filled in. @throws EngineError `invalid-argument`. */
export function completeLogConfig(
  { LogConfig: { Type: wanted = '', Config = {} } = {} }: HostConfig,
  drivers: DriverSet<LogDriver>,
): LogConfig {
  const type = wanted || (drivers.defaultId ?? '');
  if (!drivers.has(type)) throw invalidArgument(`logger: no log driver named '${type}' is registered`);
  drivers.get(type).validate(Config);
  return { Type: type, Config };
}
