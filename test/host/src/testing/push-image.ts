import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';

const types = {
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  configuration: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar',
};

/** Pushes an image with the host's busybox as its shell to a registry, as a client of its API. @returns its name. */
export async function pushShellImage(registry: string): Promise<string> {
  const layer = await shellLayer();
  const diffIds = [digestOf(layer)];
  const configuration = Buffer.from(
    JSON.stringify({
      architecture: { x64: 'amd64', arm: 'arm' }[process.arch as string] ?? process.arch,
      os: 'linux',
      config: { Env: ['PATH=/bin', 'PS1=ready> '], Cmd: ['sh'] },
      rootfs: { type: 'layers', diff_ids: diffIds },
    }),
  );
  const describe = (mediaType: string, bytes: Buffer) => ({ mediaType, digest: digestOf(bytes), size: bytes.length });
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: types.manifest,
    config: describe(types.configuration, configuration),
    layers: [describe(types.layer, layer)],
  });
  const put = async (path: string, body: Buffer | string, type: string): Promise<void> => {
    const url = `http://${registry}/v2/shell/${path}`;
    const { ok, status } = await fetch(url, { method: 'PUT', body, headers: { 'Content-Type': type } });
    if (!ok) throw new Error(`${url}: ${status}`);
  };
  for (const blob of [layer, configuration]) {
    await put(`blobs/uploads/one?digest=${digestOf(blob)}`, blob, 'application/octet-stream');
  }
  await put('manifests/1', manifest, types.manifest);
  return `${registry}/shell:1`;
}

async function shellLayer(): Promise<Buffer> {
  const tar = pack();
  tar.entry({ name: 'bin/busybox', mode: 0o755 }, await readFile('/bin/busybox'));
  for (const name of ['sh', 'stty', 'sleep', 'tty']) {
    tar.entry({ name: `bin/${name}`, type: 'symlink', linkname: 'busybox' });
  }
  tar.finalize();
  return buffer(tar);
}

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
