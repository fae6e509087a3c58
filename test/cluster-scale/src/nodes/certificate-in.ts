import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The certificate, PEM, of the engine with this data root. */
export async function certificateIn(dataRoot: string): Promise<string> {
  const file = join(dataRoot, 'plugins/cluster/identity.json');
  return (JSON.parse(await readFile(file, 'utf8')) as { readonly certificate: string }).certificate;
}
