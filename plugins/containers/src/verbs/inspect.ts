import type { ContainerArea } from '../areas/container-area.js';
import { liveFacts, measuredSizes } from '../areas/live.js';
import { storageOf } from '../parts.js';

/** Spec: GET /containers/(id)/json. */
export async function inspect(
  area: ContainerArea,
  reference: string,
  options: { readonly size: boolean },
): Promise<object> {
  const { parts, live } = area;
  const { record } = parts.store.get(reference);
  const sizes = options.size ? { sizes: await measuredSizes(parts, record) } : {};
  // A container can be looked at even when the driver that holds it is gone.
  const hasStorage = parts.storages.has(record.storageDriver);
  const storage = hasStorage ? await storageOf(parts, record).describe(record.id, 'writable') : {};
  return parts.wire.toInspect(record, { ...liveFacts(parts, live, record), ...sizes, storage });
}
