import { crashPoint } from '@gantry/core/contracts';
import { conflict } from '@gantry/core/errors';
import type { ImageEvents } from './image-events.js';
import type { ImageRecord, StoredImage } from './image-record.js';
import type { Layers } from './layers.js';
import { formatReference, parseReference } from './reference.js';
import type { ImageUsers } from './service.js';
import type { ImageStore } from './store.js';

/** Spec: delete result item. */
export type RemovedItem = { readonly Untagged: string } | { readonly Deleted: string };

export interface RemoveOptions {
  readonly force: boolean;
  /** Also remove parents that nothing needs any more. */
  readonly prune: boolean;
}

interface Obstacle {
  readonly reason: string;
  /** `force` does not help. */
  readonly hard: boolean;
}

const short = (id: string): string => id.replace(/^sha256:/, '').slice(0, 12);
const repositoryOf = (name: string): string => name.replace(/(@|:(?=[^/]*$)).*$/, '');

/** DELETE /images/(name): takes references away, and the image with its layers when nothing names it any more. */
export class ImageRemover {
  constructor(
    private readonly store: ImageStore,
    private readonly layers: Layers,
    private readonly events: ImageEvents,
    private readonly users: ImageUsers,
  ) {}

  /** Rejects `not-found`, `conflict` with the reason. */
  async remove(text: string, options: RemoveOptions): Promise<readonly RemovedItem[]> {
    const discarded = new Map<string, string>();
    const removed = await this.store.exclusive(() => this.#remove(text, options, discarded));
    const kept = await this.layers.discard([...discarded.keys()]);
    crashPoint('image.remove.discarded');
    const keptChainIds = new Set(kept.map((storageId) => discarded.get(storageId)));
    return removed.filter((item) => !('Deleted' in item && keptChainIds.has(item.Deleted)));
  }

  /** Takes the image out of the books; `discarded` gets the layers that go with it, chain ids by storage id. */
  async #remove(text: string, options: RemoveOptions, discarded: Map<string, string>): Promise<readonly RemovedItem[]> {
    const image = this.store.resolve(text);
    const { id } = image.record;
    const removed: RemovedItem[] = [];
    const names = this.store.referencesOf(id);
    if (!this.store.isIdOf(text, id)) {
      const name = formatReference(parseReference(text));
      this.#refuseLastNameOfUsed(text, id, names, options.force);
      await this.#untag(id, [name, ...this.#digestsLeftBehind(name, names)], removed);
      if (this.store.referencesOf(id).length > 0) return removed;
      // The name is gone whatever becomes of the image: what still needs it keeps it, untagged.
      if (this.#obstacle(id, options.force) !== undefined) return removed;
    } else {
      const scattered = !options.force && !isOneRepository(names);
      this.#refuse(id, this.#obstacle(id, options.force || scattered));
      if (scattered) this.#refuse(id, { reason: 'image is referenced in multiple repositories', hard: false });
      await this.#untag(id, names, removed);
    }
    await this.#deleteWithParents(image, options, removed, discarded);
    return removed;
  }

  async #deleteWithParents(
    image: StoredImage,
    options: RemoveOptions,
    removed: RemovedItem[],
    discarded: Map<string, string>,
  ): Promise<void> {
    for (let current: StoredImage | undefined = image; current !== undefined; ) {
      const { id, parent }: ImageRecord = current.record;
      const labels = this.events.labelsOf(id);
      const chain = this.layers.unneededWithout(new Set([id]));
      for (const chainId of chain) {
        const storageId = this.store.layer(chainId)?.storageId;
        if (storageId !== undefined) discarded.set(storageId, chainId);
      }
      await this.store.remove({ images: [id], layers: chain });
      crashPoint('image.remove.recorded');
      this.events.publish('delete', id, id, labels);
      removed.push({ Deleted: id }, ...chain.map((chainId) => ({ Deleted: chainId })));
      const above: StoredImage | undefined =
        parent === undefined || !options.prune ? undefined : this.store.byId(parent);
      current =
        above !== undefined &&
        this.store.referencesOf(above.record.id).length === 0 &&
        this.#obstacle(above.record.id, false) === undefined
          ? above
          : undefined;
    }
  }

  async #untag(id: string, names: readonly string[], removed: RemovedItem[]): Promise<void> {
    if (names.length === 0) return;
    await this.store.remove({ references: names });
    crashPoint('image.remove.untagged');
    for (const name of names) {
      removed.push({ Untagged: name });
      this.events.publish('untag', id, id);
    }
  }

  /** Digests of a repository go with its last tag. */
  #digestsLeftBehind(name: string, names: readonly string[]): readonly string[] {
    if (name.includes('@')) return [];
    const others = names.filter((other) => other !== name && repositoryOf(other) === repositoryOf(name));
    return others.every((other) => other.includes('@')) ? others : [];
  }

  #refuseLastNameOfUsed(text: string, id: string, names: readonly string[], force: boolean): void {
    const user = this.users.usersOf(id)[0];
    if (force || user === undefined || !isOneRepository(names)) return;
    throw conflict(
      `conflict: unable to remove repository reference "${text}" (must force) - container ${short(user.containerId)} is using its referenced image ${short(id)}`,
    );
  }

  /** What keeps an image from being deleted; names are not asked for. */
  #obstacle(id: string, force: boolean): Obstacle | undefined {
    if (this.store.childrenOf(id).length > 0) return { reason: 'image has dependent child images', hard: true };
    const users = this.users.usersOf(id);
    const running = users.find((user) => user.running);
    if (running !== undefined) {
      return { reason: `image is being used by running container ${short(running.containerId)}`, hard: true };
    }
    const stopped = users[0];
    if (stopped === undefined || force) return undefined;
    return { reason: `image is being used by stopped container ${short(stopped.containerId)}`, hard: false };
  }

  #refuse(id: string, obstacle: Obstacle | undefined): void {
    if (obstacle === undefined) return;
    const advice = obstacle.hard ? 'cannot be forced' : 'must be forced';
    throw conflict(`conflict: unable to delete ${short(id)} (${advice}) - ${obstacle.reason}`);
  }
}

/** At most one tag, and every name in one repository. */
function isOneRepository(names: readonly string[]): boolean {
  const tags = names.filter((name) => !name.includes('@'));
  return tags.length <= 1 && new Set(names.map(repositoryOf)).size <= 1;
}
