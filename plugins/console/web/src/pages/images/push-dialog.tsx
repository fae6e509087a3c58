import { useState } from 'preact/hooks';
import { imagePath } from '../../api/image-types';
import { SelectField } from '../../components/fields';
import { CredentialFields } from '../../transfer/credential-fields';
import { registryHeaders } from '../../transfer/registry-auth';
import { runTransfer } from '../../transfer/run-transfer';
import { TransferDialog } from '../../transfer/transfer-dialog';

/** The engine wants the header of a push even when there are no credentials: an empty object. */
const noCredentials = { 'X-Registry-Auth': 'e30=' };

export function PushDialog({ tags, close }: { readonly tags: readonly string[]; readonly close: () => void }) {
  const [reference, setReference] = useState(tags[0] ?? '');
  const [credentials, setCredentials] = useState({ username: '', password: '' });
  const at = reference.lastIndexOf(':');
  return (
    <TransferDialog
      title="Push the image"
      action="Push"
      close={close}
      run={(show, signal) => {
        const headers = { ...noCredentials, ...registryHeaders(credentials) };
        const query = { tag: reference.slice(at + 1) };
        return runTransfer(`${imagePath(reference.slice(0, at))}/push`, { query, headers, signal }, show);
      }}
    >
      <SelectField label="Tag" options={tags} value={reference} onChange={setReference} />
      <CredentialFields value={credentials} onChange={setCredentials} />
    </TransferDialog>
  );
}
