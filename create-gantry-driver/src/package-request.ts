import { parseArgs } from 'node:util';
import { InvalidRequest } from './invalid-request.js';
import { isPackageKind, kinds, type Language, languages, needsOfKind, type PackageKind } from './kinds.js';

/** The package that is wanted. */
export interface PackageRequest {
  readonly kind: PackageKind;
  /** The id of the driver or plugin, as the API and the configuration name it. */
  readonly id: string;
  readonly language: Language;
  /** Where the package is made: a directory that does not exist yet or is empty. */
  readonly directory: string;
}

export const usage = `Usage: npm create gantry-driver KIND NAME [-- --language LANGUAGE] [--directory DIRECTORY]

KIND       ${kinds.join(', ')}
NAME       of the driver or plugin, as users name it: lower-case letters, digits and dashes
LANGUAGE   ${languages.join(', ')}; the first by default, and the only one for plugins
DIRECTORY  gantry-KIND-NAME by default`;

/**
 * Undefined: it asks for help.
 * @throws InvalidRequest naming the word and what is allowed.
 */
export function parseRequest(args: readonly string[]): PackageRequest | undefined {
  const { values, positionals } = parse(args);
  if (values.help === true) return undefined;
  const [kind = '', id = '', ...rest] = positionals;
  if (positionals.length < 2) throw new InvalidRequest('a kind and a name are wanted');
  if (rest.length > 0) throw new InvalidRequest(`"${rest[0]}" follows the name`);
  if (!isPackageKind(kind)) throw new InvalidRequest(`"${kind}" is not a kind: there are ${kinds.join(', ')}`);
  if (!/^[a-z][a-z0-9-]*$/.test(id)) {
    throw new InvalidRequest(`"${id}" is not a name: a lower-case letter, then lower-case letters, digits and dashes`);
  }
  const offered = needsOfKind(kind).languages;
  const language = offered.find((known) => known === values.language);
  if (language === undefined) {
    throw new InvalidRequest(`--language: "${values.language}" is not one of ${offered.join(', ')}`);
  }
  return { kind, id, language, directory: values.directory ?? `gantry-${kind}-${id}` };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        language: { type: 'string', default: languages[0] },
        directory: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new InvalidRequest((error as Error).message);
  }
}
