import { invalidArgument } from '@gantry/core/errors';
import type { ConfigReference, SecretReference } from './service-spec.js';

/** References of ContainerSpec.Secrets or Configs. @throws EngineError naming the field. */
export function checkFileReferences(
  field: 'Secrets' | 'Configs',
  references: readonly (SecretReference | ConfigReference)[],
): void {
  const targets = new Map<string, string>();
  for (const reference of references) {
    const { id, name } = idAndNameOf(reference);
    const target = reference.File?.Name ?? '';
    if (id === '' || name === '')
      throw invalidArgument(`ContainerSpec.${field}: malformed reference: id and name must be given`);
    if (target === '')
      throw invalidArgument(`ContainerSpec.${field}: malformed reference of ${name}, no target provided`);
    const earlier = targets.get(target);
    if (earlier !== undefined) {
      throw invalidArgument(
        `ContainerSpec.${field}: references '${earlier}' and '${name}' have a conflicting target: '${target}'`,
      );
    }
    checkOwner(`ContainerSpec.${field}.File`, reference);
    targets.set(target, name);
  }
}

function checkOwner(field: string, { File: file = {} }: SecretReference | ConfigReference): void {
  for (const key of ['UID', 'GID'] as const) {
    const value = file[key] ?? '';
    if (value !== '' && !/^\d{1,10}$/.test(value)) throw invalidArgument(`${field}.${key}: "${value}" is not a number`);
  }
  const { Mode: mode = 0 } = file;
  if (mode < 0) throw invalidArgument(`${field}.Mode: ${mode} must not be negative`);
}

export const idAndNameOf = (
  reference: SecretReference | ConfigReference,
): { readonly id: string; readonly name: string } =>
  'ConfigID' in reference || 'ConfigName' in reference
    ? { id: reference.ConfigID ?? '', name: reference.ConfigName ?? '' }
    : {
        id: (reference as SecretReference).SecretID ?? '',
        name: (reference as SecretReference).SecretName ?? '',
      };
