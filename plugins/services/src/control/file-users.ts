import type { ManagerSession, SealedObjectUsers } from '@gantry/cluster/service';
import { injectable } from '@gantry/core/driver';
import { serviceKind } from '../records/record-kinds.js';
import { idAndNameOf } from '../spec/check-file-references.js';

/** The services that use a secret or config. */
@injectable()
export class FileUsers implements SealedObjectUsers {
  usersOf({ store }: ManagerSession, id: string): readonly string[] {
    return store
      .list(serviceKind)
      .filter(({ value: { Spec: spec } }) => {
        const { Configs: configs = [], Secrets: secrets = [] } = spec.TaskTemplate?.ContainerSpec ?? {};
        return [...secrets, ...configs].some((reference) => idAndNameOf(reference).id === id);
      })
      .map(({ value }) => value.Spec.Name ?? '');
  }
}
