import { createTar, type TarFile } from '../../../archive/tar-writer';

/** The build context of chosen files; a directory's own name is left out, as if one built inside of it. */
export function buildContext(files: readonly File[]): Blob {
  const entries = files.map((file): TarFile => {
    const path = file.webkitRelativePath === '' ? file.name : file.webkitRelativePath.replace(/^[^/]*\//, '');
    // The browser hides modes: scripts of a context are made executable by the Dockerfile.
    return { path, content: file, modified: file.lastModified, mode: 0o644 };
  });
  return createTar(entries);
}
