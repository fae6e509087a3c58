import { gzipSync } from 'node:zlib';
import { directory, file, hardLink, symlink, tar } from '../storage/tar.js';

/** An archive that is made to do harm, or damaged. */
export interface HostileArchive {
  readonly name: string;
  readonly bytes: Buffer;
  /** What the refusal says; undefined where the archive is extracted without leaving its directory. */
  readonly refusal?: RegExp;
}

const large = tar(file('large', Buffer.alloc(20_000, 'x')));

/** A PAX header whose one record is cut short. */
const brokenPax = (): Buffer => tar({ name: 'pax', type: 'x', content: '99 path=short\n' }, file('f'));

/** `file`, whose header says that it has so many bytes. */
function withSize(size: string): Buffer {
  const bytes = Buffer.from(tar(file('huge')));
  bytes.write(`${size}\0`, 124, 'latin1');
  bytes.fill(0x20, 148, 156);
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}

/**
 * Archives for everything that extracts what a client or a registry sends. `outside` is an existing directory that they
 * must not change.
 */
export const hostileArchives = (outside: string): readonly HostileArchive[] => [
  { name: 'truncated content', bytes: large.subarray(0, 9000), refusal: /large.*truncated/ },
  { name: 'truncated header', bytes: large.subarray(0, 300), refusal: /truncated/ },
  { name: 'truncated gzip data', bytes: gzipSync(large).subarray(0, 60), refusal: /gzip data is damaged/ },
  { name: 'no archive', bytes: Buffer.from('this is no tar'.repeat(100)), refusal: /header|checksum|archive/ },
  { name: 'a size beyond the data', bytes: withSize('77777777777'), refusal: /huge.*truncated/ },
  { name: 'a damaged extension header', bytes: brokenPax(), refusal: /header|record/ },
  { name: 'an unknown type', bytes: tar({ name: 'odd', type: 'Q' }), refusal: /odd.*unknown type/ },
  { name: 'links in a circle', bytes: tar(symlink('a', 'b'), symlink('b', 'a'), file('a/f')), refusal: /a\/f/ },
  { name: 'an entry below a file', bytes: tar(file('f'), file('f/g')), refusal: /f\/g/ },
  { name: 'a hard link to nothing', bytes: tar(hardLink('hard', 'nothing')), refusal: /hard/ },
  { name: 'a hard link out of the root', bytes: tar(hardLink('hard', `${outside}/secret`)), refusal: /hard/ },
  {
    name: 'a hard link through a link out of the root',
    bytes: tar(symlink('out', outside), hardLink('hard', 'out/secret')),
    refusal: /hard/,
  },
  { name: 'a hard link to a directory', bytes: tar(directory('d'), hardLink('hard', 'd')), refusal: /hard/ },
  { name: 'a name too long for a file', bytes: tar(file('x'.repeat(300))), refusal: /xxx/ },
  { name: 'a name too long for a path', bytes: tar(file(`${'d/'.repeat(2100)}f`)), refusal: /too long/ },
  { name: 'a root that is a file', bytes: tar(file('.')), refusal: /root/ },
  { name: 'names that lead up', bytes: tar(file('../../../../escaped'), file('d/../../../escaped')) },
  { name: 'absolute names', bytes: tar(file(`${outside}/escaped`)) },
  { name: 'an absolute link and an entry below it', bytes: tar(symlink('out', outside), file('out/escaped')) },
  { name: 'a relative link and an entry below it', bytes: tar(symlink('up', '../../..'), file('up/escaped')) },
  { name: 'a link in place of a file, and the file again', bytes: tar(symlink('f', `${outside}/secret`), file('f')) },
  {
    name: 'a device and a FIFO',
    bytes: tar({ name: 'null', type: '3', major: 1, minor: 3 }, { name: 'fifo', type: '6' }),
  },
];
