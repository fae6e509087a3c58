import { useState } from 'preact/hooks';
import { Button } from '../../../components/button';
import { confirm } from '../../../components/confirm';
import { openDialog } from '../../../components/dialog';
import { CheckField, TextField } from '../../../components/fields';
import { FormDialog } from '../../../components/form-dialog';
import { attempt } from '../../../notices/notices';
import { goTo } from '../../../routing/route';
import type { Service, ServiceSpec } from '../swarm-types';
import { removeService, rollBackService, serviceName, updateService } from './service-actions';
import { imageOf } from './service-facts';
import { amount, integer } from './service-form';

/** In nanoseconds. */
const second = 1e9;

interface ServiceProps {
  readonly service: Service;
  readonly reload: () => void;
}

export function ServiceButtons({ service, reload }: ServiceProps) {
  const name = serviceName(service).slice(0, 80);
  const rollBack = () => attempt(`Roll back ${name}`, () => rollBackService(service), `${name} is rolled back.`);
  const dispose = async (): Promise<void> => {
    if ((await confirm({ title: `Remove ${name}?`, action: 'Remove' })) === undefined) return;
    if (await attempt(`Remove ${name}`, () => removeService(service.ID), `Removed ${name}.`)) goTo('swarm', 'services');
  };
  return (
    <>
      {service.Spec.Mode.Replicated !== undefined && (
        <Button onPress={() => openDialog((close) => <ScaleDialog service={service} reload={reload} close={close} />)}>
          Scale…
        </Button>
      )}
      <Button onPress={() => openDialog((close) => <UpdateDialog service={service} reload={reload} close={close} />)}>
        Update…
      </Button>
      <Button disabled={service.PreviousSpec === undefined} onPress={() => rollBack().then(reload)}>
        Roll back
      </Button>
      <Button kind="danger" onPress={dispose}>
        Remove…
      </Button>
    </>
  );
}

interface DialogProps extends ServiceProps {
  readonly close: () => void;
}

function ScaleDialog({ service, reload, close }: DialogProps) {
  const [replicas, setReplicas] = useState(String(service.Spec.Mode.Replicated?.Replicas ?? 1));
  const submit = async (): Promise<void> => {
    const Replicas = integer('Replicas', replicas);
    await updateService(service, (spec) => ({ ...spec, Mode: { Replicated: { Replicas } } }));
    reload();
  };
  return (
    <FormDialog title={`Scale ${serviceName(service).slice(0, 60)}`} action="Scale" close={close} submit={submit}>
      <TextField label="Replicas" type="number" min={0} value={replicas} onChange={setReplicas} />
    </FormDialog>
  );
}

function UpdateDialog({ service, reload, close }: DialogProps) {
  const [image, setImage] = useState(imageOf(service));
  const [force, setForce] = useState(false);
  const { Parallelism = 1, Delay = 0 } = service.Spec.UpdateConfig ?? {};
  const [atOnce, setAtOnce] = useState(String(Parallelism));
  const [pause, setPause] = useState(String(Delay / second));
  const submit = async (): Promise<void> => {
    const steps = {
      Parallelism: integer('Tasks at once', atOnce),
      Delay: Math.round(amount('Seconds between steps', pause) * second),
    };
    await updateService(service, (spec) => ({
      ...updated(spec, image, force),
      UpdateConfig: { ...spec.UpdateConfig, ...steps },
    }));
    reload();
  };
  return (
    <FormDialog title={`Update ${serviceName(service).slice(0, 60)}`} action="Update" close={close} submit={submit}>
      <TextField label="Image" required value={image} onChange={setImage} />
      <TextField label="Tasks at once" type="number" min={0} value={atOnce} onChange={setAtOnce} hint="0 for all." />
      <TextField label="Seconds between steps" value={pause} onChange={setPause} />
      <CheckField label="Replace all tasks" value={force} onChange={setForce} hint="Also when nothing else changes." />
    </FormDialog>
  );
}

function updated(spec: ServiceSpec, image: string, force: boolean): ServiceSpec {
  const { TaskTemplate } = spec;
  return {
    ...spec,
    TaskTemplate: {
      ...TaskTemplate,
      ContainerSpec: { ...TaskTemplate.ContainerSpec, Image: image },
      ForceUpdate: (TaskTemplate.ForceUpdate ?? 0) + (force ? 1 : 0),
    },
  };
}
