import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Archive } from '@gantry/archive';
import { ContainerSteps } from '@gantry/containers/service';
import { StateDrivers, StorageDrivers } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import type { PluginContext } from '@gantry/core/plugin';
import { ImageExchange, ImageService } from '@gantry/images/service';
import type { BuildParts } from './parts.js';
import { KnownFacts } from './source-tree.js';

/** How long threads are kept, in ms: the next build is often the same one with a line changed. */
const threadIdle = 60_000;

/** Puts together what builds work with, and removes the files that an earlier daemon's builds left. */
export async function openBuildParts({ dirs, lifetime, log, services }: PluginContext<unknown>): Promise<BuildParts> {
  const directory = join(dirs.root, 'contexts');
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const archive = new Archive({ idle: threadIdle });
  lifetime.add(() => archive.close());
  return {
    archive,
    directory,
    known: new KnownFacts(),
    log,
    images: services.service(ImageService),
    exchange: services.service(ImageExchange),
    containers: services.service(ContainerSteps),
    storage: services.drivers(StorageDrivers).get(),
    firsts: services.drivers(StateDrivers).get().collection({ name: 'build-firsts', version: 1, parse: parseId }),
  };
}

function parseId(value: unknown): string {
  if (typeof value !== 'string') throw invalidArgument(`${JSON.stringify(value)} is no image id`);
  return value;
}
