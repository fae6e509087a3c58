import type { ServerResponse } from 'node:http';
import { HostedError } from '@gantry/hosted-api/service';

/** Spec: Versioning. The import endpoints are removed from then on. */
const removedAt = new Date(Date.UTC(2024, 3, 12));

/** Stands in front of the import endpoints. @throws HostedError 410 unless the configuration turns them on. */
export function refuseRemoved(isEnabled: () => boolean): (response: ServerResponse) => void {
  return (response) => {
    response.setHeader('Sunset', removedAt.toUTCString());
    response.setHeader('Deprecation', `@${removedAt.getTime() / 1000}`);
    if (isEnabled()) return;
    const words = 'The source import endpoints were removed on 2024-04-12.';
    throw new HostedError(410, `${words} The operator of this service can turn them on: "enabled" of source-import`);
  };
}
