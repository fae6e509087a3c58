import type { Health, LiveFacts } from './interfaces.js';
import { directoryOf, type Parts, storageOf } from './parts.js';
import type { ContainerRecord } from './record.js';
import { isAlive } from './transitions.js';

/** What other areas know of containers and inspect shows. */
export class LiveSources {
  readonly execs = new Set<(containerId: string) => readonly string[]>();
  readonly health = new Set<(containerId: string) => Health | undefined>();
}

const hasEnded = ({ state: { status } }: ContainerRecord): boolean =>
  status === 'exited' || status === 'restarting' || status === 'dead';

/** What is known of a container beyond its record, from memory. */
export function liveFacts(parts: Parts, sources: LiveSources, record: ContainerRecord): LiveFacts {
  const { id } = record;
  const health = [...sources.health].map((source) => source(id)).find((found) => found !== undefined);
  const sandboxPath = isAlive(record.state) ? `/proc/${record.state.pid}/ns/net` : undefined;
  return {
    // Those of a run that is over are on their way back.
    endpoints: hasEnded(record) ? [] : parts.networks.endpointsOf(id),
    execIds: [...sources.execs].flatMap((source) => [...source(id)]),
    logPath: parts.logs.pathOf(record),
    directory: directoryOf(parts, id),
    ...(sandboxPath !== undefined && { sandboxPath }),
    ...(health !== undefined && { health }),
  };
}

/** The same with sizes, which are measured on disk. */
export async function measuredFacts(parts: Parts, sources: LiveSources, record: ContainerRecord): Promise<LiveFacts> {
  const image = parts.images.byId(record.imageId);
  const writable = await storageOf(parts, record).writableSize(record.id);
  const sizes = { writable, rootfs: writable + (image?.size ?? 0) };
  return { ...liveFacts(parts, sources, record), sizes };
}
