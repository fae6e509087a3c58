/** The fields of an answer, none of which is to be trusted. */
export type PluginAnswer = Readonly<Record<string, unknown>>;

export const asObject = (value: unknown): PluginAnswer | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PluginAnswer) : undefined;

/** Undefined for an empty text, too: the protocol does not tell one from none. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
