import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type PackedPackage, type PublishedPackage, projectRoot } from './pack-packages.js';

interface LockEntry {
  readonly version?: string;
  readonly link?: boolean;
  readonly [field: string]: unknown;
}

/** A version in the form of the registry's protocol; npm reads no more than this to install it. */
interface Version {
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Its tarball. */
  readonly send: (response: ServerResponse) => Promise<void>;
}

/**
 * A package registry on loopback with the packed packages of the project and, as their dependencies, what the project
 * itself has installed: nothing is asked of any other registry.
 */
export class LocalRegistry {
  readonly #packages = new Map<string, Map<string, Version>>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(decodeURIComponent(request.url ?? '/'), response).catch((error: unknown) => {
        response.destroy(error instanceof Error ? error : undefined);
      });
    });
  }

  static async start(packed: readonly PackedPackage[], published: readonly PublishedPackage[], directory: string) {
    const registry = new LocalRegistry();
    for (const { name, version, filename } of packed) {
      const { manifest = {} } = published.find((candidate) => candidate.name === name) ?? {};
      const tarball = path.join(directory, filename);
      registry.#add(name, version, { manifest, send: async (response) => void response.end(await readFile(tarball)) });
    }
    const lock = JSON.parse(await readFile(path.join(projectRoot, 'package-lock.json'), 'utf8'));
    for (const [place, entry] of Object.entries(lock.packages as Record<string, LockEntry>)) {
      const name = place.split('node_modules/').at(-1) ?? '';
      if (!place.includes('node_modules/') || entry.link === true || entry.version === undefined) continue;
      registry.#add(name, entry.version, {
        manifest: entry,
        send: (response) => sendInstalled(path.join(projectRoot, place), response),
      });
    }
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #add(name: string, version: string, described: Version): void {
    const versions = this.#packages.get(name) ?? new Map<string, Version>();
    this.#packages.set(name, versions.set(version, described));
  }

  async #answer(url: string, response: ServerResponse): Promise<void> {
    const [name = '', version] = url.slice(1).split('/-/');
    const versions = this.#packages.get(name);
    const asked = version === undefined ? undefined : versions?.get(version);
    if (asked !== undefined) return asked.send(response);
    if (versions === undefined || version !== undefined) return void response.writeHead(404).end('{}');
    const described = [...versions].map(([number, { manifest }]) => {
      const tarball = `${this.url}${encodeURIComponent(name)}/-/${number}`;
      const { integrity, resolved, dev, optional, peer, ...rest } = manifest;
      return [number, { ...rest, name, version: number, dist: { tarball } }] as const;
    });
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify({ name, 'dist-tags': { latest: described.at(-1)?.[0] }, versions: Object.fromEntries(described) }),
    );
  }
}

/** A tarball of a package from where it is installed. */
async function sendInstalled(directory: string, response: ServerResponse): Promise<void> {
  const args = ['-czf', '-', '--exclude=./node_modules', '--transform', 's,^\\.,package,', '.'];
  const tar = spawn('tar', args, { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] });
  await pipeline(tar.stdout, response);
}
