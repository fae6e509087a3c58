import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const read = async (dataRoot: string, name: string): Promise<unknown> =>
  JSON.parse(await readFile(join(dataRoot, 'plugins/cluster', name), 'utf8'));

/** The certificate, PEM, of the engine with this data root. */
export async function certificateIn(dataRoot: string): Promise<string> {
  return ((await read(dataRoot, 'identity.json')) as { readonly certificate: string }).certificate;
}

/** How many managers the engine with this data root has heard of. */
export async function managersIn(dataRoot: string): Promise<number> {
  return ((await read(dataRoot, 'member.json')) as { readonly managers: readonly unknown[] }).managers.length;
}
