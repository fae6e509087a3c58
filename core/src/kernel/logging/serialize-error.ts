/** How deep causes are followed: a chain may be circular. */
const maxDepth = 8;

/** What a log line shows of an error. */
interface SerializedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The error's own fields, such as `code` or `kind`. */
  readonly [field: string]: unknown;
  readonly cause?: unknown;
  /** Of an AggregateError. */
  readonly errors?: readonly unknown[];
}

/**
 * A thrown value as a log line shows it: type, message, stack, own fields and the same of its cause. Values that are not
 * errors stay as they are.
 */
export function serializeError(value: unknown, depth = 0): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  const type = value.constructor.name || name;
  const fields = Object.fromEntries(Object.entries(value).filter(([, field]) => isPlain(field)));
  const serialized: SerializedError = { ...fields, type, message, stack };
  if (depth >= maxDepth) return serialized;
  return {
    ...serialized,
    ...(cause !== undefined && { cause: serializeError(cause, depth + 1) }),
    ...(value instanceof AggregateError && { errors: value.errors.map((error) => serializeError(error, depth + 1)) }),
  };
}

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
