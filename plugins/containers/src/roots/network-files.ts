import { access } from 'node:fs/promises';
import { directoryOf, type Parts } from '../parts.js';
import type { ContainerRecord } from '../record.js';
import { joinedContainer } from '../sandbox/joined-container.js';
import type { NetworkFile } from './container-roots.js';

/** Those of the container whose network it is in. There are none before the first start. */
export async function networkFiles(parts: Parts, record: ContainerRecord): Promise<readonly NetworkFile[]> {
  if (!record.everStarted) return [];
  const directory = directoryOf(parts, ownerOf(parts, record)?.id ?? record.id);
  const files = ['hosts', 'hostname', 'resolv.conf'].map((name) => ({
    source: `${directory}/${name}`,
    target: `/etc/${name}`,
  }));
  const exist = await Promise.all(files.map(({ source }) => exists(source)));
  return files.filter((_, index) => exist[index]);
}

function ownerOf(parts: Parts, record: ContainerRecord): ContainerRecord | undefined {
  let owner: ContainerRecord | undefined = record;
  // A ring of containers cannot run, but it can be recorded.
  for (let steps = 0; owner !== undefined && steps < 16; steps++) {
    const other = joinedContainer(owner.hostConfig.NetworkMode);
    if (other === undefined) return owner;
    owner = find(parts, other);
  }
  return undefined;
}

function find(parts: Parts, reference: string): ContainerRecord | undefined {
  try {
    return parts.containers.get(reference);
  } catch {
    return undefined;
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
