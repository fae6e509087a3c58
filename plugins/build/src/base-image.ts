import { kindOf } from '@gantry/core/errors';
import { formatReference, parseReference } from '@gantry/images/service';
import type { Build } from './build.js';

/** The image a FROM or --from names, pulled when it is not here, or when the client wants the newest. */
export async function findBase(build: Build, name: string, options: { readonly pull?: boolean } = {}): Promise<string> {
  const { images, exchange } = build.parts;
  if (options.pull !== true) {
    try {
      return images.get(name).id;
    } catch (error) {
      if (kindOf(error) !== 'not-found') throw error;
    }
  }
  const parsed = parseReference(name);
  const credentials = build.request.credentials.get(registryOf(parsed.repository));
  return exchange.pull(
    {
      reference: formatReference(parsed),
      ...(credentials !== undefined && { credentials }),
      progress: (item) => void build.output.object(item),
    },
    { signal: build.signal },
  );
}

/** The host in front of a name: it has a dot or a port, or is `localhost`. */
function registryOf(repository: string): string {
  const [first = '', ...rest] = repository.split('/');
  return rest.length > 0 && (/[.:]/.test(first) || first === 'localhost') ? first : 'index.docker.io';
}
