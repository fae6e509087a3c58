import { invalidArgument } from '@gantry/core/errors';
import { at, each, eachValue, ofObject } from '../shapes.js';
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

const noSubpath = ofObject((options) => {
  if (!options.Subpath) return options;
  throw invalidArgument('VolumeOptions.Subpath needs API v1.45 or newer');
});

/** What clients before 1.45 see. */
export default step('1.45', {
  'POST /containers/create': { body: at('HostConfig', at('Mounts', each(at('VolumeOptions', noSubpath)))) },
  'GET /images/*name/json': { lacks: ['image-without-container'] },
  'GET /containers/:id/json': { answer: dnsNamesAsAliases },
});
