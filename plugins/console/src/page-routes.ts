import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject, injectable, Lifetime } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import type { Context, Router } from '@gantry/core/http';
import { Document } from './first-screen/document.js';
import { FirstScreen } from './first-screen/first-screen.js';
import { Gate } from './sign-in/gate.js';
import { ConsoleSurface } from './surface.js';

const directory = fileURLToPath(new URL('../web/dist/assets/', import.meta.url));

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The build puts a digest of the content into the names of all files but the pages themselves. */
const hasDigest = /-[A-Z0-9]{8}\.(?:js|css)$/;

interface PageFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** With gzip, which the build has made. */
  readonly compressed: Buffer | undefined;
}

/**
 * Serves the files of the pages to anyone: they reveal nothing, and are read once. Browsers that are signed in have the first
 * screen with the document.
 */
@injectable()
export class PageRoutes {
  constructor(
    @inject(ConsoleSurface) private readonly surface: ConsoleSurface,
    @inject(Lifetime) private readonly lifetime: Lifetime,
    @inject(Gate) private readonly gate: Gate,
    @inject(FirstScreen) private readonly firstScreen: FirstScreen,
  ) {}

  async start(): Promise<void> {
    const names = (await readdir(directory).catch(() => [])).filter((name) => path.extname(name) in types);
    if (!names.includes('console.html')) {
      throw unavailable(`the pages are not built: ${directory} lacks console.html; run "npm run build"`);
    }
    const files = await Promise.all(names.map(readPageFile));
    this.lifetime.add(
      this.surface.routes('console-pages', (router) => {
        for (const file of files) this.#serve(router, file);
      }),
    );
  }

  #serve(router: Router, file: PageFile): void {
    const sendFile = senderOf(file);
    if (file.name !== 'console.html') {
      router.get(`/${file.name}`, sendFile);
      return;
    }
    const page = new Document(file.bytes.toString());
    const policy = policyOf(file);
    const send = async <P>(ctx: Context<P>): Promise<void> => {
      const session = this.gate.sessionOf(ctx);
      if (session === undefined) return sendFile(ctx);
      await page.send(ctx, policy, (signal) => this.firstScreen.render(session.user, signal));
    };
    router.get('/', send);
    router.get(`/${file.name}`, send);
  }
}

async function readPageFile(name: string): Promise<PageFile> {
  const file = path.join(directory, name);
  const [bytes, compressed] = await Promise.all([readFile(file), readFile(`${file}.gz`).catch(() => undefined)]);
  return { name, bytes, compressed };
}

/** What browsers let a page do: of the scripts within its document, they run only those that the build has put there. */
function policyOf({ name, bytes }: PageFile): string {
  const scripts = name.endsWith('.html') ? bytes.toString().matchAll(/<script>(.*?)<\/script>/gs) : [];
  const digests = [...scripts].map(([, script = '']) => createHash('sha256').update(script).digest('base64'));
  const sources = ["'self'", ...digests.map((digest) => `'sha256-${digest}'`)].join(' ');
  const common = `default-src 'none'; script-src ${sources}; img-src 'self' data:; connect-src 'self'; base-uri 'none'`;
  // xterm.js inserts style elements: it has a document of its own, so that no other page needs to allow them.
  return name === 'terminal.html'
    ? `${common}; style-src 'self' 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'`
    : `${common}; style-src 'self'; frame-src 'self'; form-action 'none'; frame-ancestors 'none'`;
}

function senderOf(file: PageFile) {
  const { name, bytes, compressed } = file;
  const policy = policyOf(file);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 20)}"`;
  return <P>(ctx: Context<P>): void => {
    ctx.set('Content-Security-Policy', policy);
    // Browsers keep the files, and ask for a page each time whether it is still the same.
    ctx.set('Cache-Control', hasDigest.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache');
    ctx.set('ETag', etag);
    if (ctx.get('If-None-Match') === etag) {
      ctx.status = 304;
      return;
    }
    ctx.set('Content-Type', types[path.extname(name)] ?? 'application/octet-stream');
    ctx.set('Vary', 'Accept-Encoding');
    const isCompressed = compressed !== undefined && /\bgzip\b/.test(ctx.get('Accept-Encoding'));
    if (isCompressed) ctx.set('Content-Encoding', 'gzip');
    ctx.body = isCompressed ? compressed : bytes;
  };
}
