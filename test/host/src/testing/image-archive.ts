import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';

/** A tar of files by their names. */
export function archiveOf(files: Readonly<Record<string, string | Buffer>>, mode = 0o644): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name, mtime: new Date(0), mode }, content);
  archive.finalize();
  return buffer(archive);
}

/** An image as `docker save` writes it, of layers that are archives, the lowest first. */
export function imageOf(tag: string, layers: readonly Buffer[]): Promise<Buffer> {
  const diffIds = layers.map((layer) => `sha256:${createHash('sha256').update(layer).digest('hex')}`);
  const configuration = { architecture: 'amd64', os: 'linux', rootfs: { type: 'layers', diff_ids: diffIds } };
  const names = layers.map((_, index) => `${index}.tar`);
  return archiveOf({
    'c.json': JSON.stringify(configuration),
    ...Object.fromEntries(layers.map((layer, index) => [`${index}.tar`, layer])),
    'manifest.json': JSON.stringify([{ Config: 'c.json', RepoTags: [tag], Layers: names }]),
  });
}

const layers = [await archiveOf({ base: 'base' }), await archiveOf({ top: 'top' })];

/** The root file system of an image to import. */
export const rootArchive = layers[0] as Buffer;

/** An image of two layers, called `web:1`. */
export const imageArchive = await imageOf('web:1', layers);

/** What a build needs: instructions that run a program and take a file. */
export const buildArchive = await archiveOf({
  Dockerfile: 'FROM busybox\nCOPY file /file\nRUN cat /file > /made\nENV MADE=1\n',
  file: 'content',
});
