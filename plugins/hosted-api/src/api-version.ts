import type { Context } from '@gantry/core/http';
import { HostedError } from './hosted-error.js';

/** Dates of the interface that are served, newest first. */
export const apiVersions = ['2022-11-28'] as const;

/** Clients of this interface name their version in either. */
const headers = ['x-host-api-version', 'x-github-api-version'] as const;

/** Spec: Versioning. Without a header a request speaks the newest. @throws HostedError 400 for another version. */
export function checkApiVersion(ctx: Context): void {
  for (const header of headers) {
    const asked = ctx.req.headers[header];
    if (asked === undefined || apiVersions.some((version) => version === asked)) continue;
    throw new HostedError(
      400,
      `"${String(asked)}" is not a supported API version. Supported versions: ${apiVersions.join(', ')}`,
    );
  }
}
