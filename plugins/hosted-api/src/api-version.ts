import type { Context } from '@gantry/core/http';
import { HostedError } from './hosted-error.js';

/** Supported API versions, newest first. */
export const apiVersions = ['2022-11-28'] as const;

/** Headers in which clients request a version. */
const headers = ['x-host-api-version', 'x-github-api-version'] as const;

/** Spec: Versioning. Requests without the header use the newest version. @throws HostedError 400 for an unsupported one. */
export function checkApiVersion(ctx: Context): void {
  for (const header of headers) {
    const requested = ctx.req.headers[header];
    if (requested === undefined || apiVersions.some((version) => version === requested)) continue;
    throw new HostedError(
      400,
      `"${String(requested)}" is not a supported API version. Supported versions: ${apiVersions.join(', ')}`,
    );
  }
}
