import { useState } from 'preact/hooks';
import { post } from '../../api/request';
import { CheckField, LinesField, TextField } from '../../components/fields';
import { FormDialog } from '../../components/form-dialog';
import { RowsField } from '../../components/rows-field';
import { parsePairs } from '../../format/parse-lines';

const subnetColumns = [
  { key: 'subnet', label: 'Subnet', placeholder: '10.5.0.0/24' },
  { key: 'gateway', label: 'Gateway', placeholder: 'chosen by the engine' },
  { key: 'range', label: 'Range', placeholder: 'the whole subnet' },
] as const;

type Subnet = Record<'subnet' | 'gateway' | 'range', string>;

export function CreateNetwork({ close }: { readonly close: () => void }) {
  const [name, setName] = useState('');
  const [driver, setDriver] = useState('bridge');
  const [subnets, setSubnets] = useState<readonly Subnet[]>([]);
  const [internal, setInternal] = useState(false);
  const [attachable, setAttachable] = useState(false);
  const [ipv6, setIpv6] = useState(false);
  const [options, setOptions] = useState('');
  const [labels, setLabels] = useState('');
  const submit = () => {
    const configs = subnets.map(({ subnet, gateway, range }) => ({
      Subnet: subnet || undefined,
      Gateway: gateway || undefined,
      IPRange: range || undefined,
    }));
    return post('/networks/create', undefined, {
      Name: name.trim(),
      Driver: driver,
      Internal: internal,
      Attachable: attachable,
      EnableIPv6: ipv6,
      IPAM: configs.length === 0 ? undefined : { Config: configs },
      Options: parsePairs(options),
      Labels: parsePairs(labels),
    });
  };
  return (
    <FormDialog title="Create a network" action="Create" close={close} submit={submit} wide>
      <div class="columns">
        <TextField label="Name" required value={name} onChange={setName} />
        <TextField
          label="Driver"
          required
          list={['bridge', 'macvlan', 'ipvlan', 'overlay']}
          value={driver}
          onChange={setDriver}
        />
      </div>
      <RowsField label="Subnets" noun="subnet" columns={subnetColumns} rows={subnets} onChange={setSubnets} />
      <div class="columns">
        <CheckField label="Internal: no way outside" value={internal} onChange={setInternal} />
        <CheckField label="Attachable by containers of a swarm" value={attachable} onChange={setAttachable} />
        <CheckField label="IPv6" value={ipv6} onChange={setIpv6} />
      </div>
      <div class="columns">
        <LinesField label="Driver options" hint="One a line: name=value" value={options} onChange={setOptions} />
        <LinesField label="Labels" hint="One a line: name=value" value={labels} onChange={setLabels} />
      </div>
    </FormDialog>
  );
}
