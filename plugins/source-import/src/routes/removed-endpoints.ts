import type { ServerResponse } from 'node:http';
import { HostedError } from '@gantry/hosted-api/service';

/** Spec: Versioning. The date of the endpoints' removal. */
const removedAt = new Date(Date.UTC(2024, 3, 12));

/** A precondition of the import endpoints. @throws HostedError 410 unless the configuration enables them. */
export function removedEndpoints(isEnabled: () => boolean): (response: ServerResponse) => void {
  return (response) => {
    response.setHeader('Sunset', removedAt.toUTCString());
    response.setHeader('Deprecation', `@${removedAt.getTime() / 1000}`);
    if (isEnabled()) return;
    const message = 'The source import endpoints were removed on 2024-04-12.';
    throw new HostedError(410, `${message} The operator of this service can turn them on: "enabled" of source-import`);
  };
}
