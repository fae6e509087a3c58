import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';

function archiveOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name, mtime: new Date(0) }, content);
  archive.finalize();
  return buffer(archive);
}

const layers = [await archiveOf({ base: 'base' }), await archiveOf({ top: 'top' })];

const configuration = JSON.stringify({
  architecture: 'amd64',
  os: 'linux',
  rootfs: {
    type: 'layers',
    diff_ids: layers.map((layer) => `sha256:${createHash('sha256').update(layer).digest('hex')}`),
  },
});

/** The root file system of an image to import. */
export const rootArchive = layers[0] as Buffer;

/** An image of two layers, called `web:1`. */
export const imageArchive = await archiveOf({
  'c.json': configuration,
  ...Object.fromEntries(layers.map((layer, index) => [`${index}.tar`, layer])),
  'manifest.json': JSON.stringify([{ Config: 'c.json', RepoTags: ['web:1'], Layers: ['0.tar', '1.tar'] }]),
});

/** What a build needs: instructions that run a program and take a file. */
export const buildArchive = await archiveOf({
  Dockerfile: 'FROM busybox\nCOPY file /file\nRUN cat /file > /made\nENV MADE=1\n',
  file: 'content',
});
