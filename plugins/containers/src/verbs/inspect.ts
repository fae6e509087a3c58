import { kindOf } from '@gantry/core/errors';
import type { ContainerArea } from '../areas/container-area.js';
import { liveFacts, measuredSizes } from '../areas/live.js';
import { type Parts, storageOf } from '../parts.js';
import type { ContainerRecord } from '../record.js';

/** Spec: GET /containers/(id)/json. */
export async function inspect(
  area: ContainerArea,
  reference: string,
  options: { readonly size: boolean },
): Promise<object> {
  const { parts, live } = area;
  const { record } = parts.store.get(reference);
  const sizes = options.size ? { sizes: await measuredSizes(parts, record) } : {};
  const storage = await storageFacts(parts, record);
  return parts.wire.toInspect(record, { ...liveFacts(parts, live, record), ...sizes, storage });
}

/** A container can be looked at even when the driver that holds it is gone, or, in its removal, what that held. */
async function storageFacts(parts: Parts, record: ContainerRecord): Promise<Readonly<Record<string, string>>> {
  if (!parts.storages.has(record.storageDriver)) return {};
  try {
    return await storageOf(parts, record).describe(record.id, 'writable');
  } catch (error) {
    if (kindOf(error) !== 'not-found') throw error;
    return {};
  }
}
