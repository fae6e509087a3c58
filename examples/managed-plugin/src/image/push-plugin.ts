import { createHash } from 'node:crypto';

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

const manifestType = 'application/vnd.docker.distribution.manifest.v2+json';

/** Pushes a plugin of one layer to a registry that wants neither TLS nor a name. */
export async function pushPlugin(
  { host, repository, tag }: { readonly host: string; readonly repository: string; readonly tag: string },
  layer: Buffer,
  configuration: (diffId: string) => object,
): Promise<void> {
  const base = `http://${host}/v2/${repository}`;
  const upload = async (bytes: Buffer): Promise<{ readonly digest: string; readonly size: number }> => {
    const begun = await fetch(`${base}/blobs/uploads/`, { method: 'POST' });
    const place = new URL(begun.headers.get('location') ?? '', base);
    place.searchParams.set('digest', digestOf(bytes));
    await demand(await fetch(place, { method: 'PUT', body: new Uint8Array(bytes) }));
    return { digest: digestOf(bytes), size: bytes.length };
  };
  const config = Buffer.from(JSON.stringify(configuration(digestOf(layer))));
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: manifestType,
    config: { mediaType: 'application/vnd.docker.plugin.v1+json', ...(await upload(config)) },
    layers: [{ mediaType: 'application/vnd.docker.image.rootfs.diff.tar', ...(await upload(layer)) }],
  });
  const headers = { 'Content-Type': manifestType };
  await demand(await fetch(`${base}/manifests/${tag}`, { method: 'PUT', body: manifest, headers }));
}

async function demand(response: Response): Promise<void> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
}
