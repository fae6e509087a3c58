import { useState } from 'preact/hooks';
import { post } from '../../../api/request';
import { LinesField, SelectField, TextField } from '../../../components/fields';
import { FormDialog } from '../../../components/form-dialog';
import { type RowColumn, RowsField } from '../../../components/rows-field';
import { emptyServiceForm, type ServiceForm, specOf } from './service-form';

const portColumns: readonly RowColumn<'published' | 'target' | 'protocol' | 'mode'>[] = [
  { key: 'published', label: 'Published port', placeholder: 'any' },
  { key: 'target', label: 'Port of the tasks' },
  { key: 'protocol', label: 'Protocol', options: ['tcp', 'udp', 'sctp'] },
  { key: 'mode', label: 'Where', options: ['ingress', 'host'] },
];

export function CreateService({ close }: { readonly close: () => void }) {
  const [form, setForm] = useState(emptyServiceForm);
  const field =
    <K extends keyof ServiceForm>(key: K) =>
    (value: ServiceForm[K]) =>
      setForm((old) => ({ ...old, [key]: value }));
  return (
    <FormDialog
      wide
      title="Create a service"
      action="Create"
      close={close}
      submit={async () => post('/services/create', {}, specOf(form))}
    >
      <TextField label="Name" value={form.name} onChange={field('name')} hint="A name is made when this is empty." />
      <TextField label="Image" required value={form.image} onChange={field('image')} placeholder="busybox:latest" />
      <TextField label="Command" value={form.command} onChange={field('command')} />
      <SelectField label="Mode" value={form.mode} onChange={field('mode')} options={['replicated', 'global']} />
      {form.mode === 'replicated' && (
        <TextField label="Replicas" type="number" min={0} value={form.replicas} onChange={field('replicas')} />
      )}
      <RowsField label="Ports" noun="port" columns={portColumns} rows={form.ports} onChange={field('ports')} />
      <LinesField label="Environment" value={form.env} onChange={field('env')} hint="NAME=value, one a line" />
      <LinesField label="Networks" value={form.networks} onChange={field('networks')} hint="Names, one a line" />
      <LinesField
        label="Constraints"
        value={form.constraints}
        onChange={field('constraints')}
        placeholder="node.role==worker"
        hint="One a line"
      />
      <LinesField label="Labels" value={form.labels} onChange={field('labels')} hint="name=value, one a line" />
    </FormDialog>
  );
}
