import { isRecord } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';

type Check = readonly [words: string, holds: (value: unknown) => boolean];
type Checks = Readonly<Record<string, Check>>;

const isString = (value: unknown): boolean => typeof value === 'string';

const text: Check = ['a string', isString];
const texts: Check = ['a list of strings', (value) => Array.isArray(value) && value.every(isString)];
const object: Check = ['an object', isRecord];
const textByName: Check = ['an object of strings', (value) => isRecord(value) && Object.values(value).every(isString)];

const document: Checks = {
  architecture: text,
  os: text,
  created: text,
  author: text,
  comment: text,
  docker_version: text,
  container: text,
  config: object,
  container_config: object,
  history: ['a list of objects', (value) => Array.isArray(value) && value.every(isRecord)],
};

const config: Checks = {
  User: text,
  WorkingDir: text,
  StopSignal: text,
  Env: texts,
  Entrypoint: texts,
  Cmd: texts,
  OnBuild: texts,
  Shell: texts,
  ExposedPorts: object,
  Volumes: object,
  Healthcheck: object,
  Labels: textByName,
};

const item: Checks = { created: text, created_by: text, author: text, comment: text };

/**
 * Refuses what is not of its type: the document comes from anywhere, and others rely on its types. Unset may be null.
 * @throws EngineError `invalid-argument` naming the field.
 */
export function checkConfiguration(value: Readonly<Record<string, unknown>>): void {
  check(value, document, '');
  for (const name of ['config', 'container_config']) {
    if (isRecord(value[name])) check(value[name], config, `${name}.`);
  }
  for (const [index, entry] of (Array.isArray(value.history) ? value.history : []).entries()) {
    check(entry, item, `history[${index}].`);
  }
}

function check(value: Readonly<Record<string, unknown>>, checks: Checks, path: string): void {
  for (const [name, [words, holds]] of Object.entries(checks)) {
    const found = value[name];
    if (found === undefined || found === null || holds(found)) continue;
    throw invalidArgument(`the image configuration's ${path}${name} is not ${words}`);
  }
}
