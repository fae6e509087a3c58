import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceDetection } from '@gantry/core/contracts';
import { pathExists } from '@gantry/core/driver';
import { probeRepository, type SourceSession } from '@gantry/lib-source';

/** Whether there is a Mercurial repository: by the capabilities of its server, or by its files. */
export async function detectMercurial(session: SourceSession): Promise<SourceDetection> {
  const { url } = session.location;
  if (url.protocol === 'file:') return detectDirectory(fileURLToPath(url));
  const capabilities = new URL(url);
  capabilities.search = '?cmd=capabilities';
  return probeRepository(session, {
    url: capabilities,
    system: 'Mercurial',
    matches: ({ headers }, text) =>
      headers['content-type']?.startsWith('application/mercurial-') === true && /\bunbundle|getbundle/.test(text),
  });
}

async function detectDirectory(path: string): Promise<SourceDetection> {
  if (await pathExists(join(path, '.hg'))) return { status: 'found' };
  return { status: 'found-nothing', reason: `there is no Mercurial repository at ${path}` };
}
