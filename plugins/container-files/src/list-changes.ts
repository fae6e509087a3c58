import { ContainerRoots } from '@gantry/containers/service';
import type { PathChange } from '@gantry/core/contracts';
import { inject, injectable } from '@gantry/core/driver';

/** Spec: filesystem change. */
interface ChangeItem {
  readonly Path: string;
  readonly Kind: number;
}

const kinds: Readonly<Record<PathChange['kind'], number>> = { modified: 0, added: 1, deleted: 2 };

/** Spec: GET /containers/(id)/changes. */
@injectable()
export class ListChanges {
  constructor(@inject(ContainerRoots.token) private readonly roots: ContainerRoots) {}

  async list(reference: string, options: { readonly signal: AbortSignal }): Promise<readonly ChangeItem[]> {
    const changes = await this.roots.changes(reference, options);
    return changes.map(({ path, kind }) => ({ Path: path, Kind: kinds[kind] }));
  }
}
