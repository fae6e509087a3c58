import type { LogContainer } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import { selectedAttributes } from './selected-attributes.js';
import { parseAction, type TagAction, type TagFields } from './tag-action.js';
import { type TagValue, tagFunctions } from './tag-functions.js';

const short = (id: string): string => id.replace(/^sha256:/, '').slice(0, 12);

/** What a tag may name, such as `{{.Name}}`. */
const fields: TagFields = {
  plain: {
    ID: ({ id }) => short(id),
    FullID: ({ id }) => id,
    Name: ({ name }) => name,
    ImageID: ({ imageId }) => short(imageId),
    ImageFullID: ({ imageId }) => imageId,
    ImageName: ({ imageName }) => imageName,
    Command: ({ command }) => command.join(' '),
    DaemonName: () => 'docker',
    Config: ({ options }) => options,
    ContainerID: ({ id }) => id,
    ContainerName: ({ name }) => `/${name}`,
    ContainerEntrypoint: ({ command: [first = ''] }) => first,
    ContainerArgs: ({ command: [, ...rest] }) => rest,
    ContainerImageID: ({ imageId }) => imageId,
    ContainerImageName: ({ imageName }) => imageName,
    ContainerEnv: ({ env }) => env,
    ContainerLabels: ({ labels }) => labels,
  },
  called: {
    // The labels and variables that the options labels and env select.
    ExtraAttributes: (container) => selectedAttributes(container),
  },
};

/** Puts a container's names into a tag. @throws EngineError `invalid-argument` for an action it does not know. */
export function renderTag(template: string, container: LogContainer): string {
  return parts(template)
    .map((part) => (typeof part === 'string' ? part : written(part, container, template)))
    .join('');
}

/** @throws EngineError `invalid-argument` for an action that no container can fill in. */
export function checkTag(template: string): void {
  renderTag(template, placeholderContainer);
}

/** Has empty values of the right types, to check the functions in a tag with. */
export const placeholderContainer: LogContainer = {
  id: '',
  name: '',
  imageId: '',
  imageName: '',
  command: [],
  createdAt: new Date(0),
  labels: {},
  env: [],
  options: {},
  directory: '',
};

function parts(template: string): (string | TagAction)[] {
  return template.split(/(\{\{.*?(?:\}\}|$))/s).map((part) => {
    if (!part.startsWith('{{')) return part;
    if (!part.endsWith('}}')) throw invalidArgument(`log opt tag: "${template}": unclosed action`);
    const action = part.slice(2, -2).trim();
    const parsed = parseAction(action, fields);
    if (parsed === undefined) {
      const known = [...Object.keys(fields.plain).map((key) => `.${key}`), ...Object.keys(tagFunctions)];
      throw invalidArgument(`log opt tag: can't evaluate "${action}" in "${template}"; there are: ${known.join(', ')}`);
    }
    return parsed;
  });
}

function written(action: TagAction, container: LogContainer, template: string): string {
  try {
    return toText(action(container));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalidArgument(`log opt tag: "${template}": a function ${error.message}`, { cause: error });
  }
}

function toText(value: TagValue): string {
  if (value === null) return '';
  if (Array.isArray(value)) return `[${value.join(' ')}]`;
  if (typeof value !== 'object') return String(value);
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${pairs.map(([key, each]) => `${key}:${each}`).join(' ')}]`;
}
