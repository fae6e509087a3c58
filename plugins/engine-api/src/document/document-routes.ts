import { version } from '@gantry/core';
import { notFound } from '@gantry/core/errors';
import { content, type Operations, type Router, type Surface, sendJson } from '@gantry/core/http';
import { newestVersion } from '../api-versions.js';
import { createDocument } from './create-document.js';

/** What the route of the document does. */
export const operations: Operations = {
  'GET /openapi.json': {
    summary: 'This document',
    answers: { 200: content.undescribed('an OpenAPI document') },
  },
};

/** Serves the OpenAPI document of what is mounted on a surface when it is asked for. */
export function declareDocument(router: Router, surface: Surface): void {
  router.get('/openapi.json', (ctx) => {
    const [, asked] = /^\/v([\d.]+)\//.exec(ctx.originalUrl) ?? [];
    if (asked !== undefined && asked !== newestVersion) {
      throw notFound(`there is a document of API ${newestVersion} only, and not of ${asked}`);
    }
    sendJson(ctx, createDocument(surface.mounted, { apiVersion: newestVersion, engineVersion: version }));
  });
}
