import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux/errors';
import { type CdiEdits, type CdiSpec, parseCdiSpec } from './cdi-spec.js';

interface CdiDevice {
  /** The file that describes it. */
  readonly file: string;
  readonly edits: CdiEdits;
  /** For every device of the file: applied once for all of them. */
  readonly common: CdiEdits | undefined;
}

interface CdiSpecs {
  /** By qualified name, such as `vendor.com/gpu=0`. */
  readonly devices: ReadonlyMap<string, CdiDevice>;
  /** Files that cannot be used, and devices that two files of one directory describe. */
  readonly problems: readonly string[];
}

/** Reads the specs of all directories; those of a later directory replace devices of an earlier one. */
export async function readCdiSpecs(directories: readonly string[]): Promise<CdiSpecs> {
  const devices = new Map<string, CdiDevice>();
  const problems: string[] = [];
  for (const directory of directories) {
    const own = new Map<string, CdiDevice>();
    for (const file of await specFiles(directory, problems)) {
      const spec = await readSpec(file).catch((error: unknown) => {
        problems.push(`${file}: ${messageOf(error)}`);
      });
      for (const [name, device] of spec === undefined ? [] : devicesOf(spec, file)) {
        const other = own.get(name);
        if (other !== undefined) problems.push(`${name}: described by ${other.file} and by ${file}`);
        own.set(name, device);
      }
    }
    for (const [name, device] of own) devices.set(name, device);
  }
  for (const problem of problems) devices.delete(problem.split(': ', 1)[0] ?? '');
  return { devices, problems };
}

async function specFiles(directory: string, problems: string[]): Promise<readonly string[]> {
  try {
    const names = await readdir(directory);
    return names
      .filter((name) => /\.(?:json|ya?ml)$/.test(name))
      .sort()
      .map((name) => path.join(directory, name));
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) problems.push(`${directory}: ${messageOf(error)}`);
    return [];
  }
}

async function readSpec(file: string): Promise<CdiSpec> {
  const text = await readFile(file, 'utf8');
  if (file.endsWith('.json')) return parseCdiSpec(JSON.parse(text));
  const { parseYaml } = await import('./parse-yaml.js');
  return parseCdiSpec(parseYaml(text));
}

const devicesOf = ({ kind, devices, containerEdits }: CdiSpec, file: string): [string, CdiDevice][] =>
  devices.map(({ name, containerEdits: edits }) => [`${kind}=${name}`, { file, edits, common: containerEdits }]);
