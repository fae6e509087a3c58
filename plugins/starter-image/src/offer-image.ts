import { access, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '@gantry/core/driver';
import { messageOf } from '@gantry/core/errors';
import type { ImageService } from '@gantry/images/service';
import { busyboxRoot } from './busybox-root.js';

export interface Offer {
  /** Path of a static busybox. */
  readonly program: string;
  readonly reference: string;
  /** Where it is remembered that the offer was made. */
  readonly directory: string;
  readonly images: ImageService;
  readonly log: Logger;
}

/** Whether the offer was made at an earlier start. */
export function isOffered({ directory }: Pick<Offer, 'directory'>): Promise<boolean> {
  return access(markerIn(directory)).then(
    () => true,
    () => false,
  );
}

const markerIn = (directory: string): string => path.join(directory, 'offered');

/** Makes the image, once in the life of a data root. Never rejects: an engine without it is still an engine. */
export async function offerImage(
  { program, reference, directory, images, log }: Offer,
  signal: AbortSignal,
): Promise<void> {
  if (await isOffered({ directory })) return;
  try {
    if (images.count === 0) {
      const id = await images.import(
        {
          archive: busyboxRoot(await readFile(program)),
          reference,
          changes: ['ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'CMD ["sh"]'],
          comment: `made from ${program}`,
        },
        { signal },
      );
      log.info({ event: 'starter-image.made', image: id, reference }, `the image ${reference} is there to try`);
    }
    await writeFile(markerIn(directory), `${reference}\n`);
  } catch (error) {
    log.warn({ event: 'starter-image.left-out', program, reason: messageOf(error) }, 'no starter image');
  }
}
