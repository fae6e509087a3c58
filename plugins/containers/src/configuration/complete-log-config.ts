import type { LogDriver } from '@gantry/core/contracts';
import type { DriverSet } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import type { HostConfig, LogConfig } from '../schema.js';

/** LogConfig with its driver's name filled in. @throws EngineError `invalid-argument`. */
export function completeLogConfig(
  { LogConfig: { Type: wanted = '', Config = {} } = {} }: HostConfig,
  drivers: DriverSet<LogDriver>,
): LogConfig {
  const type = wanted || (drivers.defaultId ?? '');
  if (type === 'etwlogs' && !drivers.has(type)) {
    throw invalidArgument("logger: log driver 'etwlogs' is Windows-only: this engine runs on Linux");
  }
  if (!drivers.has(type)) {
    const reason = drivers.reasonWithout(type);
    const why = reason === undefined ? '' : `: ${reason}`;
    throw invalidArgument(`logger: no log driver named '${type}' is registered${why}`);
  }
  drivers.get(type).validate(Config);
  return { Type: type, Config };
}
