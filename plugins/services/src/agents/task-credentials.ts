import { ClusterService, type ManagerSession } from '@gantry/cluster/service';
import { inject, injectable } from '@gantry/core/driver';
import { decodeRegistryAuth, type RegistryCredentials } from '@gantry/engine-api/service';
import { serviceKind } from '../records/record-kinds.js';
import type { AssignedTask } from '../service.js';

/** With what the images of tasks are pulled, decrypted. */
@injectable()
export class TaskCredentials {
  constructor(@inject(ClusterService.token) private readonly cluster: Pick<ClusterService, 'unseal'>) {}

  of({ store }: ManagerSession, { serviceId }: AssignedTask): RegistryCredentials | undefined {
    const sealed = store.get(serviceKind, serviceId)?.value.Credentials;
    return sealed === undefined ? undefined : decodeRegistryAuth(this.cluster.unseal(sealed).toString());
  }
}
