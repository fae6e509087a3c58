import { invalidArgument } from '@gantry/core/errors';
import { type ImageConfiguration, parseImageConfiguration } from '../image-configuration.js';
import { formatReference, parseReference } from '../reference.js';
import type { ArchiveFiles } from './archive-files.js';

export interface ArchivedLayer {
  /** Known with a configuration. */
  readonly diffId: string | undefined;
  /** What the archive calls it, for people. */
  readonly name: string;
  readonly file: string;
}

/** One image of an archive, whatever the archive's form. */
export interface ArchivedImage {
  /** The exact bytes of its configuration; undefined for a legacy one, whose configuration is made from its layers. */
  readonly configurationJson: string | undefined;
  /** From the bottom up. */
  readonly layers: readonly ArchivedLayer[];
  /** `repo:tag` names. */
  readonly references: readonly string[];
  /** Of a legacy image: makes its configuration once the layers' digests are known. */
  readonly configure?: (diffIds: readonly string[]) => ImageConfiguration;
}

/** An image whose configuration is in the archive, with the members that are its layers. */
export function withConfiguration(
  files: ArchiveFiles,
  configurationJson: string,
  members: readonly string[],
  references: readonly string[],
): ArchivedImage {
  const { os, rootfs } = parseImageConfiguration(configurationJson);
  const { diff_ids: diffIds } = rootfs;
  if (os !== 'linux') throw invalidArgument(`cannot load ${os} image on linux`);
  if (diffIds.length !== members.length) {
    throw invalidArgument(
      `the archive has ${members.length} layers for an image whose configuration names ${diffIds.length}`,
    );
  }
  return {
    configurationJson,
    references: references.map((name) => formatReference(parseReference(name))),
    layers: members.map((name, index) => ({ diffId: diffIds[index], name, file: files.file(name) })),
  };
}
