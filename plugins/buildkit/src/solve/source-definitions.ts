import { createHash } from 'node:crypto';
import { notImplemented } from '@gantry/core/errors';
import type { Definition } from '../protocol/messages.js';
import type { Protocol } from '../protocol/protocol.js';

/** Names an image of the engine, as the only source of a definition. Clients pass definitions on without reading them. */
const scheme = 'gantry-image://';

/** A definition that stands for an image: clients send it with a build whose context is a result. */
export function definitionOf(imageId: string, protocol: Protocol): Definition {
  const op = protocol.type('pb.Op');
  const source = op.encode(op.fromObject({ source: { identifier: `${scheme}${imageId}` } })).finish();
  const digest = `sha256:${createHash('sha256').update(source).digest('hex')}`;
  // The last operation of a definition names its result. Clients refuse definitions without metadata.
  const last = op.encode(op.fromObject({ inputs: [{ digest, index: 0 }] })).finish();
  return { def: [source, last], metadata: { [digest]: {} } };
}

/** The image of such a definition. @throws EngineError `not-implemented` for any other one, naming where it is. */
export function imageOf(name: string, { def }: Definition, protocol: Protocol): string {
  const op = protocol.type('pb.Op');
  for (const bytes of def) {
    const { source } = op.toObject(op.decode(bytes)) as { readonly source?: { readonly identifier?: string } };
    if (source?.identifier?.startsWith(scheme) === true) return source.identifier.slice(scheme.length);
  }
  throw notImplemented(`FrontendInputs ${name}: low-level build definitions (LLB) are not supported by this builder`);
}
