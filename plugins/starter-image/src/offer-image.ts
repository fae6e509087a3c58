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

/** Makes the image, once in the life of a data root. Never rejects: an engine without it is still an engine. */
export async function offerImage(
  { program, reference, directory, images, log }: Offer,
  signal: AbortSignal,
): Promise<void> {
  const marker = path.join(directory, 'offered');
  const offered = await access(marker).then(
    () => true,
    () => false,
  );
  if (offered) return;
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
    await writeFile(marker, `${reference}\n`);
  } catch (error) {
    log.warn({ event: 'starter-image.left-out', program, reason: messageOf(error) }, 'no starter image');
  }
}
