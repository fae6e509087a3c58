import { ClusterService, configs, type ManagerSession, type SealedObject, secrets } from '@gantry/cluster/service';
import type { RecordKind } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import type { AssignedTask, TaskFile } from '../service.js';
import { idAndNameOf } from '../spec/check-file-references.js';
import type { ConfigReference, SecretReference } from '../spec/service-spec.js';

/** The secrets and configs of tasks, decrypted. */
@injectable()
export class TaskFiles {
  constructor(@inject(ClusterService.token) private readonly cluster: Pick<ClusterService, 'contentOf'>) {}

  async filesOf(session: ManagerSession, task: AssignedTask): Promise<readonly TaskFile[]> {
    const { Configs: ownConfigs = [], Secrets: ownSecrets = [] } = task.spec.ContainerSpec ?? {};
    return [
      ...ownSecrets.map((reference) => this.#file(session, secrets, 'secret', reference)),
      ...ownConfigs.map((reference) => this.#file(session, configs, 'config', reference)),
    ];
  }

  #file(
    { store }: ManagerSession,
    kind: RecordKind<SealedObject>,
    kindName: TaskFile['kind'],
    reference: SecretReference | ConfigReference,
  ): TaskFile {
    const { id, name } = idAndNameOf(reference);
    const record = store.get(kind, id);
    if (record === undefined) throw notFound(`${kindName} ${name} (${id}) not found`);
    const { GID: gid = '', Mode: mode = 0o444, Name: target = name, UID: uid = '' } = reference.File ?? {};
    return {
      kind: kindName,
      id,
      name,
      target,
      uid: Number(uid),
      gid: Number(gid),
      mode,
      data: this.cluster.contentOf(record),
    };
  }
}
