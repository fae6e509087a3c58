import { internal } from '@gantry/core/errors';
import { type Access, fromFirst } from '../remote/endpoints.js';
import { parseManifest } from '../remote/manifest.js';
import { fetchManifest } from '../remote/manifests.js';
import type { AttachedSignature } from '../service.js';
import { RegistryError } from '../transport/registry-error.js';
import { fetchConfiguration } from './fetch-configuration.js';

const payloadType = 'application/vnd.dev.cosign.simplesigning.v1+json';
const signatureKey = 'dev.cosignproject.cosign/signature';
const mostSignatures = 100;
const payloadLimit = 64 * 2 ** 10;

/** The signatures of a digest, in the manifest that sigstore attaches as the tag `sha256-<hex>.sig`. */
export async function readSignatures(
  access: Access,
  digest: string,
  signal: AbortSignal | undefined,
): Promise<readonly AttachedSignature[]> {
  const tag = `${digest.replace(':', '-')}.sig`;
  const fetched = await fromFirst(
    access.sources,
    (source) => fetchManifest(source, access.repository, tag, signal),
    signal,
  ).catch((error: unknown) => {
    if (error instanceof RegistryError && error.status === 404) return undefined;
    throw error;
  });
  if (fetched === undefined) return [];
  const parsed = parseManifest(fetched.bytes, fetched.mediaType, tag);
  const layers = parsed.kind === 'image' ? parsed.manifest.layers : [];
  if (layers.length > mostSignatures)
    throw internal(`${tag} has ${layers.length} signatures, more than ${mostSignatures}`);
  const found: AttachedSignature[] = [];
  for (const layer of layers) {
    const signature = layer.annotations?.[signatureKey];
    if (layer.mediaType !== payloadType || typeof signature !== 'string' || layer.size > payloadLimit) continue;
    found.push({ payload: Buffer.from(await fetchConfiguration(access, layer, signal)), signature });
  }
  return found;
}
