import type { Health } from '../interfaces.js';
import { directoryOf, type Parts, storageOf } from '../parts.js';
import type { ContainerRecord } from '../record.js';
import { isAlive } from '../transitions.js';
import type { ListedFacts, LiveFacts } from '../wire/live-facts.js';
import { loggedContainer } from './logged-containers.js';

/** What other areas know of containers and inspect shows. */
export class LiveSources {
  readonly execs = new Set<(containerId: string) => readonly string[]>();
  readonly health = new Set<(containerId: string) => Health | undefined>();
}

const hasEnded = ({ state: { status } }: ContainerRecord): boolean =>
  status === 'exited' || status === 'restarting' || status === 'dead';

/** What a list tells of a container, asked of a thousand at once. */
export function listedFacts(
  { networks }: Pick<Parts, 'networks'>,
  sources: LiveSources,
  record: ContainerRecord,
): ListedFacts {
  // Those of a run that is over are on their way back.
  const endpoints = hasEnded(record) ? [] : networks.endpointsOf(record.id);
  for (const source of sources.health) {
    const health = source(record.id);
    if (health !== undefined) return { endpoints, health };
  }
  return { endpoints };
}

/** What is known of a container beyond its record, from memory. */
export function liveFacts(parts: Parts, sources: LiveSources, record: ContainerRecord): LiveFacts {
  const { id } = record;
  const sandboxPath = isAlive(record.state) ? `/proc/${record.state.pid}/ns/net` : undefined;
  return {
    ...listedFacts(parts, sources, record),
    execIds: [...sources.execs].flatMap((source) => [...source(id)]),
    logPath: record.everStarted ? parts.logs.pathOf(loggedContainer(parts, record)) : '',
    directory: directoryOf(parts, id),
    ...(sandboxPath !== undefined && { sandboxPath }),
  };
}

/** Bytes, measured on disk. */
export async function measuredSizes(parts: Parts, record: ContainerRecord): Promise<NonNullable<ListedFacts['sizes']>> {
  const image = parts.images.byId(record.imageId);
  const writable = await storageOf(parts, record).writableSize(record.id);
  return { writable, rootfs: writable + (image?.size ?? 0) };
}
