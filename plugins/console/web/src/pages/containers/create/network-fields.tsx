import { CheckField, LinesField, SelectField } from '../../../components/fields';
import { RowsField } from '../../../components/rows-field';
import type { CreateValues } from './create-values';
import type { SetValues } from './set-values';

interface NetworkFieldsProps {
  readonly values: CreateValues;
  readonly set: SetValues;
  readonly networks: readonly string[];
}

const portColumns = [
  { key: 'hostIp', label: 'Host address', placeholder: 'all addresses' },
  { key: 'hostPort', label: 'Host port', placeholder: 'any port' },
  { key: 'port', label: 'Container port', placeholder: '80' },
  { key: 'protocol', label: 'Protocol', options: ['tcp', 'udp', 'sctp'] },
] as const;

export function NetworkFields({ values, set, networks }: NetworkFieldsProps) {
  return (
    <fieldset class="form">
      <legend>Network</legend>
      <RowsField
        label="Published ports"
        noun="port"
        rows={values.ports}
        onChange={(ports) => set({ ports })}
        columns={portColumns}
      />
      <CheckField
        label="Publish all ports that the image exposes"
        value={values.publishAll}
        onChange={(publishAll) => set({ publishAll })}
      />
      <RowsField
        label="Networks"
        noun="network"
        rows={values.networks}
        onChange={(rows) => set({ networks: rows })}
        columns={[
          { key: 'network', label: 'Network', options: networks },
          { key: 'aliases', label: 'Aliases', placeholder: 'alias alias' },
          { key: 'address', label: 'Address', placeholder: 'chosen by the engine' },
        ]}
      />
      <div class="columns">
        <SelectField
          label="Mode"
          value={values.networkMode}
          onChange={(networkMode) => set({ networkMode })}
          options={[['', 'the networks above'], 'bridge', 'host', 'none']}
        />
        <LinesField
          label="DNS servers"
          value={values.dns}
          onChange={(dns) => set({ dns })}
          hint="Addresses, one a line"
        />
        <LinesField
          label="Extra hosts"
          value={values.extraHosts}
          onChange={(extraHosts) => set({ extraHosts })}
          hint="One a line: name:address"
        />
      </div>
    </fieldset>
  );
}
