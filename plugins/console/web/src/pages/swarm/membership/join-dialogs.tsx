import { useState } from 'preact/hooks';
import { post } from '../../../api/request';
import { openDialog } from '../../../components/dialog';
import { CheckField, LinesField, TextField } from '../../../components/fields';
import { FormDialog } from '../../../components/form-dialog';
import { parseLines } from '../../../format/parse-lines';

interface DialogProps {
  readonly close: () => void;
  readonly changed: () => void;
}

const everywhere = '0.0.0.0:2377';

export const openInit = (changed: () => void): void =>
  openDialog((close) => <InitDialog close={close} changed={changed} />);
export const openJoin = (changed: () => void): void =>
  openDialog((close) => <JoinDialog close={close} changed={changed} />);

function InitDialog({ close, changed }: DialogProps) {
  const [address, setAddress] = useState('');
  const [listen, setListen] = useState(everywhere);
  const [lock, setLock] = useState(false);
  const submit = async (): Promise<void> => {
    await post(
      '/swarm/init',
      {},
      {
        ListenAddr: listen,
        ...(address !== '' && { AdvertiseAddr: address }),
        Spec: { EncryptionConfig: { AutoLockManagers: lock } },
      },
    );
    changed();
  };
  return (
    <FormDialog title="Start a swarm" action="Start" close={close} submit={submit}>
      <TextField
        label="Address for other nodes"
        value={address}
        onChange={setAddress}
        hint="An address or an interface of this host; needed when it has several."
      />
      <TextField label="Listen at" value={listen} onChange={setListen} />
      <CheckField
        label="Lock managers"
        value={lock}
        onChange={setLock}
        hint="After a restart a manager asks for the unlock key."
      />
    </FormDialog>
  );
}

function JoinDialog({ close, changed }: DialogProps) {
  const [managers, setManagers] = useState('');
  const [token, setToken] = useState('');
  const [address, setAddress] = useState('');
  const [listen, setListen] = useState(everywhere);
  const submit = async (): Promise<void> => {
    await post(
      '/swarm/join',
      {},
      {
        ListenAddr: listen,
        ...(address !== '' && { AdvertiseAddr: address }),
        RemoteAddrs: parseLines(managers),
        JoinToken: token.trim(),
      },
    );
    changed();
  };
  return (
    <FormDialog title="Join a swarm" action="Join" close={close} submit={submit}>
      <LinesField
        label="Managers"
        value={managers}
        onChange={setManagers}
        placeholder="192.0.2.1:2377"
        hint="One a line."
      />
      <TextField label="Join token" type="password" required value={token} onChange={setToken} />
      <TextField label="Address for other nodes" value={address} onChange={setAddress} />
      <TextField label="Listen at" value={listen} onChange={setListen} hint="When this engine becomes a manager." />
    </FormDialog>
  );
}
