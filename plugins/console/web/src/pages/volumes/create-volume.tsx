import { useState } from 'preact/hooks';
import { get, post } from '../../api/request';
import { LinesField, TextField } from '../../components/fields';
import { FormDialog } from '../../components/form-dialog';
import { useResource } from '../../events/use-resource';
import { parsePairs } from '../../format/parse-lines';

export function CreateVolume({ close }: { readonly close: () => void }) {
  const [name, setName] = useState('');
  const [driver, setDriver] = useState('local');
  const [options, setOptions] = useState('');
  const [labels, setLabels] = useState('');
  const [info] = useResource(
    (signal) => get<{ Plugins: { Volume: string[] | null } }>('/info', undefined, signal),
    [],
    ['plugin'],
  );
  const submit = () =>
    post('/volumes/create', undefined, {
      Name: name.trim(),
      Driver: driver,
      DriverOpts: parsePairs(options),
      Labels: parsePairs(labels),
    });
  return (
    <FormDialog title="Create a volume" action="Create" close={close} submit={submit}>
      <TextField label="Name" placeholder="chosen by the engine" value={name} onChange={setName} />
      <TextField
        label="Driver"
        required
        list={info.state === 'ready' ? (info.value.Plugins.Volume ?? []) : []}
        value={driver}
        onChange={setDriver}
      />
      <LinesField label="Driver options" hint="One a line: name=value" value={options} onChange={setOptions} />
      <LinesField label="Labels" hint="One a line: name=value" value={labels} onChange={setLabels} />
    </FormDialog>
  );
}
