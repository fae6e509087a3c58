import { existsSync } from 'node:fs';
import type { Daemon } from '@gantry/host';
import { hasAppArmor } from '@gantry/lib-linux/app-armor';
import type Docker from 'dockerode';

/** What a group of tests gets: one daemon for all of them, since a start takes half a minute in emulation. */
export interface DaemonUnderTest {
  readonly daemon: () => Daemon;
}

export const isUnified = existsSync('/sys/fs/cgroup/cgroup.controllers');

/** Tests of what a real host may lack, which the table of hosts then shows as absent. Emulated hosts lack none of it. */
export const needs = {
  cgroupV2: { skip: isUnified ? false : 'cgroup v1' },
  appArmor: { skip: (await hasAppArmor()) ? false : 'no AppArmor' },
} as const;

/** Runs a shell command as a container of its own and returns what it wrote. The container is removed. */
export async function outputOf(
  client: Docker,
  command: string,
  options: Partial<Docker.ContainerCreateOptions> = {},
): Promise<string> {
  const container = await client.createContainer({
    Image: 'busybox',
    Cmd: ['sh', '-c', command],
    Tty: true,
    ...options,
    HostConfig: { NetworkMode: 'none', ...options.HostConfig },
  });
  try {
    await container.start();
    await container.wait();
    const log = (await container.logs({ stdout: true, stderr: true })) as unknown as Buffer;
    return log.toString().replaceAll('\r', '').trimEnd();
  } finally {
    await container.remove({ force: true });
  }
}
