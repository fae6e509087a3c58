import { Readable } from 'node:stream';
import { archiveEnd, encodeEntry, paddingOf } from '@gantry/archive/tar';

/** A layer with one file, whose name is its content. */
export function layerOf(name: string, size = name.length): Readable {
  const header = encodeEntry({
    name,
    type: 'file',
    mode: 0o644,
    uid: 0,
    gid: 0,
    size,
    modified: { seconds: 0, nanoseconds: 0 },
    accessed: undefined,
    linkName: '',
    major: 0,
    minor: 0,
    attributes: new Map(),
  });
  return Readable.from([header, Buffer.alloc(size, name), Buffer.alloc(paddingOf(size)), archiveEnd]);
}
