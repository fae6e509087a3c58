import type { ContainerSteps } from '@gantry/containers/service';
import type { ArchiveDriver, Collection, StorageDriver } from '@gantry/core/contracts';
import type { Logger } from '@gantry/core/driver';
import type { ImageExchange, ImageService } from '@gantry/images/service';
import type { KnownFacts } from './source-tree.js';

/** What builds work with. */
export interface BuildParts {
  readonly archive: ArchiveDriver;
  readonly images: ImageService;
  readonly exchange: ImageExchange;
  readonly containers: ContainerSteps;
  readonly storage: StorageDriver;
  /** Ids of images without a parent that a build made here: only those are found again by a later build. */
  readonly firsts: Collection<string>;
  /** Of images that files were copied from. */
  readonly known: KnownFacts;
  /** Holds a directory for each build. */
  readonly directory: string;
  readonly log: Logger;
}
