import type { LogContainer } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';
import { selectedAttributes } from './selected-attributes.js';

type Field = (container: LogContainer) => string;

const short = (id: string): string => id.replace(/^sha256:/, '').slice(0, 12);

/** What a tag may name, such as `{{.Name}}`. */
const fields: Readonly<Record<string, Field>> = {
  ID: ({ id }) => short(id),
  FullID: ({ id }) => id,
  Name: ({ name }) => name,
  ImageID: ({ imageId }) => short(imageId),
  ImageFullID: ({ imageId }) => imageId,
  ImageName: ({ imageName }) => imageName,
  Command: ({ command }) => command.join(' '),
  DaemonName: () => 'docker',
  ContainerID: ({ id }) => id,
  ContainerName: ({ name }) => `/${name}`,
  ContainerImageID: ({ imageId }) => imageId,
  ContainerImageName: ({ imageName }) => imageName,
};

/** Puts a container's names into a tag. @throws EngineError `invalid-argument` for an action it does not know. */
export function renderTag(template: string, container: LogContainer): string {
  return parts(template)
    .map((part) => (typeof part === 'string' ? part : part(container)))
    .join('');
}

/** @throws EngineError `invalid-argument` for an action that no container can fill in. */
export function checkTag(template: string): void {
  parts(template);
}

function parts(template: string): (string | Field)[] {
  return template.split(/(\{\{.*?(?:\}\}|$))/s).map((part) => {
    if (!part.startsWith('{{')) return part;
    if (!part.endsWith('}}')) throw invalidArgument(`log opt tag: "${template}": unclosed action`);
    const action = part.slice(2, -2).trim();
    const field = fieldOf(action) ?? attributeOf(action) ?? labelOf(action);
    if (field === undefined) {
      const known = Object.keys(fields).map((key) => `.${key}`);
      throw invalidArgument(`log opt tag: can't evaluate "${action}" in "${template}"; there are: ${known.join(', ')}`);
    }
    return field;
  });
}

const fieldOf = (action: string): Field | undefined =>
  action.startsWith('.') && Object.hasOwn(fields, action.slice(1)) ? fields[action.slice(1)] : undefined;

/** `(.ExtraAttributes nil).NAME`: a label or variable that the options labels and env select. */
function attributeOf(action: string): Field | undefined {
  const [, name] = /^\(\.ExtraAttributes nil\)\.(\w+)$/.exec(action) ?? [];
  return name === undefined ? undefined : (container) => selectedAttributes(container)[name] ?? '';
}

/** `index .ContainerLabels "NAME"`. */
function labelOf(action: string): Field | undefined {
  const [, name] = /^index \.ContainerLabels "([^"]*)"$/.exec(action) ?? [];
  return name === undefined ? undefined : ({ labels }) => labels[name] ?? '';
}
