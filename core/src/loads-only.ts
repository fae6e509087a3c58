import { readConfiguration } from './configuration.js';
import { defaultConfigDirectory } from './default-config.js';
import { parseFlags } from './flags.js';
import { parseKernelConfig } from './kernel/config.js';
import { readManifest } from './kernel/manifest.js';

/**
 * Whether the daemon that these arguments ask for needs no package but the known ones, which are named by their
 * directories. What is wrong with arguments or configuration is for the daemon to say; then it does not matter.
 */
export async function loadsOnly(argv: readonly string[], known: ReadonlySet<string>): Promise<boolean> {
  if (argv[0] === 'driver') return false; // packages that are not configured, and the conformance kit
  try {
    const invocation = parseFlags(argv[0] === 'check' ? [] : argv);
    if (invocation.action === 'help' || invocation.action === 'version') return true;
    const { config, from, extraFrom } = await readConfiguration(invocation.configFile, invocation.settings);
    const { packages, extraPackages } = parseKernelConfig(config);
    const entries = [
      ...(from === defaultConfigDirectory ? [] : packages.map((entry) => ({ entry, place: from }))),
      ...extraPackages.map((entry) => ({ entry, place: extraFrom })),
    ];
    const directories = await Promise.all(
      entries.map(async ({ entry, place }) => {
        const specifier = typeof entry === 'string' ? entry : entry.package;
        return (await readManifest(specifier, place)).directory;
      }),
    );
    return directories.every((directory) => known.has(directory));
  } catch {
    return false;
  }
}
