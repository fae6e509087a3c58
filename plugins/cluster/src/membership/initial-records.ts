import type { ClusterChange } from '@gantry/core/contracts';
import type { ClusterState } from '../records/cluster-kind.js';

type Source = (cluster: ClusterState) => readonly ClusterChange[];

/** Records of other areas that every new swarm has. */
export class InitialRecords {
  readonly #sources = new Set<Source>();

  add(source: Source): () => void {
    this.#sources.add(source);
    return () => void this.#sources.delete(source);
  }

  changesFor(cluster: ClusterState): readonly ClusterChange[] {
    return [...this.#sources].flatMap((source) => source(cluster));
  }
}
