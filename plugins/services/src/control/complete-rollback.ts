import type { ClusterStore } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { EngineError } from '@gantry/core/errors';
import { CheckReferences } from '../commands/check-references.js';
import { restorePorts } from '../commands/restore-ports.js';
import type { AddressAllocation } from '../endpoints/address-book.js';
import { withVirtualIps } from '../endpoints/with-virtual-ips.js';
import type { ServiceDraft } from '../orchestration/service-draft.js';

/** Gives a service that the rules roll back the ports and virtual addresses of its earlier specification. */
@injectable()
export class CompleteRollback {
  constructor(@inject(CheckReferences) private readonly references: CheckReferences) {}

  /** Pauses the update instead where that is not possible, and says why: something is gone, or another service has it. */
  complete(store: ClusterStore, draft: ServiceDraft, allocation: AddressAllocation): void {
    const { service, serviceBefore } = draft;
    if (service?.UpdateStatus === undefined || serviceBefore?.UpdateStatus === undefined) return;
    try {
      this.references.check(store, service.Spec);
      draft.service = withVirtualIps(restorePorts(store, service), allocation);
    } catch (error) {
      if (!EngineError.is(error)) throw error;
      const message = `${service.UpdateStatus.Message.replace('update rolled back', 'update paused')}: it cannot be rolled back: ${error.message}`;
      draft.service = {
        ...serviceBefore,
        UpdateStatus: { ...serviceBefore.UpdateStatus, State: 'paused', Message: message },
      };
    }
  }
}
