import type { ContainerArea } from '../areas/container-area.js';
import { listedFacts, measuredSizes } from '../areas/live.js';
import type { Parts } from '../parts.js';
import type { ContainerRecord } from '../record.js';
import { linkNames } from '../sandbox/links.js';
import type { ListQuery } from '../wire/list-query.js';

/** Spec: GET /containers/json, as JSON text. */
export async function list(area: ContainerArea, query: ListQuery): Promise<string> {
  const { parts, live } = area;
  const all = area.list();
  const chosen = parts.wire.filterContainers(all, query, {
    containers: parts.containers,
    descendants: (reference) => parts.images.descendants(reference),
    live: (record) => listedFacts(parts, live, record),
  });
  const sizes = query.size ? await Promise.all(chosen.map((record) => measuredSizes(parts, record))) : [];
  const now = new Date(Number(parts.clock.now() / 1_000_000n));
  const names = linkNames(all);
  const isMoved = movedImages(parts);
  const items = chosen.map((record, index) => {
    const facts = {
      ...listedFacts(parts, live, record),
      imageMoved: isMoved(record),
      linkNames: names.get(record.id) ?? [],
      ...(sizes[index] !== undefined && { sizes: sizes[index] }),
    };
    return parts.wire.toSummary(record, facts, now);
  });
  return `[${items.join(',')}]\n`;
}

/** Whether the name a container was created from stands for another image than the one it was made from, or for none. */
function movedImages({ images }: Parts): (record: ContainerRecord) => boolean {
  const ids = new Map<string, string | undefined>();
  const idOf = (name: string): string | undefined => {
    try {
      return images.get(name).id;
    } catch {
      return undefined;
    }
  };
  return ({ imageName, imageId }) => {
    if (!ids.has(imageName)) ids.set(imageName, idOf(imageName));
    return ids.get(imageName) !== imageId;
  };
}
