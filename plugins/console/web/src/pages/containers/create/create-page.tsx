import { useState } from 'preact/hooks';
import { messageOf } from '../../../api/api-error';
import { get } from '../../../api/request';
import { PageHeader } from '../../../components/page-header';
import { useResource } from '../../../events/use-resource';
import { goTo, pathTo, useRoute } from '../../../routing/route';
import { CredentialFields } from '../../../transfer/credential-fields';
import { noProgress, type TransferProgress } from '../../../transfer/transfer-progress';
import { TransferView } from '../../../transfer/transfer-view';
import { BasicFields } from './basic-fields';
import { createContainer } from './create-container';
import { type CreateValues, emptyValues } from './create-values';
import { HealthFields } from './health-fields';
import { KernelFields } from './kernel-fields';
import { LimitFields } from './limit-fields';
import { MountFields } from './mount-fields';
import { NetworkFields } from './network-fields';
import type { SetValues } from './set-values';

interface Choices {
  readonly images: readonly string[];
  readonly networks: readonly string[];
  readonly volumes: readonly string[];
}

/** Suggestions only: what cannot be read is typed. */
async function readChoices(signal: AbortSignal): Promise<Choices> {
  const [images, networks, volumes] = await Promise.all([
    get<{ RepoTags: string[] | null }[]>('/images/json', undefined, signal),
    get<{ Name: string }[]>('/networks', undefined, signal),
    get<{ Volumes: { Name: string }[] | null }>('/volumes', undefined, signal),
  ]);
  return {
    images: images.flatMap(({ RepoTags }) => RepoTags ?? []),
    networks: networks.map(({ Name }) => Name),
    volumes: (volumes.Volumes ?? []).map(({ Name }) => Name),
  };
}

export function CreatePage() {
  const image = useRoute().query.get('image') ?? '';
  const [values, setValues] = useState<CreateValues>({ ...emptyValues, image });
  const [state, setState] = useState<{ busy: boolean; problem?: string }>({ busy: false });
  const [progress, setProgress] = useState<TransferProgress>(noProgress);
  const [resource] = useResource(readChoices, [], ['image', 'network', 'volume']);
  const choices = resource.state === 'ready' ? resource.value : { images: [], networks: [], volumes: [] };
  const set: SetValues = (change) => setValues((old) => ({ ...old, ...change }));
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setState({ busy: true });
    setProgress(noProgress);
    try {
      goTo('containers', await createContainer(values, setProgress));
    } catch (error) {
      setState({ busy: false, problem: `Creating the container failed: ${messageOf(error)}` });
    }
  };
  return (
    <>
      <PageHeader title="Create a container" back={{ href: pathTo('containers'), name: 'Containers' }} />
      <form class="form" onSubmit={(event) => void submit(event)}>
        <BasicFields values={values} set={set} images={choices.images} />
        <MountFields values={values} set={set} />
        <NetworkFields values={values} set={set} networks={choices.networks} />
        <LimitFields values={values} set={set} />
        <KernelFields values={values} set={set} />
        <HealthFields values={values} set={set} />
        <fieldset class="form">
          <legend>Registry, when the image has to be pulled</legend>
          <CredentialFields value={values.credentials} onChange={(credentials) => set({ credentials })} />
        </fieldset>
        <TransferView progress={progress} />
        <p class="problem" role="alert">
          <bdi>{state.problem ?? ''}</bdi>
        </p>
        <div class="actions">
          <button type="submit" class="button primary" disabled={state.busy} aria-busy={state.busy}>
            {values.start ? 'Create and start' : 'Create'}
          </button>
          <a class="button plain" href={pathTo('containers')}>
            Cancel
          </a>
        </div>
      </form>
    </>
  );
}
