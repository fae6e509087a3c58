import { isRecord } from '@gantry/core/driver';

/** The fields of an answer, of any type. */
export type PluginAnswer = Readonly<Record<string, unknown>>;

export const asObject = (value: unknown): PluginAnswer | undefined => (isRecord(value) ? value : undefined);

/** Undefined for an empty string, too, which the protocol uses for an absent one. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
