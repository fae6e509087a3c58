import type { RecordKind } from '@gantry/core/contracts';

/** Spec: the `Spec` of a secret or config, without its content. */
export interface SealedSpec {
  readonly Name: string;
  readonly Labels: Readonly<Record<string, string>>;
  /** How the content is made into that of a task. */
  readonly Templating?: { readonly Name: string; readonly Options?: Readonly<Record<string, string>> };
}

/** A secret or config. */
export interface SealedObject {
  readonly spec: SealedSpec;
  /** The content, encrypted with a key that is not in the store. */
  readonly sealed: string;
}

const sealedKind = (name: string): RecordKind<SealedObject> => ({
  name,
  version: 1,
  parse(value) {
    const object = value as SealedObject;
    if (typeof object.spec?.Name !== 'string') throw new Error(`the ${name} has no name`);
    if (typeof object.sealed !== 'string') throw new Error(`the ${name} has no content`);
    return object;
  },
  uniqueNames: ({ spec }) => [spec.Name],
});

export const secrets: RecordKind<SealedObject> = sealedKind('secret');
export const configs: RecordKind<SealedObject> = sealedKind('config');
