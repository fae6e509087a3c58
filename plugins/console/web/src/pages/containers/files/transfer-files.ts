import { readChunks } from '../../../api/read-chunks';
import { send, urlOf } from '../../../api/request';
import { saveBlob, saveUrl } from '../../../api/save-blob';
import { TarReader } from '../../../archive/tar-reader';
import { createTar } from '../../../archive/tar-writer';
import { archivePath } from './directory';

/** Larger files are downloaded as the archive they come in. */
const unpackedUpTo = 64 * 2 ** 20;

export async function downloadFile(id: string, path: string, name: string, size: number): Promise<void> {
  if (size > unpackedUpTo) return downloadArchive(id, path, name);
  let found: Uint8Array | undefined;
  const reader = new TarReader(
    () => {},
    (_entry, content) => {
      found = content;
    },
    ({ kind }) => kind === 'file',
  );
  await readChunks(await send(archivePath(id), { query: { path } }), (chunk) => reader.push(chunk));
  if (found === undefined) throw new Error(`${path} is not a file any more`);
  saveBlob(name, new Blob([new Uint8Array(found)]));
}

export const downloadArchive = (id: string, path: string, name: string): void =>
  saveUrl(urlOf(archivePath(id), { path }), `${name || 'root'}.tar`);

export async function uploadFiles(id: string, path: string, files: readonly File[]): Promise<void> {
  const content = createTar(
    files.map((file) => ({ path: file.webkitRelativePath || file.name, content: file, modified: file.lastModified })),
  );
  await send(archivePath(id), { method: 'PUT', query: { path, noOverwriteDirNonDir: true }, content });
}
