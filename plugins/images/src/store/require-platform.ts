import { notFound } from '@gantry/core/errors';
import { formatPlatform, isForPlatform, type Platform } from '../configuration/platform.js';
import type { StoredImage } from './image-record.js';

/** The image, if it is for the platform that is asked for. @throws EngineError `not-found`. */
export function requirePlatform(image: StoredImage, reference: string, platform: Platform | undefined): StoredImage {
  if (platform === undefined || isForPlatform(image.configuration, platform)) return image;
  const [actual, wanted] = [formatPlatform(image.configuration), formatPlatform(platform)];
  throw notFound(
    `image with reference ${reference} was found but its platform (${actual}) does not match the specified platform (${wanted})`,
  );
}
