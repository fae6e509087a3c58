import { ClusterService } from '@gantry/cluster/service';
import { deleteRecord, TransactionConflict } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { serviceKind } from '../records/record-kinds.js';
import { findService } from './find-service.js';

/** Spec: DELETE /services/(id). */
@injectable()
export class RemoveService {
  constructor(@inject(ClusterService.token) private readonly cluster: ClusterService) {}

  /** Resolves when the service is gone; the orchestrator has its tasks stopped and removed. */
  async remove(reference: string): Promise<void> {
    const { store } = await this.cluster.manager();
    const { id } = findService(store, reference);
    for (;;) {
      const record = store.get(serviceKind, id);
      if (record === undefined) return;
      try {
        await store.transact([deleteRecord(serviceKind, record)]);
        crashPoint('services.remove.stored');
      } catch (error) {
        // An update was faster: what is removed is the service, whatever it says.
        if (!TransactionConflict.is(error) || error.reason !== 'revision') throw error;
      }
    }
  }
}
