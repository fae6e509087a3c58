import { type Cgroups, kernelCgroups } from '@gantry/lib-linux/cgroups';
import { type ShareTmpfsRequest, setPipeSize, shareTmpfs } from '@gantry/lib-linux/files';
import { type Launcher, SpawnLauncher } from '@gantry/lib-linux/launcher';
import { kernelProcesses, type Processes } from '@gantry/lib-linux/processes';
import { kernelSeqpacket, type Seqpacket } from '@gantry/lib-linux/seqpacket';
import { eventLoopWatcher, type Watcher } from '@gantry/lib-linux/watch';

/** The doors to the host this driver goes through. */
export interface Ports {
  readonly launcher: Launcher;
  readonly cgroups: Cgroups;
  readonly processes: Processes;
  readonly seqpacket: Seqpacket;
  readonly watcher: Watcher;
  setPipeSize(fd: number, bytes: number): boolean;
  shareTmpfs(request: ShareTmpfsRequest): Promise<void>;
}

export const kernelPorts = (): Ports => ({
  launcher: new SpawnLauncher(),
  cgroups: kernelCgroups,
  processes: kernelProcesses,
  seqpacket: kernelSeqpacket,
  watcher: eventLoopWatcher,
  setPipeSize,
  shareTmpfs,
});
