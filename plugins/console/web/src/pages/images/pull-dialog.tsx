import { useState } from 'preact/hooks';
import { TextField } from '../../components/fields';
import { CredentialFields } from '../../transfer/credential-fields';
import { pullImage } from '../../transfer/pull-image';
import { TransferDialog } from '../../transfer/transfer-dialog';

export function PullDialog({ close }: { readonly close: () => void }) {
  const [reference, setReference] = useState('');
  const [platform, setPlatform] = useState('');
  const [credentials, setCredentials] = useState({ username: '', password: '' });
  return (
    <TransferDialog
      title="Pull an image"
      action="Pull"
      close={close}
      run={(show, signal) => pullImage(reference.trim(), platform, credentials, show, signal)}
    >
      <TextField
        label="Image"
        required
        placeholder="registry.example/name:tag"
        value={reference}
        onChange={setReference}
      />
      <TextField label="Platform" placeholder="linux/amd64" value={platform} onChange={setPlatform} />
      <CredentialFields value={credentials} onChange={setCredentials} />
    </TransferDialog>
  );
}
