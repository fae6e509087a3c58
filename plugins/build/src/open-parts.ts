import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ContainerSteps } from '@gantry/containers/service';
import { ArchiveDrivers, StateDrivers, StorageDrivers } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import type { PluginContext } from '@gantry/core/plugin';
import { ImageExchange, ImageService } from '@gantry/images/service';
import type { BuildParts } from './parts.js';
import { KnownFacts } from './source-tree.js';

/** Puts together what builds work with, and removes the files that an earlier daemon's builds left. */
export async function openBuildParts({ dirs, log, services }: PluginContext<unknown>): Promise<BuildParts> {
  const directory = join(dirs.root, 'contexts');
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return {
    archive: services.drivers(ArchiveDrivers).get(),
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
