import type { ContainerArea } from './container-area.js';
import type { ListQuery } from './interfaces.js';
import { liveFacts, measuredFacts } from './live.js';
import type { ContainerRecord } from './record.js';

/** Spec: GET /containers/json. */
export async function list(area: ContainerArea, query: ListQuery): Promise<object[]> {
  const { parts, live } = area;
  const chosen = parts.wire.filterContainers(area.list(), query, {
    containers: parts.containers,
    descendants: (reference) => parts.images.descendants(reference),
    live: (record) => liveFacts(parts, live, record),
  });
  const now = new Date(Number(parts.clock.now() / 1_000_000n));
  const item = (record: ContainerRecord) => parts.wire.toSummary(record, liveFacts(parts, live, record), now);
  if (!query.size) return chosen.map(item);
  return Promise.all(
    chosen.map(async (record) => parts.wire.toSummary(record, await measuredFacts(parts, live, record), now)),
  );
}
