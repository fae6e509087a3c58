import type { NodeRoute, NodeRouteTable } from '@gantry/lib-cluster-protocol';

/** What this engine answers to other nodes while it is the leader: areas add their paths once. */
export class AnsweredPaths implements NodeRouteTable {
  readonly #routes = new Map<string, NodeRoute>();

  get(path: string): NodeRoute | undefined {
    return this.#routes.get(path);
  }

  /** @returns removes it. */
  add(path: string, route: NodeRoute): () => void {
    this.#routes.set(path, route);
    return () => void this.#routes.delete(path);
  }
}
