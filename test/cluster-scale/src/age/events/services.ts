import type { YearManagers } from '../managers/year-managers.js';

/** The reference has a digest: no registry is asked which one its tag stands for. */
const image = `busybox@sha256:${'0'.repeat(64)}`;

interface ServiceShown {
  readonly ID: string;
  readonly Version: { readonly Index: number };
  readonly Spec: { readonly Name: string };
}

export interface YearService {
  readonly name: string;
  readonly replicas: number;
  /** Something that is another one with every update. */
  readonly edition: string;
  readonly networkId?: string | undefined;
  readonly files?: { readonly secret: CreatedFile; readonly config: CreatedFile } | undefined;
}

interface CreatedFile {
  readonly id: string;
  readonly name: string;
}

function specOf({ edition, files, name, networkId, replicas }: YearService): object {
  const file = { Name: 'content', UID: '0', GID: '0', Mode: 0o444 };
  return {
    Name: name,
    Mode: { Replicated: { Replicas: replicas } },
    TaskTemplate: {
      ContainerSpec: {
        Image: image,
        Command: ['serve'],
        Env: [`EDITION=${edition}`],
        ...(files !== undefined && {
          Secrets: [{ SecretID: files.secret.id, SecretName: files.secret.name, File: file }],
          Configs: [
            { ConfigID: files.config.id, ConfigName: files.config.name, File: { ...file, Name: '/etc/content' } },
          ],
        }),
      },
      RestartPolicy: { Condition: 'any', Delay: 0 },
      ...(networkId !== undefined && { Networks: [{ Target: networkId }] }),
    },
    // Tasks that are made to fail are no failure of an update here.
    UpdateConfig: { Parallelism: 2, Monitor: 100e6, FailureAction: 'continue', Order: 'start-first' },
  };
}

export async function createService(managers: YearManagers, service: YearService): Promise<void> {
  await managers.create('services', service.name, specOf(service));
}

export async function updateService(managers: YearManagers, service: YearService): Promise<void> {
  await managers.change(async () => {
    const { Version } = await managers.ask<ServiceShown>('GET', `/services/${service.name}`);
    await managers.ask('POST', `/services/${service.name}/update?version=${Version.Index}`, specOf(service));
  });
}

export async function createFile(managers: YearManagers, kind: 'secrets' | 'configs', name: string, content: Buffer) {
  const id = await managers.create(kind, name, { Name: name, Data: content.toString('base64') });
  return { id, name };
}
