import type { LogContainer } from '@gantry/core/contracts';
import { invalidArgument } from '@gantry/core/errors';

const short = (id: string): string => id.replace(/^sha256:/, '').slice(0, 12);

/** What a tag may name, such as `{{.Name}}`. */
const fields: Readonly<Record<string, (container: LogContainer) => string>> = {
  ID: ({ id }) => short(id),
  FullID: ({ id }) => id,
  Name: ({ name }) => name,
  ImageID: ({ imageId }) => short(imageId),
  ImageFullID: ({ imageId }) => imageId,
  ImageName: ({ imageName }) => imageName,
  Command: ({ command }) => command.join(' '),
  DaemonName: () => 'docker',
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

function parts(template: string): (string | ((container: LogContainer) => string))[] {
  return template.split(/(\{\{.*?(?:\}\}|$))/s).map((part) => {
    if (!part.startsWith('{{')) return part;
    if (!part.endsWith('}}')) throw invalidArgument(`log opt tag: "${template}": unclosed action`);
    const name = part.slice(2, -2).trim();
    const field = name.startsWith('.') && Object.hasOwn(fields, name.slice(1)) ? fields[name.slice(1)] : undefined;
    if (field === undefined) {
      const known = Object.keys(fields).map((key) => `.${key}`);
      throw invalidArgument(`log opt tag: can't evaluate "${name}" in "${template}"; there are: ${known.join(', ')}`);
    }
    return field;
  });
}
