import { isRecord } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';

/** Checks one field. @returns the field as the engine uses it, undefined when it has another type. */
interface Field {
  readonly expected: string;
  readonly decode: (value: unknown) => unknown;
}

type Fields = Readonly<Record<string, Field>>;
type JsonObject = Readonly<Record<string, unknown>>;

const isString = (value: unknown): value is string => typeof value === 'string';
const isStrings = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isString);

const field = (expected: string, matches: (value: unknown) => boolean): Field => ({
  expected,
  decode: (value) => (matches(value) ? value : undefined),
});

const text = field('a string', isString);
const texts = field('a list of strings', isStrings);
const object = field('an object', isRecord);
const textByName = field('an object of strings', (value) => isRecord(value) && Object.values(value).every(isString));
const number = field('a number', (value) => typeof value === 'number');

/** A list of arguments; engines before 1.0 wrote a single argument as a string. */
const command: Field = {
  expected: 'a list of strings',
  decode: (value) => (isString(value) ? [value] : isStrings(value) ? value : undefined),
};

const healthcheckFields: Fields = {
  Test: texts,
  Interval: number,
  Timeout: number,
  StartPeriod: number,
  StartInterval: number,
  Retries: number,
};

const configFields: Fields = {
  User: text,
  WorkingDir: text,
  StopSignal: text,
  Env: texts,
  Entrypoint: command,
  Cmd: command,
  OnBuild: texts,
  Shell: command,
  ExposedPorts: object,
  Volumes: object,
  Healthcheck: object,
  Labels: textByName,
};

const historyFields: Fields = { created: text, created_by: text, author: text, comment: text };

const documentFields: Fields = {
  architecture: text,
  variant: text,
  os: text,
  created: text,
  author: text,
  comment: text,
  docker_version: text,
  container: text,
  config: object,
  container_config: object,
  history: field('a list of objects', (value) => Array.isArray(value) && value.every(isRecord)),
};

/**
 * Decodes the fields of an image configuration: a null field counts as absent, an older form becomes today's, unknown
 * fields are kept. `rootfs` is the caller's to check.
 * @throws EngineError `invalid-argument` naming the field that has another type.
 */
export function decodeImageDocument(value: JsonObject): JsonObject {
  const { config, container_config: containerConfig, history, ...decoded } = decodeFields(value, documentFields, '');
  return {
    ...decoded,
    ...(isRecord(config) && { config: decodeImageConfig(config, 'config.') }),
    ...(isRecord(containerConfig) && { container_config: decodeImageConfig(containerConfig, 'container_config.') }),
    ...(Array.isArray(history) && {
      history: history.map((entry: JsonObject, index) => decodeFields(entry, historyFields, `history[${index}].`)),
    }),
  };
}

function decodeImageConfig(value: JsonObject, path: string): JsonObject {
  const { Healthcheck: healthcheck, ...decoded } = decodeFields(value, configFields, path);
  if (!isRecord(healthcheck)) return decoded;
  return { ...decoded, Healthcheck: decodeFields(healthcheck, healthcheckFields, `${path}Healthcheck.`) };
}

function decodeFields(value: JsonObject, fields: Fields, path: string): JsonObject {
  const decoded = Object.entries(value).flatMap(([name, found]): readonly (readonly [string, unknown])[] => {
    if (found === undefined || found === null) return [];
    const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (known === undefined) return [[name, found]];
    const result = known.decode(found);
    if (result === undefined) {
      throw invalidArgument(`the image configuration's ${path}${name} is not ${known.expected}`);
    }
    return [[name, result]];
  });
  return Object.fromEntries(decoded);
}
