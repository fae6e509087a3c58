import { at, eachValue, ofObject } from '../shapes.js';
import { step } from '../step.js';

/** The aliases were all names but the container's own. */
const dnsNamesAsAliases = ofObject((container) => {
  const own = String(container.Name).replace(/^\//, '');
  const change = ofObject((endpoint) =>
    Array.isArray(endpoint.DNSNames)
      ? { ...endpoint, Aliases: endpoint.DNSNames.filter((name) => name !== own) }
      : endpoint,
  );
  return at('NetworkSettings', at('Networks', eachValue(change)))(container);
});

/** What clients before 1.45 see. */
export default step('1.45', {
  'GET /images/*name/json': { lacks: ['image-without-container'] },
  'GET /containers/:id/json': { answer: dnsNamesAsAliases },
});
