import { randomBytes } from 'node:crypto';
import { messageOf, notFound } from '@gantry/core/errors';
import type { BuildParts } from './parts.js';

/** The root file system of an image, mounted, with changes of its own. */
export interface ImageRoot {
  readonly directory: string;
  /** Of its writable layer. */
  readonly id: string;
  /** Never rejects. */
  release(): Promise<void>;
}

/** Mounts an image, or an empty root without one. On rejection nothing is left. */
export async function openImageRoot(parts: BuildParts, imageId: string | undefined): Promise<ImageRoot> {
  const { storage, images, log } = parts;
  // As long as that of a container: the sweep at the next start takes what a crash leaves for one's.
  const id = randomBytes(32).toString('hex');
  const image = imageId === undefined ? undefined : images.byId(imageId);
  if (imageId !== undefined && image === undefined) throw notFound(`No such image: ${imageId}`);
  const letGo = imageId === undefined ? () => undefined : images.hold(imageId);
  const release = async (): Promise<void> => {
    await storage.removeWritable(id).catch((error: unknown) => {
      log.warn({ event: 'build.root-left', writable: id, reason: messageOf(error) }, 'a layer of a build stays');
    });
    letGo();
  };
  try {
    const parent = image?.topLayer;
    await storage.createWritable({ id, ...(parent !== undefined && { parent }) });
    return { id, directory: await storage.mount(id), release };
  } catch (error) {
    await release();
    throw error;
  }
}
