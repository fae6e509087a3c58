import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { TestOwner } from '@gantry/test-engine';
import { tarOf } from './tar.js';

export const digestOf = (bytes: Buffer | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

interface MadeImage {
  readonly id: string;
  readonly configuration: Buffer;
  readonly layers: readonly Buffer[];
  readonly manifest: Buffer;
}

/** An image of one layer for each text, compressed, with its manifest. */
export async function makeContent(texts: readonly string[], more: object = {}): Promise<MadeImage> {
  const tars = await Promise.all(texts.map((text, index) => tarOf({ [`file${index}`]: text })));
  const layers = tars.map((tar) => gzipSync(tar));
  const configuration = Buffer.from(
    JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      config: {},
      rootfs: { type: 'layers', diff_ids: tars.map(digestOf) },
    }),
  );
  const blob = (mediaType: string, bytes: Buffer) => ({ mediaType, size: bytes.length, digest: digestOf(bytes) });
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: types.manifest,
      config: blob('application/vnd.docker.container.image.v1+json', configuration),
      layers: layers.map((layer) => blob('application/vnd.docker.image.rootfs.diff.tar.gzip', layer)),
      ...more,
    }),
  );
  return { id: digestOf(configuration), configuration, layers, manifest };
}

export const types = {
  manifest: 'application/vnd.docker.distribution.manifest.v2+json',
  list: 'application/vnd.docker.distribution.manifest.list.v2+json',
  ociIndex: 'application/vnd.oci.image.index.v1+json',
  ociManifest: 'application/vnd.oci.image.manifest.v1+json',
} as const;

/** Answers a request itself and says so, or leaves it to the stand-in. */
export type Hook = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

interface StandIn {
  readonly host: string;
  /** Method and path of each request so far. */
  readonly asked: string[];
  /** Headers of each request so far. */
  readonly headers: IncomingMessage['headers'][];
  serve(tag: string, manifest: Buffer, type?: string): void;
  /** Serves an image with its blobs. */
  serveImage(tag: string, image: MadeImage): void;
  blob(bytes: Buffer): void;
}

/** A registry that does what a test wants: it serves what it was given, unless the hook answers. */
export async function startStandIn(t: TestOwner, hook: Hook = () => false): Promise<StandIn> {
  const manifests = new Map<string, { readonly bytes: Buffer; readonly type: string }>();
  const blobs = new Map<string, Buffer>();
  const asked: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    asked.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    if (await hook(request, response)) return;
    const path = request.url ?? '';
    if (path === '/v2/') return void response.end('{}');
    const manifest = manifests.get(/\/manifests\/(.+)$/.exec(path)?.[1] ?? '');
    if (manifest !== undefined) {
      response.setHeader('Content-Type', manifest.type);
      return void response.end(manifest.bytes);
    }
    const blob = blobs.get(/\/blobs\/(.+)$/.exec(path)?.[1] ?? '');
    if (blob !== undefined) return sendBlob(request, response, blob);
    response.statusCode = 404;
    response.end('{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}');
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const standIn: StandIn = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    headers,
    serve: (tag, bytes, type = types.manifest) => {
      manifests.set(tag, { bytes, type });
      manifests.set(digestOf(bytes), { bytes, type });
    },
    serveImage: (tag, image) => {
      standIn.serve(tag, image.manifest);
      for (const bytes of [image.configuration, ...image.layers]) standIn.blob(bytes);
    },
    blob: (bytes) => void blobs.set(digestOf(bytes), bytes),
  };
  return standIn;
}

/** With ranges, as registries do. */
export function sendBlob(request: IncomingMessage, response: ServerResponse, blob: Buffer): void {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (start > 0) {
    response.statusCode = 206;
    response.setHeader('Content-Range', `bytes ${start}-${blob.length - 1}/${blob.length}`);
  }
  response.setHeader('Content-Length', blob.length - start);
  response.end(blob.subarray(start));
}
