import { LinesField } from '../../../components/fields';
import { RowsField } from '../../../components/rows-field';
import type { CreateValues } from './create-values';
import type { SetValues } from './set-values';

interface KernelFieldsProps {
  readonly values: CreateValues;
  readonly set: SetValues;
}

const deviceColumns = [
  { key: 'host', label: 'Device of the host', placeholder: '/dev/fuse' },
  { key: 'container', label: 'Path in the container', placeholder: 'the same' },
  { key: 'rights', label: 'Rights', options: ['rwm', 'rw', 'r', 'w'] },
] as const;

const ulimitColumns = [
  { key: 'name', label: 'Name', placeholder: 'nofile' },
  { key: 'soft', label: 'Soft limit', placeholder: '1024' },
  { key: 'hard', label: 'Hard limit', placeholder: 'the soft one' },
] as const;

export function KernelFields({ values, set }: KernelFieldsProps) {
  return (
    <fieldset class="form">
      <legend>Devices and kernel</legend>
      <RowsField
        label="Devices"
        noun="device"
        rows={values.devices}
        onChange={(devices) => set({ devices })}
        columns={deviceColumns}
      />
      <RowsField
        label="Limits of processes (ulimits)"
        noun="ulimit"
        rows={values.ulimits}
        onChange={(ulimits) => set({ ulimits })}
        columns={ulimitColumns}
      />
      <LinesField
        label="Kernel parameters (sysctls)"
        value={values.sysctls}
        onChange={(sysctls) => set({ sysctls })}
        hint="One a line: net.core.somaxconn=512"
      />
    </fieldset>
  );
}
