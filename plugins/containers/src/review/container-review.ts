import { inject, injectable } from '@gantry/core/driver';
import { kindOf } from '@gantry/core/errors';
import { type Volume, VolumeService } from '@gantry/volumes/service';
import type { PreparedMount } from '../configuration/mounts/prepared-mount.js';
import type { PreparedContainer } from '../configuration/prepared-container.js';
import type { ContainerRecord } from '../record.js';
import { ContainerStore } from '../store/container-store.js';
import { type EffectiveContainer, type EffectiveMount, effectiveContainer } from './effective-container.js';

/** Judges the body that would create the container as it would run; rejects when it must not. */
export type Judge = (effective: () => Promise<EffectiveContainer>) => Promise<void>;

/** Has containers judged as they would run, whatever names they reach a namespace, a network, a path or a device by. */
@injectable()
export class ContainerReview {
  constructor(
    @inject(ContainerStore) private readonly store: Pick<ContainerStore, 'lookup'>,
    @inject(VolumeService.token) private readonly volumes: Pick<VolumeService, 'get'>,
  ) {}

  ofPrepared(prepared: PreparedContainer, imageName: string, judge: Judge): Promise<void> {
    return judge(async () =>
      effectiveContainer({ ...prepared, imageName, mounts: await this.#mounts(prepared.mounts) }, this.store.lookup),
    );
  }

  ofRecord(record: ContainerRecord, judge: Judge): Promise<void> {
    return judge(async () =>
      effectiveContainer({ ...record, mounts: await this.#mounts(record.mounts) }, this.store.lookup),
    );
  }

  #mounts(mounts: readonly PreparedMount[]): Promise<EffectiveMount[]> {
    return Promise.all(
      mounts.map(async (mount) => {
        if (mount.type !== 'volume') return { mount };
        const existing = mount.name ? await this.#volume(mount.name) : undefined;
        const driver = existing?.driver ?? mount.driver ?? '';
        return { mount, volume: { driver, options: existing?.options ?? mount.volumeOptions ?? {} } };
      }),
    );
  }

  /** Undefined: the create makes it. */
  async #volume(name: string): Promise<Volume | undefined> {
    try {
      return await this.volumes.get(name);
    } catch (error) {
      if (kindOf(error) === 'not-found') return undefined;
      throw error;
    }
  }
}
