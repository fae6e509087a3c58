import type { ServiceRecord } from '../records/service-record.js';
import type { TaskRecord } from '../records/task-record.js';
import { replicasOf } from '../spec/service-mode.js';
import { occupiedSlots } from './occupied-slots.js';
import type { ServiceDraft } from './service-draft.js';

/** Gives a replicated service as many slots as it has replicas. */
export function scaleService(draft: ServiceDraft, service: ServiceRecord): void {
  const occupied = [...occupiedSlots(draft).values()];
  const missing = replicasOf(service.Spec) - occupied.length;
  if (missing > 0)
    for (const slot of freeSlots(occupied, missing)) draft.create(service, { Slot: slot, DesiredState: 'ready' });
  if (missing < 0) removeSlots(draft, surplusOf(occupied, -missing));
}

function* freeSlots(occupied: readonly TaskRecord[], count: number): Iterable<number> {
  const used = new Set(occupied.map(({ Slot: slot }) => slot));
  for (let slot = 1, found = 0; found < count; slot++) {
    if (used.has(slot)) continue;
    found++;
    yield slot;
  }
}

/** Tasks that do not run go first, then those of the nodes that have the most, then the highest slots. */
function surplusOf(occupied: readonly TaskRecord[], count: number): readonly TaskRecord[] {
  const ordered = [...occupied].sort((left, right) => (left.Slot ?? 0) - (right.Slot ?? 0));
  const onNode = new Map<string, number>();
  const ranked = ordered.map((task) => {
    const isRunning = task.Status.State === 'running';
    const node = task.NodeID ?? '';
    const rank = isRunning ? (onNode.get(node) ?? 0) + 1 : Number.POSITIVE_INFINITY;
    if (isRunning) onNode.set(node, rank);
    return { task, rank };
  });
  ranked.sort((left, right) => (left.rank === right.rank ? 0 : left.rank - right.rank));
  return ranked.slice(-count).map(({ task }) => task);
}

function removeSlots(draft: ServiceDraft, surplus: readonly TaskRecord[]): void {
  const slots = new Set(surplus.map(({ Slot: slot }) => slot));
  for (const task of draft.tasks) if (slots.has(task.Slot)) draft.change(task, { DesiredState: 'remove' });
}
