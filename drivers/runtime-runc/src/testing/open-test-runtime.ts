import { randomBytes } from 'node:crypto';
import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Opened, type OpenOptions, openDriver } from '@gantry/conformance';
import type { RuntimeDriver } from '@gantry/core/contracts';
import { kernelCgroups } from '@gantry/lib-linux/cgroups';
import definition from '../index.js';
import { processesOfBundle } from '../monitor/processes-of-bundle.js';

const timeout = 60_000;

/** In milliseconds, more than a busy host needs: what is tested is not how fast it is. */
export const deadlines = Object.fromEntries(
  ['create', 'start', 'exec', 'exit', 'control', 'probe'].map((name) => [name, timeout]),
);

/** A driver with a parent cgroup of its own, which goes with it, and with everything in it at a reboot. */
export async function openTestRuntime(config: object = {}): Promise<Opened<RuntimeDriver>> {
  const cgroupParent = `/gantry-test-${randomBytes(4).toString('hex')}`;
  let state = '';
  const options: OpenOptions = {
    config: { cgroupParent, deadlines, ...config },
    uses: [{ release: () => removeGroup(cgroupParent) }],
    async onReboot() {
      // Monitors first, or they would still write down the end of their tasks.
      for (const pid of await processesOfBundle(join(state, 'memory/tasks'))) process.kill(pid, 'SIGKILL');
      const group = await kernelCgroups.group(cgroupParent);
      await group.killAll();
      await group.remove();
    },
  };
  const opened = await openDriver(definition, options);
  state = opened.dirs.state;
  return opened;
}

/** Only an empty one: what is still in it is a leak, and stays for all to see. */
async function removeGroup(path: string): Promise<void> {
  const group = await kernelCgroups.group(path);
  for (const directory of group.directories()) {
    await rmdir(directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}
