import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Router } from '@gantry/core/http';
import { isUnchanged } from '@gantry/hosted-api/service';

interface WebFile {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

const files = [
  ['/imports', 'imports.html', 'text/html; charset=utf-8'],
  ['/imports/imports.css', 'imports.css', 'text/css; charset=utf-8'],
  ['/imports/imports.js', 'imports.js', 'text/javascript; charset=utf-8'],
  ['/imports/view.js', 'view.js', 'text/javascript; charset=utf-8'],
] as const;

/** Nothing but this service's own files may run in the page or be asked by it. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Reads the files of the page, once. */
export const readPageFiles = (): Promise<readonly WebFile[]> =>
  Promise.all(
    files.map(async ([path, name, type]) => {
      const bytes = await readFile(new URL(`../../web/${name}`, import.meta.url));
      return { path, type, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 20)}"` };
    }),
  );

/** Imports in a browser: it asks the API for everything, with a token its user puts in. */
export function importPageRoutes(router: Router, web: readonly WebFile[]): void {
  for (const { path, type, bytes, etag } of web) {
    router.get(path, (ctx) => {
      ctx.res.setHeader('Content-Security-Policy', policy);
      if (isUnchanged(ctx, { etag })) {
        ctx.status = 304;
        return;
      }
      ctx.res.setHeader('Content-Type', type);
      ctx.body = bytes;
    });
  }
}
