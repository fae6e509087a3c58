import { invalidArgument } from '@gantry/core/errors';
import type { AssignedTask } from '@gantry/services/service';

export interface TemplateNode {
  readonly id: string;
  readonly hostname: string;
}

/**
 * Fills the placeholders of a text, such as `{{.Task.Slot}}`. @throws EngineError `invalid-argument` naming the field for
 * any other.
 */
export function expandTemplate(field: string, text: string, task: AssignedTask, node: TemplateNode): string {
  return text.replace(/\{\{(.*?)\}\}/gs, (placeholder, expression: string) => {
    const value = valueFor(expression.trim(), task, node);
    if (value === undefined) throw invalidArgument(`${field}: the placeholder ${placeholder} is not supported`);
    return value;
  });
}

function valueFor(expression: string, task: AssignedTask, node: TemplateNode): string | undefined {
  const [, label] = /^index \.Service\.Labels "([^"]*)"$/.exec(expression) ?? [];
  if (label !== undefined) return task.serviceLabels[label] ?? '';
  const values = new Map<string, string>([
    ['.Service.ID', task.serviceId],
    ['.Service.Name', task.serviceName],
    ['.Node.ID', node.id],
    ['.Node.Hostname', node.hostname],
    ['.Task.ID', task.id],
    ['.Task.Name', task.name],
    ['.Task.Slot', task.slot === undefined ? node.id : String(task.slot)],
  ]);
  const [, serviceLabel] = /^\.Service\.Labels\.(\w+)$/.exec(expression) ?? [];
  return serviceLabel === undefined ? values.get(expression) : (task.serviceLabels[serviceLabel] ?? '');
}
