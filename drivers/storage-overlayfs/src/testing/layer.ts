import { Readable } from 'node:stream';
import { archiveEnd, encodeEntry, paddingOf, plainEntry } from '@gantry/lib-archive/tar';

/** A layer with one file, whose name is its content. */
export function layerOf(name: string, size = name.length): Readable {
  const header = encodeEntry({ ...plainEntry, name, size });
  return Readable.from([header, Buffer.alloc(size, name), Buffer.alloc(paddingOf(size)), archiveEnd]);
}
