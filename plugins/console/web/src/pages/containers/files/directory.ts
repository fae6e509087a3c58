import { send } from '../../../api/request';
import { type TarEntry, TarReader } from '../../../archive/tar-reader';

/** How much of a directory's archive is read to list it. */
export const listingBound = 8 * 2 ** 20;

export interface Directory {
  readonly entries: readonly TarEntry[];
  /** Whether the archive was larger than what is read of it. */
  readonly isPartial: boolean;
}

export const archivePath = (id: string): string => `/api/containers/${id}/archive`;

/** Lists a directory by its archive, which holds everything below it: only its beginning is read. */
export async function readDirectory(id: string, path: string, signal: AbortSignal): Promise<Directory> {
  const abort = new AbortController();
  const stop = () => abort.abort();
  signal.addEventListener('abort', stop);
  const entries = new Map<string, TarEntry>();
  const reader = new TarReader((entry) => {
    const [, name = '', rest = ''] = /^(?:\.?\/+)?([^/]+)(.*)$/s.exec(entry.path) ?? [];
    if (name === '' || name === '.') return;
    const isItself = rest === '' || rest === '/';
    if (isItself) entries.set(name, { ...entry, path: name });
    else if (!entries.has(name)) entries.set(name, { ...entry, path: name, kind: 'directory', size: 0, target: '' });
  });
  try {
    const response = await send(archivePath(id), {
      query: { path: `${path.replace(/\/+$/, '')}/.` },
      signal: abort.signal,
    });
    const body = response.body?.getReader();
    let seen = 0;
    for (;;) {
      const { done, value } = (await body?.read()) ?? { done: true, value: undefined };
      if (done) return { entries: [...entries.values()], isPartial: false };
      reader.push(value);
      seen += value.length;
      if (seen > listingBound) return { entries: [...entries.values()], isPartial: true };
    }
  } finally {
    signal.removeEventListener('abort', stop);
    abort.abort();
  }
}
