import type { PathChange } from '@gantry/core/contracts';
import { type Parts, storageOf } from '../parts.js';
import type { ContainerRoots, HeldRoot, NetworkFile } from './container-roots.js';
import { holdRoot } from './hold-root.js';
import { networkFiles } from './network-files.js';
import { withoutOwnPlaces } from './own-places.js';

/** Root file systems of the containers of this engine. */
export class EngineContainerRoots implements ContainerRoots {
  constructor(private readonly parts: Parts) {}

  async hold(reference: string, options: { readonly volumes: boolean }): Promise<HeldRoot> {
    return holdRoot(this.parts, this.parts.store.get(reference), options);
  }

  async networkFiles(containerId: string): Promise<readonly NetworkFile[]> {
    return networkFiles(this.parts, this.parts.store.get(containerId).record);
  }

  async changes(reference: string, options: { readonly signal: AbortSignal }): Promise<readonly PathChange[]> {
    const { record } = this.parts.store.get(reference);
    return withoutOwnPlaces(await storageOf(this.parts, record).changes(record.id, options));
  }
}
