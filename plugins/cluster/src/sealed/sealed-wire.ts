import type { ClusterRecord } from '@gantry/core/contracts';
import { invalidArgument, notImplemented } from '@gantry/core/errors';
import { type Static, Type } from '@sinclair/typebox';
import type { SealedObject, SealedSpec } from '../records/sealed-kinds.js';
import type { SealedType } from './sealed-type.js';

const map = Type.Optional(Type.Record(Type.String(), Type.String()));
const driver = Type.Optional(Type.Object({ Name: Type.Optional(Type.String()), Options: map }));

/** Keys of filters. */
export const listFilters = ['id', 'label', 'name', 'names'] as const;

/** The `Spec` of a secret or config, as clients send it. */
export const SealedSpecBody = Type.Object({
  Name: Type.Optional(Type.String()),
  Labels: map,
  Data: Type.Optional(Type.String()),
  Driver: driver,
  Templating: driver,
});

export type SealedSpecBody = Static<typeof SealedSpecBody>;

/** @throws EngineError `invalid-argument`, and `not-implemented` for a driver of secrets. */
export function parseSealedSpec({ noun }: SealedType, body: SealedSpecBody): SealedSpec {
  const { Name = '', Labels = {}, Driver, Templating } = body;
  if (!/^[a-zA-Z0-9]+(?:[a-zA-Z0-9-_.]*[a-zA-Z0-9])?$/.test(Name) || Name.length > 64) {
    throw invalidArgument(
      `invalid ${noun} name "${Name}": only 64 [a-zA-Z0-9-_.] characters allowed, and the start and end character ` +
        'must be [a-zA-Z0-9]',
    );
  }
  if ((Driver?.Name ?? '') !== '')
    throw notImplemented(`Driver: "${Driver?.Name}": drivers of secrets are not supported`);
  const templating = Templating?.Name ?? '';
  if (templating !== '' && templating !== 'golang') {
    throw invalidArgument(`Templating.Name: "${templating}" is not supported, only golang`);
  }
  return {
    Name,
    Labels,
    ...(templating !== '' && {
      Templating: { Name: templating, ...(Templating?.Options !== undefined && { Options: Templating.Options }) },
    }),
  };
}

/** @throws EngineError `invalid-argument` when there is no content, or too much. */
export function parseContent({ noun, limit }: SealedType, data = ''): Buffer {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(data)) throw invalidArgument('Data: the value is not base64');
  const content = Buffer.from(data, 'base64');
  if (content.length === 0 || content.length >= limit) {
    throw invalidArgument(`${noun} data must be larger than 0 and less than ${limit} bytes`);
  }
  return content;
}

/** Spec of today's API: secret or config record. */
export function toSealedObject(record: ClusterRecord<SealedObject>, content: Buffer | undefined) {
  const { id, revision, createdAt, updatedAt, value } = record;
  return {
    ID: id,
    Version: { Index: revision },
    CreatedAt: createdAt,
    UpdatedAt: updatedAt,
    Spec: { ...value.spec, ...(content !== undefined && { Data: content.toString('base64') }) },
  };
}
