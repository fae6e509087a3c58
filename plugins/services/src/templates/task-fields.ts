import type { TemplateFields } from './template-value.js';

export interface TemplateNode {
  readonly id: string;
  readonly hostname: string;
  /** As the node describes itself. */
  readonly platform: { readonly Architecture: string; readonly OS: string };
}

interface TemplateTask {
  readonly id: string;
  readonly name: string;
  readonly slot: number | undefined;
  readonly serviceId: string;
  readonly serviceName: string;
  readonly serviceLabels: Readonly<Record<string, string>>;
}

/** What templates of a task may name. */
export const taskFields = (task: TemplateTask, { hostname, id, platform }: TemplateNode): TemplateFields => ({
  Service: { ID: task.serviceId, Name: task.serviceName, Labels: new Map(Object.entries(task.serviceLabels)) },
  Node: { ID: id, Hostname: hostname, Platform: { ...platform } },
  Task: { ID: task.id, Name: task.name, Slot: task.slot === undefined ? id : String(task.slot) },
});
