import { invalidArgument } from '@gantry/core/errors';
import { type ImageConfiguration, parseImageConfiguration } from '../configuration/image-configuration.js';
import { formatReference, parseReference } from '../reference/image-reference.js';
import type { ArchiveFiles } from './archive-files.js';

export interface ArchivedLayer {
  /** Undefined for a legacy image. */
  readonly diffId: string | undefined;
  /** The member's name, for messages. */
  readonly name: string;
  readonly file: string;
}

/** One image of an archive in any form. */
export interface ArchivedImage {
  /** The exact bytes of its configuration; undefined for a legacy image, whose configuration is made from its layers. */
  readonly configurationJson: string | undefined;
  /** From the bottom up. */
  readonly layers: readonly ArchivedLayer[];
  /** `repo:tag` names. */
  readonly references: readonly string[];
  /** Id of the image it was made on top of, as the archive says. */
  readonly parent?: string;
  /** For a legacy image: makes its configuration from the digests of its layers. */
  readonly configure?: (diffIds: readonly string[]) => ImageConfiguration;
}

/** An image with a configuration document and the members that hold its layers. */
export function withConfiguration(
  files: ArchiveFiles,
  configurationJson: string,
  members: readonly string[],
  references: readonly string[],
  parent?: string,
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
    ...(parent !== undefined && { parent }),
    references: references.map((name) => formatReference(parseReference(name))),
    layers: members.map((name, index) => ({ diffId: diffIds[index], name, file: files.file(name) })),
  };
}
