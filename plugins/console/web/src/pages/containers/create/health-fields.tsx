import { LinesField, TextField } from '../../../components/fields';
import type { CreateValues } from './create-values';
import type { SetValues } from './set-values';

interface HealthFieldsProps {
  readonly values: CreateValues;
  readonly set: SetValues;
}

export function HealthFields({ values, set }: HealthFieldsProps) {
  return (
    <fieldset class="form">
      <legend>Health and logs</legend>
      <div class="columns">
        <TextField
          label="Health check"
          value={values.healthCommand}
          onChange={(healthCommand) => set({ healthCommand })}
          placeholder="the image's"
          hint="A shell command, or none"
        />
        <TextField
          label="Interval in seconds"
          value={values.healthInterval}
          onChange={(healthInterval) => set({ healthInterval })}
        />
        <TextField
          label="Timeout in seconds"
          value={values.healthTimeout}
          onChange={(healthTimeout) => set({ healthTimeout })}
        />
        <TextField
          label="Failures until unhealthy"
          value={values.healthRetries}
          onChange={(healthRetries) => set({ healthRetries })}
        />
        <TextField
          label="Start period in seconds"
          value={values.healthStart}
          onChange={(healthStart) => set({ healthStart })}
        />
        <TextField
          label="Log driver"
          value={values.logDriver}
          onChange={(logDriver) => set({ logDriver })}
          placeholder="the daemon's"
        />
        <LinesField
          label="Log options"
          value={values.logOptions}
          onChange={(logOptions) => set({ logOptions })}
          hint="One a line: name=value"
        />
      </div>
    </fieldset>
  );
}
