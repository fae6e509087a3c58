import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OciSpec } from '@gantry/core/contracts';
import type { Cgroups } from '@gantry/lib-linux/cgroups';
import type { Launcher } from '@gantry/lib-linux/launcher';
import type { CgroupPlacement, PlacedCgroup } from '../cgroups/cgroup-placement.js';
import { Scopes } from '../cgroups/scopes.js';
import type { DirectoryRemoval } from '../directory-removal.js';
import { commonArguments, type OciRuntime, scratchIn } from './oci-runtime.js';
import { reasonOf } from './runtime-error.js';

interface ProbeRequest {
  readonly cgroups: Cgroups;
  readonly launcher: Launcher;
  readonly removal: DirectoryRemoval;
  readonly runtime: OciRuntime;
  /** A directory to make the bundle in. */
  readonly directory: string;
  readonly placement: Pick<CgroupPlacement, 'place'>;
  readonly signal: AbortSignal;
}

/** A program no bundle has, so that the runtime goes all the way up to running it, and no further. */
const missingProgram = '/gantry-probe';

/**
 * Tries whether a runtime can make containers on this host, by asking for one whose program is missing: every
 * namespace, mount and cgroup has been set up by then. Some runtimes print their version on hosts they do not support.
 * @returns why it cannot; undefined when it can. Rejects when it gave no answer.
 */
export async function probeRuntime(request: ProbeRequest): Promise<string | undefined> {
  const { cgroups, launcher, removal, runtime, directory, placement, signal } = request;
  const bundle = await mkdtemp(join(directory, 'probe-'));
  const id = `probe-${bundle.slice(-6)}`;
  const common = commonArguments(runtime, join(bundle, 'state'));
  const cgroup = placement.place(id);
  try {
    for (const folder of ['dev', 'proc']) await mkdir(join(bundle, 'rootfs', folder), { recursive: true });
    await writeFile(join(bundle, 'config.json'), JSON.stringify(smallestSpec(cgroup)));
    const { stdout, stderr } = await launcher.run(runtime.path, [...common, 'create', '--bundle', bundle, id], {
      env: scratchIn(bundle),
      signal,
    });
    const printed = reasonOf(`${stdout}\n${stderr}`);
    const reachedProgram = printed.includes(missingProgram) && /not found|no such file/i.test(printed);
    return reachedProgram ? undefined : printed || 'it did not report a missing program';
  } finally {
    await launcher.run(runtime.path, [...common, 'delete', '--force', id]).catch(() => undefined);
    const group = await cgroups.group(cgroup.path);
    await group.killAll().catch(() => undefined);
    const scopes = new Scopes(launcher);
    if (scopes.has(cgroup.path)) await scopes.stop(cgroup.path, {}).catch(() => undefined);
    await group.remove().catch(() => undefined);
    await removal.remove(bundle);
  }
}

const smallestSpec = ({ annotations, cgroupsPath }: PlacedCgroup): OciSpec => ({
  ociVersion: '1.0.2',
  annotations,
  process: {
    user: { uid: 0, gid: 0 },
    args: [missingProgram],
    env: ['PATH=/bin'],
    cwd: '/',
    noNewPrivileges: true,
  },
  root: { path: 'rootfs' },
  mounts: [
    { destination: '/proc', type: 'proc', source: 'proc' },
    { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
  ],
  linux: {
    namespaces: (['pid', 'mount', 'ipc', 'uts', 'network'] as const).map((type) => ({ type })),
    ...(cgroupsPath !== undefined && {
      cgroupsPath,
      resources: { devices: [{ allow: false, access: 'rwm' }] },
    }),
  },
});
