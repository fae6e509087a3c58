import { CheckField, LinesField, TextField } from '../../../components/fields';
import type { CreateValues } from './create-values';
import type { SetValues } from './set-values';

interface BasicFieldsProps {
  readonly values: CreateValues;
  readonly set: SetValues;
  readonly images: readonly string[];
}

export function BasicFields({ values, set, images }: BasicFieldsProps) {
  return (
    <fieldset class="form">
      <legend>What it runs</legend>
      <div class="columns">
        <TextField
          label="Image"
          value={values.image}
          onChange={(image) => set({ image })}
          required={true}
          list={images}
          hint="Pulled when it is missing."
          placeholder="busybox:latest"
        />
        <TextField
          label="Name"
          value={values.name}
          onChange={(name) => set({ name })}
          placeholder="chosen by the engine"
        />
        <TextField
          label="Command"
          value={values.command}
          onChange={(command) => set({ command })}
          hint="Words as in a shell, without expansion."
          placeholder="the image's"
        />
        <TextField
          label="Entry point"
          value={values.entrypoint}
          onChange={(entrypoint) => set({ entrypoint })}
          placeholder="the image's"
        />
        <TextField
          label="Working directory"
          value={values.workingDirectory}
          onChange={(workingDirectory) => set({ workingDirectory })}
          placeholder="the image's"
        />
        <TextField label="User" value={values.user} onChange={(user) => set({ user })} placeholder="the image's" />
        <TextField label="Host name" value={values.hostname} onChange={(hostname) => set({ hostname })} />
        <TextField
          label="Platform"
          value={values.platform}
          onChange={(platform) => set({ platform })}
          placeholder="linux/amd64"
        />
      </div>
      <div class="columns">
        <LinesField
          label="Environment"
          value={values.environment}
          onChange={(environment) => set({ environment })}
          hint="One a line: NAME=value"
        />
        <LinesField
          label="Labels"
          value={values.labels}
          onChange={(labels) => set({ labels })}
          hint="One a line: name=value"
        />
      </div>
      <div class="columns">
        <CheckField label="Allocate a terminal" value={values.tty} onChange={(tty) => set({ tty })} />
        <CheckField label="Keep the input open" value={values.openStdin} onChange={(openStdin) => set({ openStdin })} />
        <CheckField label="Run an init process" value={values.init} onChange={(init) => set({ init })} />
        <CheckField
          label="Remove it when it ends"
          value={values.autoRemove}
          onChange={(autoRemove) => set({ autoRemove })}
        />
        <CheckField label="Start it at once" value={values.start} onChange={(start) => set({ start })} />
      </div>
    </fieldset>
  );
}
