import type { StoredImage } from './image-record.js';

/** When the image was made, in milliseconds since the epoch; 0 when its configuration does not say. */
export const createdAt = ({ configuration }: StoredImage): number => {
  const time = Date.parse(configuration.created ?? '');
  return Number.isNaN(time) ? 0 : time;
};
