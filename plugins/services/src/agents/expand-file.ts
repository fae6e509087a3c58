import type { TaskFile } from '../service.js';
import { expandTemplate } from '../templates/expand-template.js';
import type { TemplateFields } from '../templates/template-value.js';

interface FileScope {
  readonly fields: TemplateFields;
  /** All of the task: templates may have the content of others in them. */
  readonly files: readonly TaskFile[];
  /** As `NAME=value`. */
  readonly environment: readonly string[];
}

/** Fills the template that a secret or config is. @throws EngineError `invalid-argument` naming it. */
export function expandFile(file: TaskFile, { environment, fields, files }: FileScope): TaskFile {
  const contentOf =
    (kind: TaskFile['kind']) =>
    (target = ''): string => {
      const found = files.find((other) => other.kind === kind && other.target === target);
      if (found === undefined) throw new Error(`${kind} target ${target} not found`);
      return found.data.toString();
    };
  const env = (name = ''): string => {
    const entry = environment.find((one) => one.startsWith(`${name}=`));
    return entry?.slice(name.length + 1) ?? '';
  };
  const functions = { secret: contentOf('secret'), config: contentOf('config'), env };
  const expanded = expandTemplate(`${file.kind} ${file.name}`, file.data.toString(), { fields, functions });
  return { ...file, data: Buffer.from(expanded) };
}
