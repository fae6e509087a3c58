import type { ContainerArea } from './container-area.js';
import type { ListQuery, LiveFacts } from './interfaces.js';
import { liveFacts, measuredFacts } from './live.js';
import type { Parts } from './parts.js';
import type { ContainerRecord } from './record.js';
import { linkNames } from './sandbox/links.js';

/** Spec: GET /containers/json. */
export async function list(area: ContainerArea, query: ListQuery): Promise<object[]> {
  const { parts, live } = area;
  const chosen = parts.wire.filterContainers(area.list(), query, {
    containers: parts.containers,
    descendants: (reference) => parts.images.descendants(reference),
    live: (record) => liveFacts(parts, live, record),
  });
  const now = new Date(Number(parts.clock.now() / 1_000_000n));
  const names = linkNames(area.list());
  const item = (record: ContainerRecord, facts: LiveFacts) => {
    const inList = { imageMoved: !namesItsImage(parts, record), linkNames: names.get(record.id) ?? [] };
    return parts.wire.toSummary(record, { ...facts, ...inList }, now);
  };
  if (!query.size) return chosen.map((record) => item(record, liveFacts(parts, live, record)));
  return Promise.all(chosen.map(async (record) => item(record, await measuredFacts(parts, live, record))));
}

/** Whether the name a container was created from still stands for the image it was made from. */
function namesItsImage({ images }: Parts, { imageName, imageId }: ContainerRecord): boolean {
  try {
    return images.get(imageName).id === imageId;
  } catch {
    return false;
  }
}
