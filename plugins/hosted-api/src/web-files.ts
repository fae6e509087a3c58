import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Router } from '@gantry/core/http';
import { isUnchanged } from './conditional.js';

/** A file of a page, with the path and the media type it is served with. */
export interface WebFile {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Restricts scripts, styles and requests of a page to this service's own origin. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Reads `.css`, `.js` and `.svg` files of `directory` into memory, to be served below `path`. */
export const readWebFiles = (directory: URL, path: string, names: readonly string[]): Promise<readonly WebFile[]> =>
  Promise.all(
    names.map(async (name) => {
      const type = name.slice(name.lastIndexOf('.') + 1) as keyof typeof types;
      return webFile(`${path}/${name}`, type, await readFile(new URL(name, directory)));
    }),
  );

export function webFile(path: string, type: keyof typeof types, bytes: Buffer): WebFile {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 20)}"`;
  return { path, type: types[type], bytes, etag };
}

/**
 * Serves files without authentication: a page requests its data from the API with the token that the user enters.
 * Browsers cache the files and revalidate them on each use.
 */
export function webFileRoutes(router: Router, files: readonly WebFile[]): void {
  for (const { path, type, bytes, etag } of files) {
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
