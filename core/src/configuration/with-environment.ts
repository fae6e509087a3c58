import { isRecord } from '../values/is-record.js';

/**
 * Lays defaults from the environment below a configuration: `GANTRY_DATA_ROOT`, `GANTRY_EXEC_ROOT`, and `GANTRY_HOST` for
 * where to listen. The launcher of a rootless engine sets them.
 */
export function withEnvironment(
  config: Readonly<Record<string, unknown>>,
  { GANTRY_DATA_ROOT: dataRoot, GANTRY_EXEC_ROOT: execRoot, GANTRY_HOST: host }: NodeJS.ProcessEnv,
): Record<string, unknown> {
  const merged = {
    ...(dataRoot !== undefined && { dataRoot }),
    ...(execRoot !== undefined && { execRoot }),
    ...config,
  };
  return host === undefined ? merged : { ...merged, plugins: withHost(config.plugins ?? {}, host) };
}

/** What is damaged stays as it is: its reader says what is wrong. */
function withHost(plugins: unknown, host: string): unknown {
  if (!isRecord(plugins)) return plugins;
  const section = plugins['engine-api'] ?? {};
  return isRecord(section) ? { ...plugins, 'engine-api': { hosts: [host], ...section } } : plugins;
}
