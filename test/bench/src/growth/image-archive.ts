import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';

/** Go's names of architectures. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const archiveOf = (files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> => {
  const archive = pack();
  for (const [name, content] of Object.entries(files)) archive.entry({ name, mtime: new Date(0) }, content);
  archive.finalize();
  return buffer(archive);
};

/** An archive as `docker save` writes it, with an image for each name: one layer with one small file, unlike all others. */
export async function imageArchive(names: readonly string[]): Promise<Buffer> {
  const files: Record<string, string | Buffer> = {};
  const manifest: object[] = [];
  for (const name of names) {
    const layer = await archiveOf({ file: name });
    const layerDigest = digest(layer);
    const config = Buffer.from(
      JSON.stringify({
        architecture: architectures[process.arch] ?? process.arch,
        os: 'linux',
        created: '2026-01-01T00:00:00Z',
        config: { Cmd: ['/file'], Labels: { name } },
        rootfs: { type: 'layers', diff_ids: [`sha256:${layerDigest}`] },
        history: [{ created: '2026-01-01T00:00:00Z', created_by: 'a test' }],
      }),
    );
    const configFile = `${digest(config)}.json`;
    files[configFile] = config;
    files[`${layerDigest}/layer.tar`] = layer;
    manifest.push({ Config: configFile, RepoTags: [name], Layers: [`${layerDigest}/layer.tar`] });
  }
  return archiveOf({ ...files, 'manifest.json': JSON.stringify(manifest) });
}
