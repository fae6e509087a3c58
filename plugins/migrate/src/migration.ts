import { chmod, chown, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArchiveDriver } from '@gantry/core/contracts';
import type { OfflineContext } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import { ApiError, type ContainerCreateBody, type EngineClient, type NetworkCreateBody } from 'gantry-client';
import type { DockerContainer } from './docker-root/docker-containers.js';
import type { DockerImage } from './docker-root/docker-images.js';
import type { DockerNetwork } from './docker-root/docker-networks.js';
import type { DockerVolume } from './docker-root/docker-volumes.js';
import { imageArchive } from './image-archive.js';
import { changesCommand } from './layer-changes.js';
import type { MigrationRecord } from './migration-record.js';

/** What became of one object. */
export type Outcome =
  | { readonly what: string; readonly is: 'moved' | 'there already'; readonly note?: string }
  | { readonly what: string; readonly is: 'not moved'; readonly reason: string };

interface MigrationParts {
  readonly engine: EngineClient;
  readonly record: MigrationRecord;
  readonly archive: ArchiveDriver;
  readonly ask: OfflineContext['ask'];
}

/** Makes objects of a Docker data root in the engine, one at a time. What was made before is left as it is. */
export class Migration {
  constructor(private readonly parts: MigrationParts) {}

  image(image: DockerImage): Promise<Outcome> {
    const [name = image.id.slice(7, 19)] = image.names;
    return this.#attempt(`image ${name}`, async (what) => {
      const { engine } = this.parts;
      if (await isThere(engine.images.inspect(image.id))) return { what, is: 'there already' };
      await engine.images.load(imageArchive(image));
      const lost =
        image.digests.length === 0 ? {} : { note: `without ${image.digests.join(', ')}, which a pull brings back` };
      return { what, is: 'moved', ...lost };
    });
  }

  network(network: DockerNetwork): Promise<Outcome> {
    return this.#attempt(`network ${network.name}`, async (what) => {
      if (network.scope !== 'local') {
        return { what, is: 'not moved', reason: `it belongs to a swarm (scope ${network.scope})` };
      }
      const { engine, record } = this.parts;
      if (await isThere(engine.networks.get(network.name).inspect())) {
        return this.#isOwn(what) ? { what, is: 'there already' } : foreign(what);
      }
      await record.set(what, 'begun');
      await engine.networks.create(network.request as NetworkCreateBody);
      await record.set(what, 'done');
      return { what, is: 'moved' };
    });
  }

  volume({ name, driver, options, labels, content }: DockerVolume): Promise<Outcome> {
    return this.#attempt(`volume ${name}`, async (what) => {
      const { archive, engine, record } = this.parts;
      const volume = engine.volumes.get(name);
      if (record.of(what) === 'done' && (await isThere(volume.inspect()))) return { what, is: 'there already' };
      if (record.of(what) === undefined && (await isThere(volume.inspect()))) return foreign(what);
      await record.set(what, 'begun');
      await engine.volumes.create({ Name: name, Driver: driver, DriverOpts: options, Labels: labels });
      if (content !== undefined) {
        const { Mountpoint } = await volume.inspect();
        await clear(archive, Mountpoint);
        const stream = archive.packTree(content, '/', { name: '', exact: true });
        await archive.extract({ stream, compression: 'none' }, Mountpoint, '/', { exact: true });
        await copyAccess(content, Mountpoint);
      }
      await record.set(what, 'done');
      return { what, is: 'moved' };
    });
  }

  container(container: DockerContainer): Promise<Outcome> {
    const { id, name, request, layer, otherNetworks, wasRunning } = container;
    return this.#attempt(`container ${name || id.slice(0, 12)}`, async (what) => {
      const { engine, record, ask } = this.parts;
      const found = name === '' ? undefined : engine.containers.get(name);
      const isFound = found !== undefined && (await isThere(found.inspect()));
      if (isFound && record.of(what) === 'done') return { what, is: 'there already' };
      if (isFound && record.of(what) === undefined) return foreign(what);
      if (layer === undefined)
        return { what, is: 'not moved', reason: 'its files are not of the storage driver overlay2' };
      if (isFound) await found.remove({ force: true });
      await record.set(what, 'begun');
      const made = await engine.containers.create(request as ContainerCreateBody, name === '' ? {} : { name });
      for (const [network, endpoint] of otherNetworks) {
        await engine.networks.get(network).connect(made.id, endpoint);
      }
      for await (const _ of ask(changesCommand, [made.id, layer.upper, ...layer.lower]));
      await record.set(what, 'done');
      return { what, is: 'moved', ...(wasRunning && { note: 'it ran: start it when you like' }) };
    });
  }

  #isOwn(what: string): boolean {
    return this.parts.record.of(what) !== undefined;
  }

  async #attempt(what: string, move: (what: string) => Promise<Outcome>): Promise<Outcome> {
    try {
      return await move(what);
    } catch (error) {
      if (ApiError.is(error)) return { what, is: 'not moved', reason: `the engine refuses it: ${error.message}` };
      return { what, is: 'not moved', reason: messageOf(error) };
    }
  }
}

async function isThere(inspection: Promise<unknown>): Promise<boolean> {
  try {
    await inspection;
    return true;
  } catch (error) {
    if (ApiError.is(error, 404)) return false;
    throw error;
  }
}

const foreign = (what: string): Outcome => ({
  what,
  is: 'not moved',
  reason: 'the engine has another one of that name',
});

/** Removes what an interrupted migration, or the engine, has put there. */
async function clear(archive: ArchiveDriver, directory: string): Promise<void> {
  for (const name of await readdir(directory)) await archive.removeTree(join(directory, name));
}

async function copyAccess(from: string, to: string): Promise<void> {
  const { uid, gid, mode } = await stat(from);
  await chown(to, uid, gid);
  await chmod(to, mode & 0o7777);
}
