import { useState } from 'preact/hooks';
import { openDialog } from '../../components/dialog';
import { CheckField, TextField } from '../../components/fields';
import { FormDialog } from '../../components/form-dialog';
import { KeyValues } from '../../components/key-values';
import { notify } from '../../notices/notices';
import { enablePlugin, installPlugin, readPrivileges, upgradePlugin } from './plugin-actions';
import type { PluginPrivilege } from './plugin-types';

/** Asks for a reference, and then for consent to the rights that its plugin asks for. */
export const openInstall = (): void => openDialog((close) => <InstallDialog close={close} />);
export const openUpgrade = (name: string): void =>
  openDialog((close) => <InstallDialog close={close} upgraded={name} />);

interface InstallDialogProps {
  readonly close: () => void;
  /** The plugin that is replaced; without it a new one is installed. */
  readonly upgraded?: string | undefined;
}

function InstallDialog({ close, upgraded }: InstallDialogProps) {
  const [remote, setRemote] = useState(upgraded ?? '');
  const [alias, setAlias] = useState('');
  return (
    <FormDialog
      title={upgraded === undefined ? 'Install a plugin' : 'Upgrade the plugin'}
      action="Show its rights"
      close={close}
      submit={async () => {
        const privileges = await readPrivileges(remote);
        openDialog((closeConsent) => (
          <ConsentDialog
            close={closeConsent}
            remote={remote}
            privileges={privileges}
            install={(enable) => install(remote, alias, upgraded, privileges, enable)}
          />
        ));
      }}
    >
      <TextField
        label="Reference"
        required
        value={remote}
        onChange={setRemote}
        placeholder="registry.example/name:tag"
      />
      {upgraded === undefined && (
        <TextField label="Name" value={alias} onChange={setAlias} hint="By default its reference." />
      )}
    </FormDialog>
  );
}

async function install(
  remote: string,
  alias: string,
  upgraded: string | undefined,
  privileges: readonly PluginPrivilege[],
  enable: boolean,
): Promise<void> {
  if (upgraded === undefined) await installPlugin(remote, alias, privileges);
  else await upgradePlugin(upgraded, remote, privileges);
  const name = upgraded ?? (alias === '' ? remote : alias);
  if (enable) await enablePlugin(name);
  notify('done', `${upgraded === undefined ? 'Installed' : 'Upgraded'} ${name}.`);
}

interface ConsentDialogProps {
  readonly close: () => void;
  readonly remote: string;
  readonly privileges: readonly PluginPrivilege[];
  readonly install: (enable: boolean) => Promise<void>;
}

function ConsentDialog({ close, remote, privileges, install: run }: ConsentDialogProps) {
  const [enable, setEnable] = useState(true);
  return (
    <FormDialog
      title={`Rights of ${remote.slice(0, 80)}`}
      action="Grant and install"
      close={close}
      submit={() => run(enable)}
    >
      {privileges.length === 0 ? (
        <p>It asks for no rights on this host.</p>
      ) : (
        <KeyValues entries={privileges.map(({ Name, Value }) => [Name, Value.join(', ')])} />
      )}
      <CheckField label="Enable it at once" value={enable} onChange={setEnable} />
    </FormDialog>
  );
}
