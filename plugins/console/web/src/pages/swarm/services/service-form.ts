import { parseCommand, parseLines, parsePairs } from '../../../format/parse-lines';

/** The fields of a new service as they are written. */
export interface ServiceForm {
  readonly name: string;
  readonly image: string;
  readonly command: string;
  readonly mode: string;
  readonly replicas: string;
  readonly env: string;
  readonly labels: string;
  readonly networks: string;
  readonly constraints: string;
  readonly ports: readonly Record<'published' | 'target' | 'protocol' | 'mode', string>[];
}

export const emptyServiceForm: ServiceForm = {
  name: '',
  image: '',
  command: '',
  mode: 'replicated',
  replicas: '1',
  env: '',
  labels: '',
  networks: '',
  constraints: '',
  ports: [],
};

/** The specification that the form describes. @throws Error naming the field that cannot be read. */
export function specOf(form: ServiceForm): object {
  const command = parseCommand(form.command);
  return {
    Name: form.name,
    Labels: parsePairs(form.labels),
    TaskTemplate: {
      ContainerSpec: {
        Image: form.image,
        Env: parseLines(form.env),
        ...(command.length > 0 && { Args: command }),
      },
      Networks: parseLines(form.networks).map((Target) => ({ Target })),
      Placement: { Constraints: parseLines(form.constraints) },
    },
    Mode: form.mode === 'global' ? { Global: {} } : { Replicated: { Replicas: integer('Replicas', form.replicas) } },
    EndpointSpec: {
      Ports: form.ports.map(({ published, target, protocol, mode }) => ({
        Protocol: protocol,
        TargetPort: integer('Port of the tasks', target),
        ...(published !== '' && { PublishedPort: integer('Published port', published) }),
        PublishMode: mode,
      })),
    },
  };
}

export function amount(label: string, text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text.trim())) throw new Error(`${label}: "${text}" is not a number`);
  return Number(text);
}

export function integer(label: string, text: string): number {
  if (!/^\d+$/.test(text.trim())) throw new Error(`${label}: "${text}" is not a whole number`);
  return Number(text);
}
