import { ClusterService } from '@gantry/cluster/service';
import { networkKind } from '@gantry/cluster-networks/service';
import { type ClusterChange, type ClusterStore, expectRecord } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { AddressBook } from '../endpoints/address-book.js';
import { withVirtualIps } from '../endpoints/with-virtual-ips.js';
import type { ServiceRecord } from '../records/service-record.js';
import { CheckReferences } from './check-references.js';

/** Stores a service with its virtual addresses, which are allocated in the same transaction. */
@injectable()
export class StoreService {
  constructor(
    @inject(ClusterService.token) private readonly cluster: Pick<ClusterService, 'keepingReferences'>,
    @inject(CheckReferences) private readonly references: CheckReferences,
    @inject(AddressBook) private readonly addresses: AddressBook,
  ) {}

  /**
   * What the service refers to is there when it is stored. Rejects as the store and as {@link CheckReferences} do, also when
   * something was removed meanwhile, and `unavailable`.
   */
  store(
    store: ClusterStore,
    service: ServiceRecord,
    toChange: (service: ServiceRecord) => ClusterChange,
  ): Promise<void> {
    return this.cluster.keepingReferences(() => this.#store(store, service, toChange));
  }

  async #store(
    store: ClusterStore,
    service: ServiceRecord,
    toChange: (service: ServiceRecord) => ClusterChange,
  ): Promise<void> {
    this.references.check(store, service.Spec);
    const allocation = this.addresses.open(store);
    try {
      const complete = withVirtualIps(service, allocation);
      const { current } = store.leadership;
      const networks = [
        ...(service.Spec.TaskTemplate?.Networks ?? []).map(({ Target: target = '' }) => target),
        ...(complete.VirtualIPs ?? []).map(({ NetworkID: id }) => id),
      ];
      const expected = [...new Set(networks)].flatMap((id) => {
        const record = store.get(networkKind, id);
        return record === undefined ? [] : [expectRecord(networkKind, record)];
      });
      const options = current.role === 'leader' ? { epoch: current.epoch } : {};
      await store.transact([toChange(complete), ...expected], options);
    } finally {
      allocation.close();
    }
  }
}
