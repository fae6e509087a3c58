import { createHash, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import engineApi from '@gantry/engine-api';
import images from '@gantry/images';
import { archive, state, storage } from '@gantry/memory-drivers';
import registry from '@gantry/registry';
import { startEngine } from '@gantry/test-engine';
import type { ExecutionContext } from 'ava';
import imagePolicy from '../index.js';

const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const manifestType = 'application/vnd.oci.image.manifest.v1+json';

/** A registry in the test's process. */
export async function startRegistry(t: ExecutionContext) {
  const content = new Map<string, { readonly type: string; readonly bytes: Buffer }>();
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    const found = content.get(url);
    asked.push(url);
    if (found === undefined && url !== '/v2/') response.statusCode = 404;
    if (found !== undefined) response.setHeader('Content-Type', found.type);
    response.end(found?.bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const blob = (repository: string, bytes: Buffer, mediaType: string) => {
    content.set(`/v2/${repository}/blobs/${digestOf(bytes)}`, { type: 'application/octet-stream', bytes });
    return { mediaType, digest: digestOf(bytes), size: bytes.length };
  };
  const manifest = (repository: string, tag: string, config: object, layers: readonly object[]): string => {
    const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: manifestType, config, layers }));
    for (const name of [tag, digestOf(bytes)]) {
      content.set(`/v2/${repository}/manifests/${name}`, { type: manifestType, bytes });
    }
    return digestOf(bytes);
  };
  return {
    host,
    asked,
    /** @returns the digest of its manifest. */
    push(repository: string, tag = 'latest'): string {
      const layer = Buffer.alloc(1024);
      const rootfs = { type: 'layers', diff_ids: [digestOf(layer)] };
      const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
      const config = Buffer.from(JSON.stringify({ os: 'linux', architecture, rootfs, config: { Env: [repository] } }));
      return manifest(repository, tag, blob(repository, config, 'application/vnd.oci.image.config.v1+json'), [
        blob(repository, layer, 'application/vnd.oci.image.layer.v1.tar'),
      ]);
    },
    attach(repository: string, digest: string, key: KeyObject, signed: { reference: string; digest?: string }): void {
      const payload = Buffer.from(
        JSON.stringify({
          critical: {
            identity: { 'docker-reference': signed.reference },
            image: { 'docker-manifest-digest': signed.digest ?? digest },
            type: 'cosign container image signature',
          },
          optional: null,
        }),
      );
      const signature = sign(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', payload, key).toString('base64');
      const layer = {
        ...blob(repository, payload, 'application/vnd.dev.cosign.simplesigning.v1+json'),
        annotations: { 'dev.cosignproject.cosign/signature': signature },
      };
      const config = blob(repository, Buffer.from('{}'), 'application/vnd.oci.image.config.v1+json');
      manifest(repository, `${digest.replace(':', '-')}.sig`, config, [layer]);
    },
  };
}

async function policyFile(t: ExecutionContext, policy: unknown): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-policy-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const file = path.join(directory, 'policy.json');
  await writeFile(file, typeof policy === 'string' ? policy : JSON.stringify(policy));
  return file;
}

/** Starts an engine with a policy. @param more of the plugin's configuration. @returns pulls an image. */
export async function start(t: ExecutionContext, policy: unknown, more: object = {}) {
  const file = await policyFile(t, policy);
  const use = [engineApi, archive, state, storage, images, registry, imagePolicy];
  const engine = await startEngine(t, use, { plugins: { 'image-policy': { file, ...more } } });
  /** @returns the error, undefined when the image is there. */
  const pull = async (name: string): Promise<string | undefined> => {
    const answer = await engine.ask('POST', `/images/create?fromImage=${encodeURIComponent(name)}`);
    const found = await engine.ask('GET', `/images/${name}/json`);
    return found.status === 200 ? undefined : answer.text;
  };
  return Object.assign(pull, { engine });
}
