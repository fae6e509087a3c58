import { invalidArgument } from '@gantry/core/errors';
import { checkContainerSpec } from './check-container-spec.js';
import { checkEndpointSpec } from './check-endpoint-spec.js';
import { checkMode } from './check-mode.js';
import { checkTaskSpec } from './check-task-spec.js';
import { checkUpdateConfig } from './check-update-config.js';
import type { NetworkAttachment, ServiceSpec } from './service-spec.js';

const namePattern = /^[a-z0-9]([a-z0-9-_]*[a-z0-9])?$/i;

/** What a manager accepts. @throws EngineError `invalid-argument`, or `not-implemented`, naming the field. */
export function checkServiceSpec(spec: ServiceSpec): void {
  checkName(spec.Name ?? '');
  const { TaskTemplate: template } = spec;
  if (template === undefined) throw invalidArgument('TaskTemplate: missing');
  checkTaskSpec(template);
  checkContainerSpec(template.ContainerSpec);
  checkMode(spec);
  checkUpdateConfig('UpdateConfig', spec.UpdateConfig);
  checkUpdateConfig('RollbackConfig', spec.RollbackConfig);
  checkEndpointSpec(spec.EndpointSpec);
  if ((spec.Networks ?? []).length > 0 && (template.Networks ?? []).length > 0) {
    throw invalidArgument('Networks: given both there and in TaskTemplate.Networks');
  }
  for (const network of [...(spec.Networks ?? []), ...(template.Networks ?? [])]) checkNetwork(network);
}

/** Options of an endpoint are for the node that runs the task. */
function checkNetwork({ Target: target = '' }: NetworkAttachment): void {
  if (target === '') throw invalidArgument('Networks: Target must not be empty');
}

function checkName(name: string): void {
  if (name === '') throw invalidArgument('Name: name must be provided');
  if (!namePattern.test(name)) {
    throw invalidArgument(`Name: "${name}": name must be valid as a DNS name component`);
  }
  if (name.length > 63) throw invalidArgument(`Name: "${name}": name must be 63 characters or fewer`);
}
