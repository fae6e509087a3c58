import path from 'node:path';
import { readConfigFile } from '../kernel/configuration/kernel-config.js';
import { defaultConfigDirectory, readDefaultConfig } from './default-config.js';
import { applySettings, type Setting } from './flags.js';

/** What a daemon with this file and these flags runs on. */
interface Configuration {
  readonly config: Readonly<Record<string, unknown>>;
  /** Where `packages` and `extraPackages` are looked for. */
  readonly from: string;
  readonly extraFrom: string;
}

/**
 * The defaults, the file over them, the flags over both.
 * @throws EngineError `invalid-argument` for a damaged file, or a key that is given in two places.
 */
export async function readConfiguration(
  configFile: string | undefined,
  settings: readonly Setting[],
): Promise<Configuration> {
  const file = configFile === undefined ? {} : await readConfigFile(configFile);
  const config = applySettings({ ...(await readDefaultConfig()), ...file }, settings);
  const besideFile = configFile === undefined ? process.cwd() : path.dirname(path.resolve(configFile));
  return { config, from: 'packages' in file ? besideFile : defaultConfigDirectory, extraFrom: besideFile };
}
