import type { EntryType } from '@gantry/lib-archive/tar';

/** Bits of Go's `os.FileMode`. */
const bits = {
  directory: 0x8000_0000,
  symlink: 0x0800_0000,
  device: 0x0400_0000,
  fifo: 0x0200_0000,
  socket: 0x0100_0000,
  setuid: 0x0080_0000,
  setgid: 0x0040_0000,
  characterDevice: 0x0020_0000,
  sticky: 0x0010_0000,
} as const;

const typeBits = bits.directory | bits.symlink | bits.device | bits.fifo | bits.socket | bits.characterDevice;

const has = (mode: number, bit: number): boolean => (mode & bit) !== 0;

export const isRegularFile = (mode: number): boolean => (mode & typeBits) === 0;

/** The type of entry in an archive; undefined for a socket, which archives do not have. */
export function entryTypeOf(mode: number): EntryType | undefined {
  if (has(mode, bits.directory)) return 'directory';
  if (has(mode, bits.symlink)) return 'symlink';
  if (has(mode, bits.fifo)) return 'fifo';
  if (has(mode, bits.characterDevice)) return 'character-device';
  if (has(mode, bits.device)) return 'block-device';
  return has(mode, bits.socket) ? undefined : 'file';
}

/** Permissions as Unix has them. */
export const permissionsOf = (mode: number): number =>
  (mode & 0o777) |
  (has(mode, bits.setuid) ? 0o4000 : 0) |
  (has(mode, bits.setgid) ? 0o2000 : 0) |
  (has(mode, bits.sticky) ? 0o1000 : 0);

const typesOf: Partial<Record<EntryType, number>> = {
  directory: bits.directory,
  symlink: bits.symlink,
  fifo: bits.fifo,
  'character-device': bits.device | bits.characterDevice,
  'block-device': bits.device,
};

/** The mode of an entry of an archive. */
export const goModeOf = (type: EntryType, permissions: number): number =>
  ((permissions & 0o777) |
    (typesOf[type] ?? 0) |
    ((permissions & 0o4000) === 0 ? 0 : bits.setuid) |
    ((permissions & 0o2000) === 0 ? 0 : bits.setgid) |
    ((permissions & 0o1000) === 0 ? 0 : bits.sticky)) >>>
  0;
