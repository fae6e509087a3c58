import { invalidArgument } from '@gantry/core/errors';

/** What a volume with options is mounted from. Without options a volume is a directory. */
export interface VolumeOptions {
  /** Of the file system, as for mount(8); `none` for a bind. */
  readonly type: string;
  readonly device: string;
  /** Mount options with commas between. */
  readonly o: string;
}

/** Whether a directory is bound rather than a file system mounted. */
export const isBind = ({ type, o }: VolumeOptions): boolean =>
  type === 'none' || type === 'bind' || /(^|,)r?bind(,|$)/.test(o);

const known = ['type', 'o', 'device'];

/** Undefined without options. @throws EngineError `invalid-argument` naming what is wrong or missing. */
export function parseVolumeOptions(options: Readonly<Record<string, string>>): VolumeOptions | undefined {
  const names = Object.keys(options);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw invalidArgument(`invalid option: "${unknown}"`);
  if (names.length === 0) return undefined;
  for (const name of ['device', 'type']) {
    if (!Object.hasOwn(options, name)) throw invalidArgument(`missing required option: "${name}"`);
  }
  const { type = '', device = '', o = '' } = options;
  for (const [name, value] of Object.entries({ type, device, o })) {
    if (value.includes('\0')) throw invalidArgument(`invalid option: "${name}" contains a NUL character`);
  }
  if (isBind({ type, device, o }) && !device.startsWith('/')) {
    throw invalidArgument(`invalid option: "device" of a bind is not an absolute path: "${device}"`);
  }
  if (Buffer.byteLength(o) > 4000) throw invalidArgument('invalid option: "o" is longer than a mount call takes');
  return { type, device, o };
}

const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;

/** A file name on every file system. */
const longestName = 255;

/** @throws EngineError `invalid-argument` for an invalid name. */
export function checkVolumeName(name: string): void {
  if (!namePattern.test(name)) {
    throw invalidArgument(
      `"${name}" includes invalid characters for a local volume name, only "[a-zA-Z0-9][a-zA-Z0-9_.-]" are allowed. ` +
        'If you intended to pass a host directory, use absolute path',
    );
  }
  if (name.length > longestName) {
    throw invalidArgument(`the volume name "${name}" is longer than ${longestName} characters`);
  }
}
