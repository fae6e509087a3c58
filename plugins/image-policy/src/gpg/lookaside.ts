import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '@gantry/core/driver';
import { internal, invalidArgument, messageOf } from '@gantry/core/errors';
import type { ImageName } from '../policy/policy.js';

/** Where other tools for images write signatures on a host without configuration. */
const builtInStore = 'file:///var/lib/containers/sigstore';
const mostSignatures = 100;
const mostBytes = 4 * 2 ** 20;
const timeout = 60_000;

/** Where signatures of images are kept beside their registries, as `registries.d` says. */
export class Lookaside {
  constructor(
    /** By namespace. */
    private readonly stores: ReadonlyMap<string, URL>,
    private readonly fallback: URL,
  ) {}

  /** Reads the directory; it need not be there. Rejects `invalid-argument` naming the file and what is wrong. */
  static async read(directory: string): Promise<Lookaside> {
    const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const stores = new Map<string, URL>();
    let fallback: URL | undefined;
    for (const name of names.filter((each) => each.endsWith('.yaml')).sort()) {
      const file = path.join(directory, name);
      const wrong = (what: string) => invalidArgument(`the configuration of registries ${file}: ${what}`);
      const { parseYaml } = await import('./parse-yaml.js');
      const document = parseYaml(await readFile(file, 'utf8')) ?? {};
      if (!isRecord(document)) throw wrong('is not a map');
      const { 'default-docker': other, docker = {} } = document;
      if (!isRecord(docker)) throw wrong('docker is not a map');
      for (const [scope, entry] of Object.entries(docker)) {
        const store = storeOf(entry, (what) => wrong(`docker.${scope} ${what}`));
        if (stores.has(scope)) throw wrong(`docker.${scope} is in another file, too`);
        if (store !== undefined) stores.set(scope, store);
      }
      const store = other === undefined ? undefined : storeOf(other, (what) => wrong(`default-docker ${what}`));
      if (store !== undefined && fallback !== undefined) throw wrong('default-docker is in another file, too');
      fallback ??= store;
    }
    return new Lookaside(stores, fallback ?? new URL(builtInStore));
  }

  /** All signatures of a digest of the image, in the order of their numbers. */
  async signatures(image: ImageName, digest: string): Promise<readonly Buffer[]> {
    const base = this.#storeOf(image).href.replace(/\/$/, '');
    const found: Buffer[] = [];
    for (let number = 1; ; number++) {
      const url = new URL(`${base}/${image.path}@${digest.replace(':', '=')}/signature-${number}`);
      const signature = url.protocol === 'file:' ? await readLocal(url) : await download(url);
      if (signature === undefined) return found;
      if (number > mostSignatures) throw internal(`${base} has more than ${mostSignatures} signatures of ${digest}`);
      if (signature.length > mostBytes) throw internal(`the signature ${url} has more than ${mostBytes} bytes`);
      found.push(signature);
    }
  }

  /** The most specific namespace counts. */
  #storeOf({ path: repository, registry, tag }: ImageName): URL {
    const name = `${registry}/${repository}`;
    if (tag !== undefined) {
      const exact = this.stores.get(`${name}:${tag}`);
      if (exact !== undefined) return exact;
    }
    for (let scope = name; ; scope = scope.slice(0, scope.lastIndexOf('/'))) {
      const found = this.stores.get(scope);
      if (found !== undefined) return found;
      if (!scope.includes('/')) return this.fallback;
    }
  }
}

/** `sigstore` is the earlier name of `lookaside`. Undefined for an entry that only says where to write. */
function storeOf(entry: unknown, wrong: (what: string) => Error): URL | undefined {
  if (!isRecord(entry)) throw wrong('is not a map');
  const url = entry.lookaside ?? entry.sigstore;
  if (url === undefined) return undefined;
  if (typeof url !== 'string' || !URL.canParse(url) || !/^(file|https?):$/.test(new URL(url).protocol)) {
    throw wrong(`lookaside: ${JSON.stringify(url)} is not a URL of file, http or https`);
  }
  return new URL(url);
}

async function readLocal(url: URL): Promise<Buffer | undefined> {
  try {
    return await readFile(url);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw internal(`the signature ${url} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

async function download(url: URL): Promise<Buffer | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeout) });
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`status ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (cause) {
    throw internal(`the signature ${url} cannot be read: ${messageOf(cause)}`, { cause });
  }
}
