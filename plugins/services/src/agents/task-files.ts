import {
  ClusterService,
  configs,
  type ManagerSession,
  nodes,
  type SealedObject,
  secrets,
} from '@gantry/cluster/service';
import type { RecordKind } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';
import { notFound } from '@gantry/core/errors';
import type { AssignedTask, TaskFile } from '../service.js';
import { idAndNameOf } from '../spec/check-file-references.js';
import { expandContainer } from '../spec/expand-container.js';
import type { ConfigReference, SecretReference } from '../spec/service-spec.js';
import { taskFields } from '../templates/task-fields.js';
import { expandFile } from './expand-file.js';

/** The secrets and configs of tasks, decrypted. */
@injectable()
export class TaskFiles {
  constructor(@inject(ClusterService.token) private readonly cluster: Pick<ClusterService, 'contentOf'>) {}

  /** Rejects `not-found` naming a file that is gone, and `invalid-argument` naming one whose template is not understood. */
  async filesOf(session: ManagerSession, nodeId: string, task: AssignedTask): Promise<readonly TaskFile[]> {
    const { Configs: ownConfigs = [], Secrets: ownSecrets = [] } = task.spec.ContainerSpec ?? {};
    const files = [
      ...ownSecrets.map((reference) => this.#file(session, secrets, 'secret', reference)),
      ...ownConfigs.map((reference) => this.#file(session, configs, 'config', reference)),
    ];
    const { Hostname: hostname = '', Platform: platform = { Architecture: '', OS: '' } } =
      session.store.get(nodes, nodeId)?.value.description ?? {};
    const fields = taskFields(task, { id: nodeId, hostname, platform });
    if (!files.some(({ isTemplate }) => isTemplate)) return files.map(({ isTemplate: _, ...file }) => file);
    const { Env: environment = [] } = expandContainer({ Env: task.spec.ContainerSpec?.Env ?? [] }, fields);
    return files.map(({ isTemplate, ...file }) =>
      isTemplate ? expandFile(file, { fields, files, environment }) : file,
    );
  }

  #file(
    { store }: ManagerSession,
    kind: RecordKind<SealedObject>,
    kindName: TaskFile['kind'],
    reference: SecretReference | ConfigReference,
  ): StoredFile {
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
      isTemplate: record.value.spec.Templating !== undefined,
    };
  }
}

type StoredFile = TaskFile & { readonly isTemplate: boolean };
