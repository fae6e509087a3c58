import { CheckField, SelectField, TextField } from '../../../components/fields';
import type { CreateValues } from './create-values';
import type { SetValues } from './set-values';

interface LimitFieldsProps {
  readonly values: CreateValues;
  readonly set: SetValues;
}

export function LimitFields({ values, set }: LimitFieldsProps) {
  return (
    <fieldset class="form">
      <legend>Limits, rights and restarts</legend>
      <div class="columns">
        <TextField
          label="Memory"
          value={values.memory}
          onChange={(memory) => set({ memory })}
          placeholder="no limit"
          hint="Such as 512m or 2g"
        />
        <TextField
          label="CPUs"
          value={values.cpus}
          onChange={(cpus) => set({ cpus })}
          placeholder="no limit"
          hint="Such as 1.5"
        />
        <TextField label="Processes" value={values.pids} onChange={(pids) => set({ pids })} placeholder="no limit" />
        <SelectField
          label="Restart policy"
          value={values.restart}
          onChange={(restart) => set({ restart })}
          options={['no', 'always', 'unless-stopped', 'on-failure']}
        />
        <TextField
          label="Retries"
          value={values.retries}
          onChange={(retries) => set({ retries })}
          hint="For on-failure"
        />
        <TextField
          label="Stop signal"
          value={values.stopSignal}
          onChange={(stopSignal) => set({ stopSignal })}
          placeholder="the image's"
        />
        <TextField
          label="Stop timeout in seconds"
          value={values.stopTimeout}
          onChange={(stopTimeout) => set({ stopTimeout })}
          placeholder="10"
        />
        <TextField
          label="Capabilities to add"
          value={values.capAdd}
          onChange={(capAdd) => set({ capAdd })}
          placeholder="NET_ADMIN"
        />
        <TextField
          label="Capabilities to drop"
          value={values.capDrop}
          onChange={(capDrop) => set({ capDrop })}
          placeholder="ALL"
        />
        <CheckField
          label="Privileged: all rights of the host"
          value={values.privileged}
          onChange={(privileged) => set({ privileged })}
        />
      </div>
    </fieldset>
  );
}
