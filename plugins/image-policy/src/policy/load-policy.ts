import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isRecord } from '@gantry/core/driver';
import { invalidArgument, messageOf } from '@gantry/core/errors';
import { keyringOf } from './keyring-of.js';
import type { Policy, Requirement, SignedIdentity } from './policy.js';

type Fields = Readonly<Record<string, unknown>>;

/** Reads a policy and its keys. Rejects `invalid-argument` naming the file, the place and what is wrong. */
export async function loadPolicy(file: string): Promise<Policy> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw invalidArgument(`the image policy ${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
  try {
    return await parsePolicy(JSON.parse(text));
  } catch (cause) {
    throw invalidArgument(`the image policy ${file} is invalid: ${messageOf(cause)}`, { cause });
  }
}

async function parsePolicy(value: unknown): Promise<Policy> {
  const { default: fallback, transports = {} } = fieldsOf(value, 'the document', ['default', 'transports']);
  // Scopes of other transports are for other tools.
  const { docker = {}, ...others } = fieldsOf(transports, 'transports');
  const scopes = await Promise.all(
    Object.entries(fieldsOf(docker, 'transports.docker')).map(
      async ([scope, list]) => [scope, await parseRequirements(list, `transports.docker.${scope}`)] as const,
    ),
  );
  const archives: Record<string, readonly Requirement[]> = {};
  for (const transport of ['docker-archive', 'tarball'] as const) {
    // What a client sends has no path, by which the other scopes are named.
    const { '': list } = fieldsOf(others[transport] ?? {}, `transports.${transport}`);
    if (list !== undefined) archives[transport] = await parseRequirements(list, `transports.${transport}.""`);
  }
  return { fallback: await parseRequirements(fallback, 'default'), scopes: new Map(scopes), archives };
}

function parseRequirements(value: unknown, where: string): Promise<readonly Requirement[]> {
  if (!Array.isArray(value) || value.length === 0) throw wrong(where, 'needs a list of at least one requirement');
  return Promise.all(value.map((each, index) => parseRequirement(each, `${where}[${index}]`)));
}

async function parseRequirement(value: unknown, where: string): Promise<Requirement> {
  const { type } = fieldsOf(value, where);
  switch (type) {
    case 'insecureAcceptAnything':
    case 'reject':
      fieldsOf(value, where, ['type']);
      return { type };
    case 'sigstoreSigned': {
      const known = ['type', 'keyPath', 'keyPaths', 'keyData', 'keyDatas', 'signedIdentity'];
      const { signedIdentity = { type: 'matchRepoDigestOrExact' }, ...fields } = fieldsOf(value, where, known);
      const identity = parseIdentity(signedIdentity, `${where}.signedIdentity`);
      return { type, keys: await readKeys(fields, where, publicKey), identity };
    }
    case 'signedBy': {
      const known = ['type', 'keyType', 'keyPath', 'keyPaths', 'keyData', 'signedIdentity'];
      const { keyType, signedIdentity = { type: 'matchRepoDigestOrExact' }, ...fields } = fieldsOf(value, where, known);
      if (keyType !== 'GPGKeys')
        throw wrong(`${where}.keyType`, `${JSON.stringify(keyType)} is not supported: it can be GPGKeys`);
      const identity = parseIdentity(signedIdentity, `${where}.signedIdentity`);
      return { type, keyrings: await readKeys(fields, where, keyring), identity };
    }
    default:
      throw wrong(where, `type ${JSON.stringify(type)} is not supported: ${supported}`);
  }
}

const supported = 'it can be insecureAcceptAnything, reject, sigstoreSigned with keys, or signedBy with GPGKeys';

const keySources = ['keyPath', 'keyPaths', 'keyData', 'keyDatas'] as const;

/** @param parse makes a key of the content of a file, or of the data itself. */
async function readKeys<K>(
  fields: Fields,
  where: string,
  parse: (content: Buffer, wrong: (what: string) => Error) => K,
): Promise<readonly K[]> {
  const [source, ...more] = keySources.filter((key) => fields[key] !== undefined);
  if (source === undefined || more.length > 0) throw wrong(where, `needs one of ${keySources.join(', ')}`);
  const texts = [fields[source]].flat().map((each) => textOf(each, `${where}.${source}`));
  if (texts.length === 0) throw wrong(`${where}.${source}`, 'is empty');
  return Promise.all(
    texts.map(async (text) => {
      const content = source.startsWith('keyPath') ? await readFile(text) : Buffer.from(text, 'base64');
      return parse(content, (what) => wrong(`${where}.${source}`, what));
    }),
  );
}

function publicKey(pem: Buffer, refusal: (what: string) => Error): KeyObject {
  try {
    return createPublicKey(pem);
  } catch (cause) {
    throw refusal(`holds no public key in PEM: ${messageOf(cause)}`);
  }
}

function keyring(content: Buffer, refusal: (what: string) => Error): Buffer {
  const keys = keyringOf(content);
  if (keys === undefined || keys.length === 0) throw refusal('holds no public keys of OpenPGP');
  return keys;
}

function parseIdentity(value: unknown, where: string): SignedIdentity {
  const { type } = fieldsOf(value, where);
  const fields = (...keys: string[]) => fieldsOf(value, where, ['type', ...keys]);
  switch (type) {
    case 'matchExact':
    case 'matchRepoDigestOrExact':
    case 'matchRepository':
      fields();
      return { type };
    case 'exactReference':
      return { type, reference: textOf(fields('dockerReference').dockerReference, `${where}.dockerReference`) };
    case 'exactRepository':
      return { type, repository: textOf(fields('dockerRepository').dockerRepository, `${where}.dockerRepository`) };
    case 'remapIdentity': {
      const { prefix, signedPrefix } = fields('prefix', 'signedPrefix');
      return {
        type,
        prefix: textOf(prefix, `${where}.prefix`),
        signedPrefix: textOf(signedPrefix, `${where}.signedPrefix`),
      };
    }
    default:
      throw wrong(where, `type ${JSON.stringify(type)} is unknown`);
  }
}

/** @param known other keys are refused. */
function fieldsOf(value: unknown, where: string, known?: readonly string[]): Fields {
  if (!isRecord(value)) throw wrong(where, 'is not an object');
  const unknown = known === undefined ? undefined : Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw wrong(where, `"${unknown}" is not supported; there are: ${known?.join(', ')}`);
  return value;
}

function textOf(value: unknown, where: string): string {
  if (typeof value !== 'string' || value === '') throw wrong(where, 'is not a text');
  return value;
}

const wrong = (where: string, what: string) => invalidArgument(`${where} ${what}`);
