import { type Context, queryOf, rawBody } from '@gantry/core/http';
import { type FieldError, HostedError, validationFailed } from './hosted-error.js';
import { parseIsoMoment } from './iso-moment.js';

/** The fields of a JSON body, or the parameters of a query; every reader throws 422 naming field and value. */
export class Parameters {
  constructor(
    private readonly resource: string,
    private readonly values: ReadonlyMap<string, unknown>,
  ) {}

  boolean(field: string): boolean | undefined {
    const value = this.values.get(field);
    if (value === undefined || typeof value === 'boolean') return value;
    // Some clients send booleans in their language's spelling, such as `True`.
    const word = typeof value === 'string' ? value.toLowerCase() : undefined;
    if (word === 'true' || word === '1') return true;
    if (word === 'false' || word === '0') return false;
    throw this.invalid(field, 'a boolean');
  }

  string(field: string): string | undefined {
    const value = this.values.get(field);
    if (value === undefined || typeof value === 'string') return value;
    throw this.invalid(field, 'a string');
  }

  /** Milliseconds since 1970. */
  moment(field: string): number | undefined {
    const value = this.values.get(field);
    if (value === undefined) return undefined;
    const moment = typeof value === 'string' ? parseIsoMoment(value) : undefined;
    if (moment !== undefined) return moment;
    throw this.invalid(field, 'a time in the form YYYY-MM-DDTHH:MM:SSZ');
  }

  /** For readers of other types: undefined when the field is absent. */
  value(field: string): unknown {
    return this.values.get(field);
  }

  /** @throws HostedError 422 for the first field that is none of these. */
  only(...fields: readonly string[]): this {
    const [other] = [...this.values.keys()].filter((field) => !fields.includes(field));
    if (other === undefined) return this;
    const message = `${shown(this.values.get(other))} is for a field that is not there; there are ${fields.join(', ')}`;
    throw this.fault(other, 'invalid', message);
  }

  invalid(field: string, wanted: string): HostedError {
    return this.fault(field, 'invalid', `${shown(this.values.get(field))} is not ${wanted}`);
  }

  missing(field: string): HostedError {
    return this.fault(field, 'missing_field');
  }

  fault(field: string, code: FieldError['code'], message?: string): HostedError {
    return validationFailed({ resource: this.resource, field, code, ...(message !== undefined && { message }) });
  }
}

/** The query of a request; an empty value counts as absent. */
export function queryParameters<P>(ctx: Context<P>, resource: string): Parameters {
  const query = queryOf(ctx);
  const names = new Set(new URLSearchParams(ctx.querystring).keys());
  const values = [...names].map((name) => [name, query.string(name)] as const).filter(([, value]) => value !== '');
  return new Parameters(resource, new Map(values));
}

/**
 * The JSON body of a request, whatever its Content-Type; an empty one has no fields, and `null` is an absent field.
 * @throws HostedError 400 for what is no JSON object.
 */
export async function bodyParameters<P>(ctx: Context<P>, resource: string): Promise<Parameters> {
  const bytes = await rawBody(ctx);
  if (bytes.length === 0) return new Parameters(resource, new Map());
  return new Parameters(resource, new Map(Object.entries(parseObject(bytes)).filter(([, value]) => value !== null)));
}

/** @throws HostedError 400. */
export function parseObject(bytes: Buffer): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new HostedError(400, 'Problems parsing JSON', [], { cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new HostedError(400, 'Body should be a JSON object');
}

/** A deeply nested value can be parsed but overflows the stack in JSON.stringify. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return 'the value';
  }
}

function shown(value: unknown): string {
  const text = textOf(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
