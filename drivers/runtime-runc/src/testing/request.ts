import type { OciSpec, TaskRequest } from '@gantry/core/contracts';

/** A request for a task without stdin, terminal and spool. */
export function requestFor(
  rootfs: string,
  id: string,
  args: readonly string[],
  more: Partial<TaskRequest> = {},
): TaskRequest {
  return { id, spec: specFor(rootfs, args), openStdin: false, stdinOnce: false, spool: undefined, ...more };
}

export const specFor = (rootfs: string, args: readonly string[]): OciSpec => ({
  ociVersion: '1.0.2',
  process: {
    user: { uid: 0, gid: 0 },
    args,
    env: ['PATH=/bin'],
    cwd: '/',
    noNewPrivileges: true,
  },
  root: { path: rootfs },
  // A /dev of its own, since tasks share the root file system and runc makes links there.
  mounts: [
    { destination: '/proc', type: 'proc', source: 'proc' },
    { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['mode=755', 'size=64k'] },
  ],
  linux: {
    namespaces: (['pid', 'mount', 'ipc', 'uts'] as const).map((type) => ({ type })),
    resources: { devices: [{ allow: false, access: 'rwm' }] },
  },
});
