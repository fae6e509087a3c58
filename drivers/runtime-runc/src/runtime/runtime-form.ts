import type { CgroupLayout } from '@gantry/lib-linux/cgroups';
import { programPath } from '@gantry/lib-linux/launcher';

/** One way to run a runtime. */
export interface RuntimeForm {
  /** What is executed. */
  readonly path: string;
  /** Arguments that go before the verb. */
  readonly args: readonly string[];
  /** The runtime itself. */
  readonly program: string;
  /** It runs in a mount namespace of its own, so its mounts do not propagate to the host. */
  readonly hasOwnMounts: boolean;
}

/** The program as it is. */
export async function plainForm(
  { path: wanted, args = [] }: { path: string; args?: readonly string[] },
  cgroupArguments: readonly string[],
): Promise<RuntimeForm> {
  const path = await programPath(wanted);
  return { path, args: [...args, ...cgroupArguments], program: path, hasOwnMounts: false };
}

/**
 * Without sight of the cgroup v2 tree that a host has beside its v1 controllers: crun runs containers on such hosts, but
 * refuses to when it sees that tree. Mounts of the host still propagate to its containers, because the namespace is a
 * slave. It lasts as long as the runtime's own process: conmon stays outside, or the namespace would hold every mount of
 * the host for as long as the container runs.
 */
export async function formWithoutUnified(
  plain: RuntimeForm,
  { unified }: CgroupLayout,
): Promise<RuntimeForm | undefined> {
  if (unified === undefined) return undefined;
  const script = 'umount -l "$0" && exec "$@"';
  return {
    path: await programPath('unshare'),
    args: ['--mount', '--propagation', 'slave', '/bin/sh', '-c', script, unified, plain.path, ...plain.args],
    program: plain.program,
    hasOwnMounts: true,
  };
}
