import type { RecordKind } from '@gantry/core/contracts';
import { configs, type SealedObject, secrets } from '../records/sealed-kinds.js';

/** One of the two kinds of objects whose content tasks are given. They differ in little else. */
export interface SealedType {
  readonly kind: RecordKind<SealedObject>;
  readonly noun: 'secret' | 'config';
  /** First part of the paths. */
  readonly collection: 'secrets' | 'configs';
  /** The content has fewer bytes. */
  readonly limit: number;
  /** The content is part of what clients are shown. */
  readonly isShown: boolean;
}

export const secretType: SealedType = {
  kind: secrets,
  noun: 'secret',
  collection: 'secrets',
  limit: 500 * 1024,
  isShown: false,
};

export const configType: SealedType = {
  kind: configs,
  noun: 'config',
  collection: 'configs',
  limit: 1000 * 1024,
  isShown: true,
};
