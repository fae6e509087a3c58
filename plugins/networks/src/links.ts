import type { EndpointRecord } from './records.js';

/** Whom a link means: by id, by short id, or by the name a container has now. */
export function means(reference: string, container: Pick<EndpointRecord, 'containerId' | 'containerName'>): boolean {
  const { containerId, containerName } = container;
  return (
    reference === containerId ||
    reference === containerName ||
    (/^[0-9a-f]{12,}$/.test(reference) && containerId.startsWith(reference))
  );
}

/** Whether one of the links leads to a container. */
export const linksTo = (
  links: EndpointRecord['links'],
  container: Pick<EndpointRecord, 'containerId' | 'containerName'>,
): boolean => Object.values(links).some((reference) => means(reference, container));
