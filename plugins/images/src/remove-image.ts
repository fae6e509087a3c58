import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { conflict } from '@gantry/core/errors';
import type { Platform } from './configuration/platform.js';
import { LayerCollector } from './layers/layer-collector.js';
import { formatReference, parseReference, tryParseReference } from './reference/image-reference.js';
import { shortId } from './reference/short-id.js';
import { RegisteredUsers } from './registered-users.js';
import { ImageEvents } from './store/image-events.js';
import type { ImageRecord, StoredImage } from './store/image-record.js';
import { ImageStore } from './store/image-store.js';
import { requirePlatform } from './store/require-platform.js';

/** Spec: delete result item. */
export type RemovedItem = { readonly Untagged: string } | { readonly Deleted: string };

interface RemoveOptions {
  readonly force: boolean;
  /** Also remove parents that have no name, no child and no user. */
  readonly prune: boolean;
  /** Only an image for this platform is removed. */
  readonly platform?: Platform | undefined;
}

interface Obstacle {
  readonly reason: string;
  /** Holds even with `force`. */
  readonly hard: boolean;
}

const repositoryOf = (name: string): string => name.replace(/(@|:(?=[^/]*$)).*$/, '');

/** Removes names, and the image with its layers once it has none. Spec: DELETE /images/(name). */
@injectable()
export class RemoveImage {
  constructor(
    @inject(ImageStore) private readonly store: ImageStore,
    @inject(LayerCollector) private readonly collector: LayerCollector,
    @inject(ImageEvents) private readonly events: ImageEvents,
    @inject(RegisteredUsers) private readonly users: RegisteredUsers,
  ) {}

  /** Rejects `not-found`, `conflict` with the reason. */
  async remove(text: string, options: RemoveOptions): Promise<readonly RemovedItem[]> {
    const discarded = new Map<string, string>();
    const removed = await this.store.exclusive(() => this.#remove(text, options, discarded));
    const kept = await this.collector.discard([...discarded.keys()]);
    crashPoint('image.remove.discarded');
    const keptChainIds = new Set(kept.map((storageId) => discarded.get(storageId)));
    return removed.filter((item) => !('Deleted' in item && keptChainIds.has(item.Deleted)));
  }

  /** Removes the records; `discarded` collects the layers removed with them, chain IDs by storage id. */
  async #remove(text: string, options: RemoveOptions, discarded: Map<string, string>): Promise<readonly RemovedItem[]> {
    const image = requirePlatform(this.store.resolve(text), text, options.platform);
    const { id } = image.record;
    const removed: RemovedItem[] = [];
    const names = this.store.referencesOf(id);
    if (!this.store.isIdOf(text, id)) {
      const name = formatReference(tryParseReference(text) ?? parseReference(text));
      this.#refuseLastNameOfUsed(text, id, names, options.force);
      await this.#untag(id, [name], removed, this.#digestsWithoutTag(name, names));
      if (this.store.referencesOf(id).length > 0) return removed;
      // The name is removed in any case; an image that a container or a child image needs stays, untagged.
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
      const chain = this.collector.unneededWithout(new Set([id]));
      for (const chainId of chain) {
        const storageId = this.store.layer(chainId)?.storageId;
        if (storageId !== undefined) discarded.set(storageId, chainId);
      }
      await this.store.remove({ images: [id], layers: chain });
      crashPoint('image.remove.recorded');
      this.events.publish('delete', id, id);
      removed.push({ Deleted: id }, ...chain.map((chainId) => ({ Deleted: chainId })));
      current = options.prune && parent !== undefined ? this.#prunable(parent) : undefined;
    }
  }

  /** The image, unless it has a name or something needs it. */
  #prunable(id: string): StoredImage | undefined {
    const isFree = this.store.referencesOf(id).length === 0 && this.#obstacle(id, false) === undefined;
    return isFree ? this.store.byId(id) : undefined;
  }

  /** @param digests go with the names, without events of their own. */
  async #untag(
    id: string,
    names: readonly string[],
    removed: RemovedItem[],
    digests: readonly string[] = [],
  ): Promise<void> {
    if (names.length === 0) return;
    await this.store.remove({ references: [...names, ...digests] });
    crashPoint('image.remove.untagged');
    removed.push(...[...names, ...digests].map((name) => ({ Untagged: name })));
    for (const _ of names) this.events.publish('untag', id, id);
  }

  /** The digests of a repository, which are removed with its last tag. */
  #digestsWithoutTag(name: string, names: readonly string[]): readonly string[] {
    if (name.includes('@')) return [];
    const others = names.filter((other) => other !== name && repositoryOf(other) === repositoryOf(name));
    return others.every((other) => other.includes('@')) ? others : [];
  }

  #refuseLastNameOfUsed(text: string, id: string, names: readonly string[], force: boolean): void {
    const user = this.users.usersOf(id)[0];
    if (force || user === undefined || !isOneRepository(names)) return;
    throw conflict(
      `conflict: unable to remove repository reference "${text}" (must force) - container ${shortId(user.containerId)} is using its referenced image ${shortId(id)}`,
    );
  }

  /** The reason why an image cannot be deleted, apart from its names. */
  #obstacle(id: string, force: boolean): Obstacle | undefined {
    if (this.store.childrenOf(id).length > 0) return { reason: 'image has dependent child images', hard: true };
    const users = this.users.usersOf(id);
    const running = users.find((user) => user.running);
    if (running !== undefined) {
      return { reason: `image is being used by running container ${shortId(running.containerId)}`, hard: true };
    }
    const stopped = users[0];
    if (stopped === undefined || force) return undefined;
    return { reason: `image is being used by stopped container ${shortId(stopped.containerId)}`, hard: false };
  }

  #refuse(id: string, obstacle: Obstacle | undefined): void {
    if (obstacle === undefined) return;
    const advice = obstacle.hard ? 'cannot be forced' : 'must be forced';
    throw conflict(`conflict: unable to delete ${shortId(id)} (${advice}) - ${obstacle.reason}`);
  }
}

/** At most one tag, and every name in one repository. */
function isOneRepository(names: readonly string[]): boolean {
  const tags = names.filter((name) => !name.includes('@'));
  return tags.length <= 1 && new Set(names.map(repositoryOf)).size <= 1;
}
