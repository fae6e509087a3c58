/** A member of an archive for a check. */
interface Member {
  readonly name: string;
  /** ustar's letter; `5` for a name with a final slash, `0` otherwise. */
  readonly type?: string;
  readonly content?: string | Uint8Array;
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  /** Seconds since 1970, in digits: `1700000000.123456789`. */
  readonly time?: string;
  readonly link?: string;
  readonly major?: number;
  readonly minor?: number;
  readonly attributes?: Readonly<Record<string, Uint8Array>>;
}

const time = '1700000000';

/** An archive: members, and bytes as they stand. */
export function tar(...members: readonly (Member | Uint8Array)[]): Buffer {
  return Buffer.concat([...members.map((member) => ('name' in member ? encode(member) : member)), Buffer.alloc(1024)]);
}

/** A file with some content. */
export const file = (name: string, content: string | Uint8Array = name, more: Partial<Member> = {}): Member => ({
  name,
  content,
  ...more,
});

export const directory = (name: string, more: Partial<Member> = {}): Member => ({ name: `${name}/`, ...more });

export const symlink = (name: string, link: string): Member => ({ name, type: '2', link });

export const hardLink = (name: string, link: string): Member => ({ name, type: '1', link });

function encode(member: Member): Buffer {
  const content = Buffer.from(member.content ?? '');
  const records = paxRecords(member);
  const extension = records.length === 0 ? [] : [block({ name: 'pax' }, 'x', records.length), filled(records)];
  const type = member.type ?? (member.name.endsWith('/') ? '5' : '0');
  return Buffer.concat([...extension, block(member, type, content.length), filled(content)]);
}

function paxRecords(member: Member): Buffer {
  const records: [string, Uint8Array][] = [];
  if (member.time?.includes('.') === true) records.push(['mtime', Buffer.from(member.time)]);
  if (Buffer.byteLength(member.name) > 100) records.push(['path', Buffer.from(member.name)]);
  for (const id of ['uid', 'gid'] as const) {
    if ((member[id] ?? 0) >= 8 ** 7) records.push([id, Buffer.from(String(member[id]))]);
  }
  for (const [name, value] of Object.entries(member.attributes ?? {})) records.push([`SCHILY.xattr.${name}`, value]);
  return Buffer.concat(records.map(([key, value]) => record(key, value)));
}

function record(key: string, value: Uint8Array): Buffer {
  const rest = Buffer.byteLength(key) + value.length + 3;
  let length = rest + 1;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return Buffer.concat([Buffer.from(`${length} ${key}=`), value, Buffer.from('\n')]);
}

const filled = (content: Uint8Array): Buffer => Buffer.concat([content, Buffer.alloc(-content.length & 511)]);

function block(member: Member, type: string, size: number): Buffer {
  const header = Buffer.alloc(512);
  const octal = (value: number, offset: number, length: number): void => {
    header.write((value < 8 ** (length - 1) ? value : 0).toString(8).padStart(length - 1, '0'), offset, 'latin1');
  };
  header.write(member.name, 0, 100);
  octal(member.mode ?? (type === '5' ? 0o755 : 0o644), 100, 8);
  octal(member.uid ?? 0, 108, 8);
  octal(member.gid ?? 0, 116, 8);
  octal(size, 124, 12);
  octal(Number((member.time ?? time).split('.')[0]), 136, 12);
  header.write(type, 156, 'latin1');
  header.write(member.link ?? '', 157, 100);
  header.write('ustar\x0000', 257, 'latin1');
  octal(member.major ?? 0, 329, 8);
  octal(member.minor ?? 0, 337, 8);
  header.fill(0x20, 148, 156);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
    'latin1',
  );
  return header;
}
