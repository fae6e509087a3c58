import { useState } from 'preact/hooks';
import { FileField, TextField } from '../../components/fields';
import { withTag } from '../../transfer/pull-image';
import { runTransfer } from '../../transfer/run-transfer';
import { TransferDialog } from '../../transfer/transfer-dialog';

export function ImportDialog({ close }: { readonly close: () => void }) {
  const [file, setFile] = useState<File>();
  const [name, setName] = useState('');
  const [message, setMessage] = useState('');
  return (
    <TransferDialog
      title="Import a root file system"
      action="Import"
      close={close}
      run={async (show, signal) => {
        if (file === undefined) throw new Error('choose an archive first');
        const query = { fromSrc: '-', repo: withTag(name.trim()), message: message || undefined };
        await runTransfer('/images/create', { query, content: file, signal }, show);
      }}
    >
      <FileField label="Archive of the files" onChange={([one]) => setFile(one)} />
      <TextField label="Tag of the image" required placeholder="name:tag" value={name} onChange={setName} />
      <TextField label="Message" value={message} onChange={setMessage} />
    </TransferDialog>
  );
}
