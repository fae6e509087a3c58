import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { internal } from '@gantry/core/errors';

/** Translates paths that a plugin names to host paths. */
export interface PluginPaths {
  toHost(pluginPath: string): string;
  /** Rejects `internal` for a path that resolves to somewhere outside the plugin's files. */
  verify(hostPath: string): Promise<void>;
}

/** For a plugin that sees the host's files. */
export const hostPaths: PluginPaths = { toHost: (pluginPath) => pluginPath, verify: async () => undefined };

/**
 * For a plugin with its own root file system. Mounts in its propagated directory appear in another directory of the host.
 * Symbolic links out of the plugin's files are refused: they would expose the host's files through the engine.
 */
export function confinedPaths(
  root: string,
  propagated?: { readonly inside: string; readonly host: string },
): PluginPaths {
  const inside = propagated === undefined ? undefined : path.posix.join('/', propagated.inside);
  const bases = [root, ...(propagated === undefined ? [] : [propagated.host])];
  return {
    toHost(pluginPath) {
      const clean = path.posix.join('/', pluginPath);
      if (propagated === undefined || inside === undefined) return path.join(root, clean);
      if (clean === inside) return propagated.host;
      return clean.startsWith(`${inside}/`)
        ? path.join(propagated.host, clean.slice(inside.length))
        : path.join(root, clean);
    },
    async verify(hostPath) {
      const [real, ...roots] = await Promise.all([hostPath, ...bases].map((each) => realpath(each)));
      if (roots.some((base) => real === base || real?.startsWith(`${base}/`))) return;
      throw internal(`the plugin's path ${hostPath} leads out of the plugin's files`);
    },
  };
}
