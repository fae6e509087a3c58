import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isInUserNamespace } from '../host/user-namespace.js';
import type { MountEntry } from '../mounts/mounts.js';
import { parseMountinfo } from '../mounts/parse-mountinfo.js';
import type { CgroupLayout } from './cgroups.js';

/** One tree of groups. */
export interface Hierarchy {
  readonly mount: string;
  /** The group that is shown at the mount point: `/` but for some containers. */
  readonly root: string;
  readonly version: 1 | 2;
  /** Of version 1: controllers, or `name=systemd`. */
  readonly controllers: readonly string[];
}

export interface CompleteLayout extends CgroupLayout {
  readonly hierarchies: readonly Hierarchy[];
}

/** What version 2 does without a controller of its own, or under another name. */
const inherentInV2 = ['freezer', 'devices'];
const renamedInV2 = { blkio: 'io', cpuacct: 'cpu' } as const;

/** How the host's cgroups are set up, from the table of mounts. */
export async function readLayout(): Promise<CompleteLayout> {
  const mounts = parseMountinfo(await readFile('/proc/self/mountinfo', 'utf8'));
  const available = async (mount: string): Promise<readonly string[]> => {
    const text = await readFile(join(mount, 'cgroup.controllers'), 'utf8').catch(() => '');
    return text.split(/\s+/).filter((name) => name !== '');
  };
  if (!isInUserNamespace()) return layoutOf(mounts, available);
  const layout = await layoutOf(await writableTrees(mounts), available);
  return layout.hierarchies.length === 0 ? { ...layout, mode: 'none' } : layout;
}

/** In a user namespace other trees than those of version 2 are never delegated, and that one need not be. */
async function writableTrees(mounts: readonly MountEntry[]): Promise<readonly MountEntry[]> {
  const trees = mounts.filter(({ type }) => type === 'cgroup2');
  // The last mount at a place hides those below it.
  const [tree] = trees.slice(-1);
  if (tree === undefined || mounts.some(({ type, superOptions }) => type === 'cgroup' && hasController(superOptions)))
    return [];
  return access(tree.target, constants.W_OK).then(
    () => [tree],
    () => [],
  );
}

const hasController = (options: readonly string[]): boolean =>
  options.some((option) => isController(option) && !option.startsWith('name='));

export async function layoutOf(
  mounts: readonly MountEntry[],
  available: (unifiedMount: string) => Promise<readonly string[]>,
): Promise<CompleteLayout> {
  const hierarchies: Hierarchy[] = [];
  for (const entry of mounts) {
    if (entry.type !== 'cgroup' && entry.type !== 'cgroup2') continue;
    const isV2 = entry.type === 'cgroup2';
    const controllers = isV2 ? await available(entry.target) : entry.superOptions.filter(isController);
    // The same hierarchy may be mounted several times; the first mount is the conventional one.
    const isKnown = hierarchies.some((other) =>
      isV2 ? other.version === 2 : other.version === 1 && other.controllers.join() === controllers.join(),
    );
    if (!isKnown) hierarchies.push({ mount: entry.target, root: entry.root, version: isV2 ? 2 : 1, controllers });
  }
  const unified = hierarchies.find(({ version }) => version === 2);
  const first = hierarchies.filter(({ version }) => version === 1);
  const hasFirst = first.some(({ controllers }) => controllers.some((name) => !name.startsWith('name=')));
  return {
    mode: unified === undefined ? 'v1' : hasFirst ? 'hybrid' : 'v2',
    unified: unified?.mount,
    systemd: first.find(({ controllers }) => controllers.includes('name=systemd'))?.mount,
    controllers: controllersOf(hierarchies, !hasFirst),
    hierarchies,
  };
}

function controllersOf(hierarchies: readonly Hierarchy[], onlyV2: boolean): CgroupLayout['controllers'] {
  const found = new Map<string, { readonly mount: string; readonly version: 1 | 2 }>();
  for (const { mount, version, controllers } of hierarchies) {
    for (const name of controllers) if (!name.startsWith('name=')) found.set(name, { mount, version });
    if (version === 1 || !onlyV2) continue;
    for (const name of inherentInV2) found.set(name, { mount, version });
    for (const [old, today] of Object.entries(renamedInV2)) {
      if (controllers.includes(today)) found.set(old, { mount, version });
    }
  }
  return found;
}

/** The other words among a version 1 mount's options. */
const notControllers = /^(rw|ro|xattr|clone_children|noprefix|cpuset_v2_mode|release_agent=.*)$/;

function isController(option: string): boolean {
  return !notControllers.test(option);
}
