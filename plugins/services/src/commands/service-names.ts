import { generateName } from '@gantry/containers/service';
import type { ClusterStore } from '@gantry/core/contracts';
import { injectable } from '@gantry/core/driver';
import { serviceKind } from '../records/record-kinds.js';

/** Names for services whose clients give none. */
@injectable()
export class ServiceNames {
  generate(store: ClusterStore): string {
    return generateName((candidate) => store.byName(serviceKind, candidate) !== undefined);
  }
}
