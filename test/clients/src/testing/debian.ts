import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DebianClients, debianClients } from '../debian/newer-packages.js';
import type { ClientHost, RunResult } from './client-host.js';

/** Removed and downloaded again with the npm packages. */
export const cache = fileURLToPath(new URL('../../../../node_modules/.cache/gantry-clients', import.meta.url));

export const clients = (): Promise<DebianClients> => debianClients(cache);

/** The newest docker CLI on a host, with compose. */
export async function dockerOn(host: ClientHost, directory: string = host.daemon.directory) {
  const { programs, dockerConfig } = await clients();
  const options = { directory, environment: { DOCKER_CONFIG: dockerConfig, TOKEN: 'from the environment' } };
  const program = path.join(programs, 'docker');
  return {
    program,
    run: (...args: readonly string[]): Promise<RunResult> => host.run(program, args, options),
    succeed: (...args: readonly string[]): Promise<string> => host.succeed(program, args, options),
    /** Runs until the signal aborts. */
    follow: (signal: AbortSignal, ...args: readonly string[]): Promise<RunResult> =>
      host.run(program, args, { ...options, signal }),
  };
}
