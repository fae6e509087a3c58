import { internal } from '@gantry/core/errors';
import { archiveEnd, encodeEntry, paddingOf, plainEntry, type TarEntry } from '@gantry/lib-archive/tar';
import type { StreamedContent, TarMember } from './tar-member.js';

/** Writes an archive chunk by chunk; content is opened when its member comes and destroyed when the reader stops. */
export async function* writeTar(members: AsyncIterable<TarMember>): AsyncGenerator<Buffer> {
  for await (const member of members) {
    if (member.type !== 'file') {
      yield encodeEntry(headerOf(member, 0));
      continue;
    }
    const { content, name } = member;
    const bytes = typeof content === 'string' ? Buffer.from(content) : undefined;
    const size = bytes?.length ?? (content as StreamedContent).size;
    yield encodeEntry(headerOf(member, size));
    if (bytes === undefined) yield* exactly(content as StreamedContent, name);
    else yield bytes;
    if (paddingOf(size) > 0) yield Buffer.alloc(paddingOf(size));
  }
  yield archiveEnd;
}

/** Yields exactly the number of bytes that the header announces: any other would corrupt the rest of the archive. */
async function* exactly({ size, open }: StreamedContent, name: string): AsyncGenerator<Buffer> {
  let left = size;
  for await (const piece of await open()) {
    left -= (piece as Buffer).length;
    if (left < 0) break;
    yield piece as Buffer;
  }
  if (left !== 0) throw internal(`${name} has ${left < 0 ? 'more' : 'fewer'} than its ${size} bytes`);
}

const headerOf = (member: TarMember, size: number): TarEntry => ({
  ...plainEntry,
  name: Buffer.from(member.name).toString('latin1'),
  linkName: 'target' in member ? Buffer.from(member.target).toString('latin1') : '',
  type: member.type,
  mode: member.type === 'directory' ? 0o755 : 0o644,
  size,
  modified: { seconds: member.modified, nanoseconds: 0 },
});
