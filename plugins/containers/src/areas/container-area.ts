import type { TaskStats } from '@gantry/core/contracts';
import { conflict, kindOf } from '@gantry/core/errors';
import type { ImageUser } from '@gantry/images/service';
import type { Health } from '../interfaces.js';
import { type Parts, runtimeOf, storageOf } from '../parts.js';
import type { ContainerRecord } from '../record.js';
import { liveLinks } from '../sandbox/links.js';
import type { ContainerCounts, ContainerService, ExecTarget } from '../service.js';
import { isAlive, isRunning } from '../transitions.js';
import { notRunning } from '../verbs/kill.js';
import { LiveSources } from './live.js';

/** What other areas get of this one. */
export class ContainerArea implements ContainerService {
  readonly live = new LiveSources();

  constructor(readonly parts: Parts) {}

  get(reference: string): ContainerRecord {
    return this.parts.store.get(reference).record;
  }

  find(id: string): ContainerRecord | undefined {
    return this.parts.store.byId(id)?.record;
  }

  async taskStats(id: string): Promise<TaskStats | undefined> {
    const record = this.find(id);
    if (record === undefined || !isAlive(record.state)) return undefined;
    try {
      return await runtimeOf(this.parts, record).stats(id);
    } catch (error) {
      if (kindOf(error) === 'not-found') return undefined;
      throw error;
    }
  }

  list(): readonly ContainerRecord[] {
    return Array.from(this.parts.store.all(), (container) => container.record);
  }

  counts(): ContainerCounts {
    let running = 0;
    let paused = 0;
    for (const { record } of this.parts.store.all()) {
      if (record.state.status === 'paused') paused++;
      else if (isRunning(record.state)) running++;
    }
    const total = this.parts.store.size;
    return { total, running, paused, stopped: total - running - paused };
  }

  execTarget(reference: string): ExecTarget {
    const { parts } = this;
    const container = parts.store.get(reference);
    const { record } = container;
    const { id, state } = record;
    if (state.status === 'paused') throw conflict(`Container ${id} is paused, unpause the container before exec`);
    if (state.status === 'restarting') {
      throw conflict(`Container ${id} is restarting, wait until the container is running`);
    }
    if (!isAlive(state)) throw notRunning(container);
    return {
      container: record,
      runtime: runtimeOf(parts, record),
      process: async (exec) => {
        // Mounted already: this only asks where.
        const rootfs = await storageOf(parts, record).mount(id);
        const links = liveLinks(container.record, parts.containers, parts.networks);
        return parts.bundles.execProcess({ record: container.record, links, rootfs, exec });
      },
    };
  }

  publish(containerId: string, action: string, attributes?: Readonly<Record<string, string>>): void {
    const container = this.parts.store.byId(containerId);
    if (container !== undefined) this.parts.events.publish(container.record, action, attributes);
  }

  addExecs(source: (containerId: string) => readonly string[]): () => void {
    this.live.execs.add(source);
    return () => this.live.execs.delete(source);
  }

  addHealth(source: (containerId: string) => Health | undefined): () => void {
    this.live.health.add(source);
    return () => this.live.health.delete(source);
  }

  onExit(listener: (containerId: string) => void): () => void {
    return this.parts.exitListeners.add(listener);
  }

  /** Containers of any state made from an image. */
  usersOfImage(imageId: string): readonly ImageUser[] {
    return this.list()
      .filter((record) => record.imageId === imageId)
      .map((record) => ({ containerId: record.id, running: isRunning(record.state) }));
  }

  /** Ids of containers of any state that name a volume. */
  usersOfVolume(volume: string): readonly string[] {
    return this.list()
      .filter(({ mounts }) => mounts.some((mount) => mount.type === 'volume' && mount.name === volume))
      .map(({ id }) => id);
  }
}
