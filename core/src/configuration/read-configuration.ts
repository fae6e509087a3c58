import path from 'node:path';
import { readConfigFile } from '../kernel/configuration/kernel-config.js';
import type { Distribution } from './distribution.js';
import { applySettings, type Setting } from './flags.js';
import { withEnvironment } from './with-environment.js';

/** What a daemon with this file and these flags runs on. */
export interface Configuration {
  readonly config: Readonly<Record<string, unknown>>;
  /** Where `packages` and `extraPackages` are looked for. */
  readonly from: string;
  readonly extraFrom: string;
}

/** Where a configuration comes from. */
export interface ConfigurationSources {
  readonly configFile: string | undefined;
  readonly settings: readonly Setting[];
  readonly distribution: Distribution;
}

/**
 * The distribution's configuration, the environment's defaults over it, the file over both, the flags over all.
 * @throws EngineError `invalid-argument` for a damaged file, or a key that is given in two places.
 */
export async function readConfiguration(
  configFile: string | undefined,
  settings: readonly Setting[],
  distribution: Distribution,
): Promise<Configuration> {
  const file = configFile === undefined ? {} : await readConfigFile(configFile);
  return configurationOf(file, { configFile, settings, distribution });
}

/** The same for a file with this content. */
export function configurationOf(
  file: Readonly<Record<string, unknown>>,
  { configFile, settings, distribution }: ConfigurationSources,
): Configuration {
  const given = applySettings({ ...distribution.config, ...file }, settings);
  const config = withEnvironment(given, process.env);
  const besideFile = configFile === undefined ? process.cwd() : path.dirname(path.resolve(configFile));
  return { config, from: 'packages' in file ? besideFile : distribution.directory, extraFrom: besideFile };
}
