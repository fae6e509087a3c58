import { CheckField } from '../../../components/fields';
import { RowsField } from '../../../components/rows-field';
import type { CreateValues } from './create-values';
import type { SetValues } from './set-values';

interface MountFieldsProps {
  readonly values: CreateValues;
  readonly set: SetValues;
}

const mountColumns = [
  { key: 'type', label: 'Type', options: ['volume', 'bind', 'tmpfs'] },
  { key: 'source', label: 'Source', placeholder: 'volume, path, or size of a tmpfs' },
  { key: 'target', label: 'Target', placeholder: '/data' },
  { key: 'access', label: 'Access', options: ['read and write', 'read-only'] },
] as const;

export function MountFields({ values, set }: MountFieldsProps) {
  return (
    <fieldset class="form">
      <legend>Files</legend>
      <RowsField
        label="Mounts"
        noun="mount"
        rows={values.mounts}
        onChange={(mounts) => set({ mounts })}
        columns={mountColumns}
      />
      <CheckField label="Root directory read-only" value={values.readOnly} onChange={(readOnly) => set({ readOnly })} />
    </fieldset>
  );
}
