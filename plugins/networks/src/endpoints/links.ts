import type { EndpointRecord } from '../store/records.js';

type LinkTarget = Pick<EndpointRecord, 'containerId' | 'containerName'>;

/** Whether a link's reference means a container: by id, by short id, or by its current name. */
export function refersTo(reference: string, { containerId, containerName }: LinkTarget): boolean {
  return (
    reference === containerId ||
    reference === containerName ||
    (/^[0-9a-f]{12,}$/.test(reference) && containerId.startsWith(reference))
  );
}

/** Whether one of the links refers to a container. */
export const linksTo = (links: EndpointRecord['links'], container: LinkTarget): boolean =>
  Object.values(links).some((reference) => refersTo(reference, container));
